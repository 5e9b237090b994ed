import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadCommand } from 'strata-kit/cli/catalogue';
import { stub } from 'strata-kit/cli/command';
import { flagName, variableName } from 'strata-kit/cli/setting';
import { StrataError } from 'strata-kit/errors';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-list.ts';
import { COMMON, createStrata } from '../../src/cli/strata.ts';
import { collector, RECORDS, runCli } from './console.ts';

const NAMES = RECORDS.map(({ name }) => name);

const folder = mkdtempSync(join(tmpdir(), 'strata-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

function configFile(text: string): string {
  const path = join(folder, `${Math.random()}.yaml`);
  writeFileSync(path, text);
  return path;
}

describe('commands', () => {
  it('get typed options out of flags, variables and the file', async () => {
    const path = configFile('to: 500\nworkers: 2\n');
    const argv = ['start', '--rpc', 'http://a:26657', '--rpc', 'http://b:26657', '--config', path];
    const { ran, exitCode, stderr } = await runCli(argv, { env: { STRATA_LISTEN: '0.0.0.0:80' } });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(ran).toMatchObject({
      command: 'start',
      options: {
        source: { kind: 'rpc', urls: ['http://a:26657', 'http://b:26657'] },
        store: { kind: 'embedded', folder: '/srv/data' },
        listen: { host: '0.0.0.0', port: 80 },
        toHeight: 500,
        workers: 2,
      },
    });
  });

  it('find their file by STRATA_CONFIG too', async () => {
    const env = { STRATA_CONFIG: configFile('capture: tape') };
    const { ran } = await runCli(['index'], { env });
    expect(ran).toMatchObject({ options: { source: { kind: 'capture', folder: '/srv/tape' } } });
  });

  it.each(NAMES)('%s gives its options to its own body', async (command) => {
    const argv = ['index', 'start', 'app', 'repair'].includes(command)
      ? [command, '--rpc', 'http://a']
      : [command];
    if (command === 'capture') argv.push('--rpc', 'http://a');
    if (command === 'capture' || command === 'replay') argv.push('--capture', 'tape');
    if (command === 'backup') argv.push('--to', 'kept');
    if (command === 'restore') argv.push('--from', 'kept');
    if (command === 'rewind') argv.push('--to', '12');
    if (command === 'repair') argv.push('--height', '12');
    if (command === 'verify') argv.push('--rpc', 'http://a');
    if (command === 'state') argv.push('--account', '0x00');
    if (command === 'corpus') argv.push('--out', 'made');
    const { ran, exitCode } = await runCli(argv);
    expect({ exitCode, command: ran?.command }).toEqual({ exitCode: 0, command });
  });

  it.each([
    [['index', '--rpc', 'http://a', '--durable'], true],
    [['index', '--durable', '--rpc', 'http://a'], true],
    [['start', '--rpc', 'http://a'], false],
  ])('a switch needs no value: %j', async (argv, isDurable) => {
    const { ran } = await runCli(argv);
    expect(ran).toMatchObject({ options: { isDurable } });
  });

  it('print results to stdout and everything else to stderr', async () => {
    const { stdout, stderr } = await runCli(['digest'], {
      body: async ({ print, log }) => {
        log.info('reading');
        print('1 1000 ab12');
      },
    });
    expect(stdout).toBe('1 1000 ab12\n');
    expect(stderr).toMatch(/INFO: reading\n$/);
  });
});

describe('wrong command lines are one line on stderr and exit code 2', () => {
  it.each([
    [['help', 'indx'], "unknown command 'indx' (Did you mean index?)"],
    [['--halp'], "unknown option '--halp' (Did you mean --help?)"],
    [['strat'], "unknown command 'strat' (Did you mean start?)"],
    [['serve', 'now'], "too many arguments for 'serve'"],
    [['serve', '--workers', '2'], "unknown option '--workers'"],
    [['demo', '--clickhouse', 'http://db'], "unknown option '--clickhouse'"],
    [['index', '--rpcs', 'x'], "unknown option '--rpcs' (Did you mean one of --rpc, --rps?)"],
    [['serve', '--data'], "option '--data <folder>' argument missing"],
    [['serve', '--data', 'a', '--data', 'b'], '--data is given twice'],
    [['index', '--capture', 'x', '--workers', 'many'], '--workers must be'],
    [['index', '--capture', 'x', '--form', '3'], "unknown option '--form'"],
    [['digest', '--rpc', 'http://a'], "unknown option '--rpc'"],
    [['indx'], "unknown command 'indx' (Did you mean index?)"],
    [['index', '--data', 'x'], 'a source is missing: give --rpc <url,…> or --capture <folder>'],
    [['index'], 'a source is missing: give --rpc <url,…> or --capture <folder>'],
    [['index', '--capture', 'x', '--keep-raw', 'y'], '--keep-raw keeps what nodes answer'],
    [['capture', '--capture', 'x'], 'capture needs the nodes to record: give --rpc'],
    [['capture', '--rpc', 'http://a'], 'capture needs the folder to write: give --capture'],
    [
      ['replay'],
      'replay needs a capture: give --capture <folder> (or STRATA_CAPTURE, capture: in the configuration file)',
    ],
    [['serve', '--listen', '80'], '--listen must be host:port'],
    [['serve', '--admin', 'nowhere'], '--admin must be a port of 127.0.0.1, or host:port'],
    [['index', '--ready-lag', '-1'], '--ready-lag must be a whole number of 0 to'],
    [['backup'], 'backup needs a place: give --to <folder>'],
    [['restore'], 'restore needs a place: give --from <folder>'],
    [['serve', '--data', 'a', '--clickhouse', 'http://db'], 'exclude each other'],
    [['serve', '--http', 'bun'], '--http must be uws or node'],
    [
      ['serve', '--clickhouse', 'http://db', '--processes', '2', '--http', 'node'],
      '--processes 2 needs --http uws',
    ],
    [['serve', '--config', '/no/such.yaml'], 'the configuration file /no/such.yaml cannot be read: ENOENT'],
  ])('strata %j: %s', async (argv, message) => {
    const { exitCode, stdout, stderr, ran } = await runCli(argv);
    expect({ exitCode, stdout, ran }).toEqual({ exitCode: 2, stdout: '', ran: undefined });
    expect(stderr).toMatch(/^strata: config_invalid: [^\n]*\n$/);
    expect(stderr).toContain(message);
  });
});

describe('flags of one command', () => {
  it('are its own: --to of backup is a folder, and a height elsewhere', async () => {
    const { ran } = await runCli(['backup', '--to', './monday'], { env: { STRATA_TO: '500' } });
    expect(ran).toMatchObject({ command: 'backup', options: { to: './monday' } });
    const { ran: restored } = await runCli(['restore', '--from', './monday']);
    expect(restored).toMatchObject({ options: { from: './monday', store: { folder: '/srv/data' } } });
    const { ran: looked } = await runCli(['doctor', '--json']);
    expect(looked).toMatchObject({ options: { json: true, nodes: { urls: [] } } });
  });
});

describe('the admin listener', () => {
  it.each([
    ['9100', { host: '127.0.0.1', port: 9100 }],
    ['0.0.0.0:9100', { host: '0.0.0.0', port: 9100 }],
  ])('--admin %s', async (text, admin) => {
    const { ran } = await runCli(['serve', '--admin', text, '--ready-lag', '5']);
    expect(ran).toMatchObject({ options: { admin, readyLagBlocks: 5 } });
  });

  it('is not there unless it is asked for', async () => {
    const { ran } = await runCli(['serve']);
    expect(ran).toMatchObject({ options: { admin: undefined } });
  });
});

describe('failures of a command', () => {
  const fail = (error: unknown) => async () => {
    throw error;
  };

  it('that are foreseen take one line with code and remedy', async () => {
    const body = fail(new StrataError('node_unreachable', 'no node answers'));
    const { exitCode, stderr } = await runCli(['digest'], { body });
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'strata: node_unreachable: no node answers. Check the --rpc URLs and the network, or add another node.\n',
    );
  });

  it('that are not show the stack', async () => {
    const { exitCode, stderr } = await runCli(['digest'], { body: fail(new TypeError('x is undefined')) });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^strata: internal: TypeError: x is undefined\n {4}at /);
  });

  it('are JSON for machines', async () => {
    const body = fail(new StrataError('height_pruned', 'the lowest height is 7'));
    const { stderr } = await runCli(['digest', '--log-format', 'json'], { body });
    expect(JSON.parse(stderr)).toMatchObject({ level: 'fatal', code: 'height_pruned' });
  });

  it('are none when the command was told to end', async () => {
    const body = fail(new StrataError('aborted', 'shutting down'));
    const io = { signal: AbortSignal.abort() };
    expect(await runCli(['digest'], { body, io })).toMatchObject({ exitCode: 0, stderr: '' });
    expect(await runCli(['digest'], { body })).toMatchObject({ exitCode: 1 });
  });
});

