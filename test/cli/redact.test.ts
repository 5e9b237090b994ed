import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownSettings } from 'strata-kit/cli/catalogue';
import { flagName, type Setting, variableName } from 'strata-kit/cli/setting';
import { StrataError } from 'strata-kit/errors';
import { createRedactor, redactUrl } from 'strata-kit/url';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-list.ts';
import { COMMON } from '../../src/cli/strata.ts';
import { RECORDS, runCli } from './console.ts';

describe('redactUrl', () => {
  it.each([
    ['http://127.0.0.1:26657', 'http://127.0.0.1:26657'],
    ['http://reader:secret@db:8123/chain', 'http://***@db:8123/chain'],
    ['https://node.example/v1/0123456789abcdef0123/rpc', 'https://node.example/v1/***/rpc'],
    ['https://node.example/?api_key=abc&x=1', 'https://node.example?api_key=***&x=***'],
    ['http://me:p@ss@db:99999', 'http://***@db:99999'],
    ['localhost:8080', 'localhost:8080'],
  ])('%s is shown as %s', (url, shown) => expect(redactUrl(url)).toBe(shown));
});

describe('createRedactor', () => {
  it('hides the secrets of known URLs wherever they turn up', () => {
    const redact = createRedactor(['https://me:p%40ssword@node/0123456789abcdef0123'], ['hunter2']);
    expect(redact('p@ssword, p%40ssword, hunter2 and /0123456789abcdef0123')).toBe('***, ***, *** and /***');
    expect(redact('connect http://you:word@other:1/x failed')).toBe('connect http://***@other:1/x failed');
  });

  it('hides a secret as JSON and URLs spell it', () => {
    const redact = createRedactor([], ['a"b\\c d']);
    expect(redact(JSON.stringify({ given: 'a"b\\c d' }))).toBe('{"given":"***"}');
    expect(redact('/?password=a%22b%5Cc%20d')).toBe('/?password=***');
  });

  it('hides the user of a URL whose password holds a slash or an @', () => {
    expect(createRedactor([])('http://me:p/w@r@host:1/x is away')).toBe('http://***@host:1/x is away');
  });

  it.each([
    ['letters', 'a'.repeat(60_000)],
    ['schemes', 'a://'.repeat(15_000)],
    ['@', `a://${'@'.repeat(60_000)} a://`],
  ])('takes no time that grows with the square of a long word of %s', (_, word) => {
    const before = process.cpuUsage();
    createRedactor([])(word);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(300);
  });

  it('hides a secret whole that begins with another secret', () => {
    expect(createRedactor([], ['hunter', 'hunter2'])('hunter2 and hunter')).toBe('*** and ***');
  });

  it('leaves short words alone', () => {
    expect(createRedactor([], ['in', ''])('block in hand')).toBe('block in hand');
  });
});

const MARK = 'Hunter2marker';
const folder = mkdtempSync(join(tmpdir(), 'strata-redact-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Values that hold a password, most of them wrong for every setting. */
const HOLDING = [
  `http://me:${MARK}@host:99999`,
  `http://me:${MARK}@host:8123/a/b?c=d`,
  `http://me:%zz${MARK}@host`,
  `http://me:x,${MARK}@host`,
  `http://me:12,${MARK}@host`,
  `http://me:a/${MARK}@host:8123`,
  `http://host?password=${MARK}`,
  `http://host/#${MARK}`,
  `me:${MARK}@host`,
  `ftp://me:${MARK}@host`,
  `http:me:${MARK}@host:1`,
  `postgres://me:${MARK}@[host/name`,
  ` http://me:${MARK}@host\n`,
];
const KNOWN = await knownSettings(COMMANDS, COMMON);
const commandOf = (setting: Setting): string =>
  RECORDS.find(({ settings }) => settings.some(({ key }) => key === setting.key))?.name ?? 'index';

describe('a refused password is never printed', () => {
  it.each([...KNOWN])('%s, as a variable and as a flag', async (key, setting) => {
    const secrets = setting.secrecy === 'all' ? [`${MARK} x`, `${MARK}\t`, `é${MARK}`] : [];
    for (const value of [...HOLDING, ...secrets]) {
      const command = commandOf(setting);
      const asVariable = await runCli([command], { env: { [variableName(key)]: value } });
      const asFlag = await runCli([command, `${flagName(key)}=${value}`]);
      const twice = await runCli([command, flagName(key), value, flagName(key), value]);
      for (const { exitCode, stdout, stderr } of [asVariable, asFlag, twice]) {
        expect(`${exitCode} ${stdout}${stderr}`).not.toContain(MARK);
      }
    }
  });

  it.each([
    `password: *${MARK}`,
    `password: |${MARK}`,
    `password: [${MARK}]`,
    `password: { a: ${MARK} }`,
    `password: "${MARK}`,
    `reader_password: x\nhttp://me:${MARK}@host: x`,
    `readerPassword: ${MARK} x`,
    `database: mysql://me:${MARK}@host/name`,
    `rpc:\n  - http://me:${MARK}@host:99999`,
    `rpc:\n  - url: http://host\n    headers: { authorization: "Bearer ${MARK}\\n" }`,
    `rpc:\n  - url: http://host\n    header: ${MARK}`,
  ])('in the file: %s', async (text) => {
    const path = join(folder, 'strata.yaml');
    writeFileSync(path, text);
    const { exitCode, stderr } = await runCli(['engine', '--config', path]);
    expect(exitCode).toBe(2);
    expect(stderr).not.toContain(MARK);
  });

  it.each([
    [['engine', `--passwrod=${MARK}`], "unknown option '--passwrod'"],
    [['engine', '--password', 'abcdefgh', '--password', MARK], '--password is given twice'],
    [['engine', '--password', `${MARK} x`], 'is secret and is not printed'],
    [['index', '--rpc', `http://me:12,${MARK}@host`], 'may hold a password'],
  ])('of %j', async (argv, told) => {
    const { exitCode, stderr } = await runCli(argv);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(told);
    expect(stderr).not.toContain(MARK);
  });

  it('nor is a header field of a node', async () => {
    const path = join(folder, 'nodes.yaml');
    writeFileSync(path, `rpc:\n  - url: http://a:1\n    headers: { authorization: Bearer ${MARK} }`);
    const { exitCode, stderr } = await runCli(['index', '--config', path], {
      body: async ({ log }) => {
        log.warn({ sent: `authorization: Bearer ${MARK}` }, `token ${MARK}`);
        throw new StrataError('node_unreachable', `no answer with ${MARK}`);
      },
    });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no answer with ***'),
    });
    expect(stderr).not.toContain(MARK);
  });

  it.each(['pretty', 'json'])('nor is one that is accepted, in %s lines', async (logFormat) => {
    const env = {
      STRATA_RPC: `http://me:${MARK}@a:1`,
      STRATA_INDEXER: 'http://a:2',
      STRATA_DATABASE: `postgres://me:${MARK}@a/b`,
      STRATA_PASSWORD: `${MARK}"\\`,
      STRATA_LOG_FORMAT: logFormat,
    };
    const { exitCode, stderr } = await runCli(['app'], {
      env,
      body: async ({ log }) => {
        log.warn({ detail: `password ${MARK}` }, `${MARK}"\\ was sent`);
        throw new StrataError('node_unreachable', `no answer with ${MARK}`);
      },
    });
    expect(exitCode).toBe(1);
    expect(stderr).toContain('no answer with ***');
    expect(stderr).not.toContain(MARK);
  });
});