describe('secrets', () => {
  it('stay out of log lines and failures', async () => {
    const argv = ['digest', '--clickhouse', 'http://reader:hunter2@db:8123/chain'];
    const { stderr } = await runCli(argv, {
      env: { STRATA_RPC: 'https://node.example/v1/0123456789abcdef0123?auth=topsecret' },
      body: async ({ log }) => {
        log.warn({ url: 'http://reader:hunter2@db:8123' }, 'hunter2 was refused');
        log.warn('GET /v1/0123456789abcdef0123?auth=topsecret');
        throw new StrataError('store_unreachable', 'no answer to reader with hunter2');
      },
    });
    expect(stderr).toContain('store_unreachable');
    expect(stderr).not.toMatch(/hunter2|0123456789abcdef0123|topsecret/);
  });
});

describe('help', () => {
  it.each([[], ['--help'], ['-h'], ['help']])(
    'of the program names every command and leads on: %j',
    async (...argv) => {
      const { stdout, exitCode, stderr } = await runCli(argv);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      for (const { name } of COMMANDS) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'));
      expect(stdout).toContain('Examples:\n  strata demo\n');
    },
  );

  it.each(RECORDS.map((record) => [record.name, record] as const))(
    'of %s names each flag with its variable, in groups, with an example',
    async (name, { settings, flags }) => {
      const { stdout } = await runCli([name, '--help']);
      for (const one of settings) {
        const isShown = one.places.includes('flag') && !one.isInternal;
        expect(stdout.includes(`[${variableName(one.key)}]`), one.key).toBe(isShown);
      }
      for (const { key } of flags) expect(stdout).toContain(flagName(key));
      expect(stdout).toContain('[STRATA_CONFIG]');
      expect(stdout).toMatch(/^Logging:\n {2}--log-format/m);
      expect(stdout).toContain(`strata ${name}`);
      for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(110);
      for (const argv of [
        [name, '-h'],
        ['help', name],
      ])
        expect((await runCli(argv)).stdout).toBe(stdout);
    },
  );

  it('of the commands with words is theirs', async () => {
    const { stdout, exitCode } = await runCli(['help', 'tx', 'bank', 'send']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('--from <key>') });
    expect((await runCli(['keys', '-h'])).stdout).toContain('export [options] <name>');
  });

  it.each(['--version', '-v'])('has the version beside it: %s', async (flag) => {
    expect(await runCli([flag])).toMatchObject({ exitCode: 0, stdout: '1.2.3\n' });
  });
});

describe('the records', () => {
  it('read a key alike in every command, and name none twice in one', () => {
    const kinds = new Map<string, unknown>();
    for (const { name, settings, flags } of RECORDS) {
      const keys = [...settings, ...COMMON, ...flags].map(({ key }) => key);
      expect(keys, name).toEqual([...new Set(keys)]);
      for (const { key, kind } of settings) {
        expect(kinds.get(key) ?? kind, `${key} of ${name}`).toBe(kind);
        kinds.set(key, kind);
      }
    }
  });

  it('have the name and the line of the list', async () => {
    for (const listed of COMMANDS) {
      const { name, summary } = await loadCommand(listed);
      expect({ name, summary }).toEqual({ name: listed.name, summary: listed.summary });
    }
  });
});

describe('a command of a package that is not installed', () => {
  const missing = stub({
    name: 'devnet',
    summary: 'a chain',
    packageName: 'strata-nowhere',
    // as Node does for a package that is not there
    load: () => Promise.reject(notFound('strata-nowhere')),
  });
  const without = COMMANDS.map((one) => (one.name === 'devnet' ? missing : one));
  const run = async (...argv: readonly string[]) => {
    const [stdout, stderr] = [collector(), collector()];
    const exitCode = await createStrata({ stdout, stderr, env: {}, cwd: folder }, without).run(argv);
    return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
  };

  it('says what to install, also for its help', async () => {
    for (const argv of [['devnet'], ['devnet', '--help'], ['help', 'devnet']]) {
      expect(await run(...argv)).toEqual({
        exitCode: 2,
        stdout: '',
        stderr:
          'strata: config_invalid: `strata devnet` needs the package strata-nowhere: npm install strata-nowhere. See strata --help.\n',
      });
    }
  });

  it('keeps nobody from the others', async () => {
    expect((await run('--help')).stdout).toMatch(/^ {2}devnet +a chain$/m);
    expect((await run('index')).stderr).toContain('a source is missing');
    expect((await run('devnt')).stderr).toContain("unknown command 'devnt' (Did you mean devnet?)");
  });

  it('is not one that lacks something else', async () => {
    const broken = COMMANDS.map((one) =>
      one.name === 'devnet' ? { ...missing, load: () => Promise.reject(notFound('left-pad')) } : one,
    );
    const stderr = collector();
    expect(await createStrata({ stdout: collector(), stderr, env: {} }, broken).run(['devnet'])).toBe(1);
    expect(stderr.text()).toContain("Cannot find package 'left-pad'");
  });
});

/** Node's own error, whose words missingPackage reads. */
function notFound(name: string): Error {
  const message = `Cannot find package '${name}' imported from /srv/strata.js`;
  return Object.assign(new Error(message), { code: 'ERR_MODULE_NOT_FOUND' });
}

describe('a terminal', () => {
  it('keeps log lines and results whole above the live line', async () => {
    const screen = collector({ isTTY: true, columns: 20 });
    await runCli(['digest'], {
      env: { NO_COLOR: '1' },
      io: { stderr: screen, stdout: screen },
      body: async ({ line, log, print }) => {
        line?.set('height 1 of 2, and more than fits');
        log.info('hello');
        print('result');
        line?.clear();
      },
    });
    const drawn = '\r\x1b[Kheight 1 of 2, and ';
    const [first, second, ...rest] = screen.text().split('\n');
    expect(first?.startsWith(`${drawn}\r\x1b[K[`)).toBe(true);
    expect(first?.endsWith('] INFO: hello')).toBe(true);
    expect(second).toBe(`${drawn}\r\x1b[Kresult`);
    expect(rest).toEqual([`${drawn}\r\x1b[K`]);
  });
});
