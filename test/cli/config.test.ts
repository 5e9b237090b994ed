import { knownSettings } from 'strata-kit/cli/catalogue';
import type { Environment } from 'strata-kit/cli/context';
import { readSettings } from 'strata-kit/cli/read';
import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../src/cli/command-list.ts';
import { COMMON } from '../../src/cli/strata.ts';
import { stopDeadlineMs } from '../../src/settings/stopping.ts';
import { RECORDS } from './console.ts';

interface Input {
  readonly command?: string;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly env?: Environment;
  readonly yaml?: string;
  readonly cores?: number;
}

const known = await knownSettings(COMMANDS, COMMON);

/** The values of a command's settings. */
function read({ command = 'index', flags = {}, env = {}, yaml, cores = 4 }: Input) {
  const record = RECORDS.find(({ name }) => name === command);
  if (record === undefined) throw new Error(`no command ${command}`);
  const surroundings = { cwd: '/srv', cores };
  const file = yaml === undefined ? undefined : { path: 'strata.yaml', text: yaml };
  const found = readSettings(record, known, COMMON, { ...surroundings, flags, env, file });
  return { ...found, record, surroundings };
}

/** What the command makes of them. */
function parse(input: Input): Readonly<Record<string, unknown>> {
  const { record, given, surroundings } = read(input);
  return record.options(given, surroundings) as Readonly<Record<string, unknown>>;
}

/** With a source, without which nothing is indexed. */
function parseIndex({ flags, ...input }: Input): Readonly<Record<string, unknown>> {
  return parse({ ...input, flags: { capture: 'tape', ...flags } });
}

function messageOf(input: Input): string {
  try {
    read(input);
  } catch (error) {
    expect(error).toMatchObject({ code: 'config_invalid' });
    return (error as Error).message;
  }
  return 'accepted';
}

describe('the time to stop', () => {
  it.each([
    [{}, 8_000],
    [{ STRATA_STOP_SECONDS: '' }, 8_000],
    [{ STRATA_STOP_SECONDS: '5' }, 5_000],
    [{ STRATA_STOP_SECONDS: '3600' }, 3_600_000],
  ])('is that of %j', (env, expected) => {
    expect(read({ env }).warnings).toEqual([]);
    expect(stopDeadlineMs(env)).toBe(expected);
  });

  it.each(['0', '4', '3601', '1.5', '8s', '-1'])('is not %j', (given) => {
    const env = { STRATA_STOP_SECONDS: given };
    expect(messageOf({ env })).toBe(
      `STRATA_STOP_SECONDS must be a whole number of 5 to 3600 seconds, not '${given}'`,
    );
    expect(stopDeadlineMs(env)).toBe(8_000);
  });
});

describe('a switch', () => {
  it.each([
    [{ flags: { durable: 'true' } }, true],
    [{ env: { STRATA_DURABLE: 'true' } }, true],
    [{ yaml: 'durable: true' }, true],
    [{ flags: { durable: 'false' }, env: { STRATA_DURABLE: 'true' } }, false],
  ])('is on or off: %j', (input, expected) => {
    expect(read(input).given).toMatchObject({ durable: expected });
  });

  it('is nothing else', () => {
    expect(messageOf({ env: { STRATA_DURABLE: 'yes' } })).toBe(
      "STRATA_DURABLE must be true or false, not 'yes'",
    );
  });
});

describe('defaults', () => {
  it('of index are those that the help names', () => {
    expect(parseIndex({})).toEqual({
      source: { kind: 'capture', folder: '/srv/tape' },
      keepRaw: undefined,
      store: { kind: 'embedded', folder: '/srv/data' },
      isDurable: false,
      forceModules: false,
      fromHeight: undefined,
      toHeight: undefined,
      admin: undefined,
      readyLagBlocks: 20,
      workers: 4,
      tuning: {
        commitBlocks: 4_000,
        commitBytes: 128_000_000,
        commitMs: 2_000,
        rangeBlocks: 50,
        memoryBytes: 256_000_000,
      },
      chainId: undefined,
      chain: {
        namespace: 'aeva',
        hrp: undefined,
        gasDenom: undefined,
        stableDenom: undefined,
        evm: { factory: undefined, stable: undefined, wrappedNative: undefined, lendingMarket: undefined },
        serviceAccounts: [],
        faucet: undefined,
        moduleAccounts: [],
        ethereumTypeUrls: ['/cosmos.evm.vm.v1.MsgEthereumTx', '/ethermint.evm.v1.MsgEthereumTx'],
      },
      nodeWaitMs: 30_000,
      verify: 'auto',
      verifyEveryMs: 600_000,
      acceptBadBlocks: [],
      verifyDeepEveryMs: 600_000,
      descriptorPaths: [],
      modulePaths: [],
      steps: undefined,
    });
  });

  it('of serve are those that the help names', () => {
    expect(parse({ command: 'serve' })).toEqual({
      store: { kind: 'embedded', folder: '/srv/data' },
      listen: { host: '127.0.0.1', port: 8080 },
      http: { kind: 'uws' },
      processes: 1,
      apiProcess: undefined,
      modulePaths: [],
      admin: undefined,
      readyLagBlocks: 20,
    });
  });

  it('of devnet are those that the help names', () => {
    expect(read({ command: 'devnet' }).given).toEqual({
      home: '/srv/data/devnet',
      seed: 1,
      clock: 'wall',
      clockScript: undefined,
      blockTime: 1_000,
      history: 0,
      rpcListen: { host: '127.0.0.1', port: 26657 },
      evmListen: { host: '127.0.0.1', port: 8545 },
      allowedHosts: [],
      keep: undefined,
      gasDecimals: '18',
      workload: 'all',
      fault: [],
      logFormat: 'pretty',
      logLevel: 'info',
      stopSeconds: 8,
    });
  });

  it('of app are those that the help names', () => {
    expect(parse({ command: 'app', flags: { rpc: 'http://a' } })).toMatchObject({
      rpcUrl: 'http://a',
      nodeFields: {},
      nodeWaitMs: 30_000,
      indexerUrl: 'http://127.0.0.1:8080',
      evmRpcUrl: undefined,
      folder: '/srv/data/app',
      databaseUrl: undefined,
      deskKeyPath: undefined,
      instruments: [],
      isTestnet: false,
      isDeskPaused: false,
      deskRisk: {
        deviationPercent: 5,
        minReserve: 10_000_000_000n,
        poolPercent: 5,
        hourlyValue: 25_000_000_000n,
        exposurePercent: 20,
        perBlock: 5,
      },
      listen: { host: '127.0.0.1', port: 8090 },
      trustedProxies: 0,
    });
  });

  it('keep one worker on one core', () => {
    expect(parseIndex({ cores: 1 })).toMatchObject({ workers: 1 });
  });

  it('give the demo a folder of its own and the replay the port of a node', () => {
    expect(parse({ command: 'demo' })).toMatchObject({ folder: '/srv/data/demo', historyDays: 14 });
    expect(parse({ command: 'replay', flags: { capture: 'tape' } })).toMatchObject({
      listen: { host: '127.0.0.1', port: 26657 },
    });
  });

  it('never let the demo write to a server that a variable names', () => {
    const demo = parse({ command: 'demo', env: { STRATA_CLICKHOUSE: 'http://db:8123/live' } });
    expect(demo).toMatchObject({ folder: '/srv/data/demo' });
  });

  it('of tests alone are small commits', () => {
    const env = {
      STRATA_TEST_COMMIT_BLOCKS: '5',
      STRATA_TEST_COMMIT_SECONDS: '0.2',
      STRATA_TEST_RANGE_BLOCKS: '4',
      STRATA_TEST_NODE_WAIT: '3',
    };
    expect(parseIndex({ env })).toMatchObject({
      tuning: { commitBlocks: 5, commitMs: 200, rangeBlocks: 4 },
      nodeWaitMs: 3_000,
    });
    expect(messageOf({ yaml: 'testCommitBlocks: 5' })).toContain("unknown key 'testCommitBlocks'");
  });
});

describe('precedence', () => {
  const yaml = 'memoryMb: 30';
  const env = { STRATA_MEMORY_MB: '20' };
  const flags = { memoryMb: '10' };

  it('is flag, variable, file, default', () => {
    expect(read({ flags, env, yaml }).given).toMatchObject({ memoryMb: 10 });
    expect(read({ env, yaml }).given).toMatchObject({ memoryMb: 20 });
    expect(read({ yaml }).given).toMatchObject({ memoryMb: 30 });
    expect(read({}).given).toMatchObject({ memoryMb: 256 });
  });

  it('takes an empty variable and an empty key as not given', () => {
    expect(read({ env: { STRATA_MEMORY_MB: '' }, yaml }).given).toMatchObject({ memoryMb: 30 });
    expect(read({ yaml: 'memoryMb:\nworkers: 2' }).given).toMatchObject({ workers: 2, memoryMb: 256 });
  });

  it('lets a flag choose another store or source than the file does', () => {
    const lower = { yaml: 'data: /var/strata\nrpc: http://node:26657' };
    expect(parse({ ...lower, flags: { clickhouse: 'http://db:8123', capture: 'tape' } })).toMatchObject({
      store: { kind: 'server', url: 'http://db:8123' },
      source: { kind: 'capture', folder: '/srv/tape' },
    });
  });

  it('keeps both nodes and folder for the capture command', () => {
    expect(parse({ command: 'capture', flags: { rpc: 'http://a:1', capture: 'tape' } })).toMatchObject({
      nodes: { urls: ['http://a:1'] },
      captureFolder: '/srv/tape',
    });
  });
});

describe('values', () => {
  it('split node lists at commas, in flags, variables and files', () => {
    const urls = ['http://a:1', 'https://b/key'];
    const given = (input: Input) => parse(input).source;
    expect(given({ flags: { rpc: ['http://a:1, https://b/key', 'http://a:1'] } })).toMatchObject({ urls });
    expect(given({ env: { STRATA_RPC: 'http://a:1,https://b/key' } })).toMatchObject({ urls });
    expect(given({ yaml: 'rpc: [http://a:1, https://b/key]' })).toMatchObject({ urls });
    expect(given({ yaml: 'rpc: http://a:1,https://b/key' })).toMatchObject({ urls });
  });

  it('take nodes with header fields from the file, beside plain ones', () => {
    const yaml = 'rpc:\n  - http://a:1\n  - url: https://b/key\n    headers: { X-Api-Key: s3cret }';
    expect(parse({ yaml: `${yaml}\nrpcCa: ca.pem\nrps: 2.5` }).source).toEqual({
      kind: 'rpc',
      urls: ['http://a:1', 'https://b/key'],
      access: {
        headers: { 'http://a:1': {}, 'https://b/key': { 'x-api-key': 's3cret' } },
        caPath: '/srv/ca.pem',
        requestsPerSecond: 2.5,
      },
    });
    const wrong = ['host: x', 'x-key: "a\\nb"', '"x y": a', 'x-key: { a: b }'];
    for (const field of wrong) {
      const refusal = messageOf({ yaml: `rpc: { url: http://a:1, headers: { ${field} } }` });
      expect(refusal, field).toContain('it may hold a password');
    }
    expect(messageOf({ yaml: 'rpc: [http://a:1, { url: http://a:1 }]' })).toContain('each once');
  });

  it('take the URL of a server apart, so that what is shown holds no password', () => {
    const store = (clickhouse: string) => parse({ command: 'digest', flags: { clickhouse } }).store;
    expect(store('https://reader:p%40ss@db.example:8443/chain_1')).toEqual({
      kind: 'server',
      url: 'https://db.example:8443',
      user: 'reader',
      password: 'p@ss',
      database: 'chain_1',
    });
    expect(store('http://db:8123')).toEqual({ kind: 'server', url: 'http://db:8123', database: 'strata' });
  });

  it('name the cluster of a server, and of a server alone', () => {
    const flags = { cluster: 'main', clickhouse: 'http://db' };
    expect(parseIndex({ flags })).toMatchObject({
      store: { cluster: { cluster: 'main', isReplicated: true } },
    });
    expect(parseIndex({ flags: { ...flags, replicated: 'false' } })).toMatchObject({
      store: { cluster: { isReplicated: false } },
    });
    expect(parseIndex({ flags: { cluster: 'main' } }).store).toEqual({
      kind: 'embedded',
      folder: '/srv/data',
    });
  });

  it('read addresses of both families', () => {
    const listen = (text: string) => read({ command: 'serve', flags: { listen: text } }).given.listen;
    expect(listen('[::1]:0')).toEqual({ host: '::1', port: 0 });
    expect(listen('localhost:65535')).toEqual({ host: 'localhost', port: 65_535 });
  });

  it('turn units into bytes and milliseconds', () => {
    expect(parseIndex({ flags: { memoryMb: '32', verifyEvery: '2h' } })).toMatchObject({
      tuning: { memoryBytes: 32_000_000 },
      verifyEveryMs: 7_200_000,
    });
  });
});

describe('the app', () => {
  const a = 'a'.repeat(64);
  const b = 'b'.repeat(64);

  it('keeps what it keeps in a folder of its own, whatever store a variable names', () => {
    const app = parse({
      command: 'app',
      flags: { rpc: 'http://a' },
      env: { STRATA_CLICKHOUSE: 'http://db:8123', STRATA_DATA: 'here' },
    });
    expect(app).toMatchObject({ folder: '/srv/here' });
  });

  it('reads instruments from a list or, in the file, from a map', () => {
    const instruments = [
      { symbol: 'ACME', assetId: a },
      { symbol: 'B2', assetId: b },
    ];
    const of = (input: Input) =>
      read({ command: 'app', env: { STRATA_RPC: 'http://a' }, ...input }).given.instruments;
    expect(of({ flags: { instruments: `ACME=${a}, B2=${b}` } })).toEqual(instruments);
    expect(of({ yaml: `instruments:\n  ACME: ${a}\n  B2: ${b}` })).toEqual(instruments);
    expect(of({ yaml: `instruments: [ACME=${a}, B2=${b}]` })).toEqual(instruments);
  });

  it('reads what the desk risks in whole coins and percent', () => {
    const yaml = 'deskDeviation: 3\ndeskMinReserve: 500\ndeskPoolShare: 2\ndeskHourlyValue: 1000\n';
    const app = parse({
      command: 'app',
      env: { STRATA_RPC: 'http://a' },
      yaml,
      flags: { deskExposure: '7', deskPerBlock: '1', deskPaused: 'true' },
    });
    expect(app).toMatchObject({ isDeskPaused: true });
    expect(app.deskRisk).toEqual({
      deviationPercent: 3,
      minReserve: 500_000_000n,
      poolPercent: 2,
      hourlyValue: 1_000_000_000n,
      exposurePercent: 7,
      perBlock: 1,
    });
  });

  it('finds key files relative to the folder it runs in, and takes URLs without the slash at their end', () => {
    const flags = {
      deskKey: 'keys/desk.json',
      indexer: 'https://api.example/strata/',
      evmRpc: 'http://evm/',
    };
    expect(parse({ command: 'app', env: { STRATA_RPC: 'http://a' }, flags })).toMatchObject({
      deskKeyPath: '/srv/keys/desk.json',
      faucetKeyPath: undefined,
      indexerUrl: 'https://api.example/strata',
      evmRpcUrl: 'http://evm/',
    });
  });

  it.each([
    [{ instruments: 'acme=12' }, '--instruments must be SYMBOL=<asset id> separated by commas'],
    [{ instruments: `ACME=${a},ACME=${b}` }, '--instruments must be'],
    [{ deskDeviation: '0' }, '--desk-deviation must be a whole number of 1 to 50 percent'],
    [{ deskHourlyValue: '199' }, '--desk-hourly-value must be a whole number of 200 to 1000000000000 coins'],
    [{ deskExposure: '1.5' }, '--desk-exposure must be a whole number of 1 to 100 percent'],
    [{ instruments: `ACME=${a},B2=${a}` }, '--instruments must be'],
    [{ indexer: 'ftp://x' }, "--indexer must be the http or https URL of the indexer's API, not 'ftp://x'"],
    [{ indexer: 'http://u:%zz@x' }, "not 'http://***@x'"],
    [{ evmRpc: 'http://u:p@x' }, "not 'http://***@x'"],
    [{ indexer: 'http://x/?a=b' }, '--indexer must be'],
    [
      { database: 'mysql://u:secret@h/d' },
      "--database must be the postgres:// URL of a database, not 'mysql://***@h/d'",
    ],
    [{ testnet: 'yes' }, "--testnet must be true or false, not 'yes'"],
    [{ trustProxy: 'true' }, "--trust-proxy must be a whole number of 0 to 10 proxies, not 'true'"],
  ])('%j is refused', (flags, message) => {
    expect(messageOf({ command: 'app', flags })).toContain(message);
  });
});

describe('the chain section', () => {
  it('carries the parameters of a chain, 0x addresses unquoted', () => {
    const yaml = `
chain:
  namespace: acme
  hrp: acme
  gas_denom: aacme
  stable_denom: ibc/ABCD
  evm:
    factory: 0x5fbdb2315678afecb367f032d93f642f64180aa3
  service_accounts: [0x00000000000000000000000000000000000000aa]
  faucet: cosmos1lj477yq9vh2slptla6zr3xc2kz8cpkj7k5kxj0
  ethereum_type_urls: [/acme.evm.v1.MsgEthereumTx]
`;
    expect(read({ yaml }).given.chain).toEqual({
      namespace: 'acme',
      hrp: 'acme',
      gasDenom: 'aacme',
      stableDenom: 'ibc/ABCD',
      evm: {
        factory: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
        stable: undefined,
        wrappedNative: undefined,
        lendingMarket: undefined,
      },
      serviceAccounts: [
        '0x00000000000000000000000000000000000000aa',
        'cosmos1lj477yq9vh2slptla6zr3xc2kz8cpkj7k5kxj0',
      ],
      faucet: 'cosmos1lj477yq9vh2slptla6zr3xc2kz8cpkj7k5kxj0',
      moduleAccounts: [],
      ethereumTypeUrls: [
        '/cosmos.evm.vm.v1.MsgEthereumTx',
        '/ethermint.evm.v1.MsgEthereumTx',
        '/acme.evm.v1.MsgEthereumTx',
      ],
    });
  });

  it.each([
    [
      'chain: {evm: {factory: 0x12}}',
      'chain.evm.factory in strata.yaml (line 1) must be 0x and 40 hex digits',
    ],
    ['chain: {faucet: cosmos1qqqq}', 'chain.faucet in strata.yaml (line 1) must be a bech32 address'],
    ['chain: {denom: x}', 'chain.denom in strata.yaml (line 1) is no known key'],
    ['chain: {evm: {router: 0x12}}', 'chain.evm.router in strata.yaml (line 1) must be 0x and 40 hex digits'],
    ['chain: {evm: {dex: x}}', 'chain.evm.dex in strata.yaml (line 1) is no known key'],
    [
      'chain: {service_accounts: x}',
      'chain.service_accounts in strata.yaml (line 1) must be a list of addresses',
    ],
    [
      'chain: {module_accounts: [x]}',
      'chain.module_accounts.0 in strata.yaml (line 1) must be a bech32 address',
    ],
    ['chain: [x]', 'chain in strata.yaml (line 1) must be keys and values'],
    ['chain: {hrp: COSMOS}', 'chain.hrp in strata.yaml (line 1) must be a bech32 prefix in lower case'],
  ])('%s: %s', (yaml, message) => {
    expect(messageOf({ yaml })).toContain(message);
  });
});

describe('a wrong value names its place and what is allowed', () => {
  it.each<[Input, string]>([
    [{ flags: { workers: '0' } }, "--workers must be a whole number of 1 to 256, not '0'"],
    [{ flags: { workers: '2.5' } }, "--workers must be a whole number of 1 to 256, not '2.5'"],
    [{ flags: { workers: '' } }, "--workers must be a whole number of 1 to 256, not ''"],
    [{ env: { STRATA_WORKERS: 'many' } }, "STRATA_WORKERS must be a whole number of 1 to 256, not 'many'"],
    [{ yaml: 'workers: -1' }, "workers in strata.yaml (line 1) must be a whole number of 1 to 256, not '-1'"],
    [
      { yaml: 'workers: [1, 2]' },
      "workers in strata.yaml (line 1) must be a whole number of 1 to 256, not '1,2'",
    ],
    [
      { yaml: 'workers: {n: 1}' },
      'workers in strata.yaml (line 1) must be a whole number of 1 to 256, not a list or map',
    ],
    [
      { yaml: 'wokers: 1' },
      "unknown key 'wokers' in strata.yaml (line 1) (Did you mean workers?); allowed: rpc, rpcCa, rps, capture",
    ],
    [{ yaml: 'a: b: c' }, 'strata.yaml is not valid YAML: '],
    [{ yaml: 'workers: 1\nworkers: 2' }, 'strata.yaml is not valid YAML: Map keys must be unique'],
    [{ yaml: '- rpc' }, 'strata.yaml must hold keys and values'],
    [{ flags: { from: '0' } }, "--from must be a height: a whole number from 1, not '0'"],
    [{ flags: { to: '9007199254740993' } }, '--to must be a height'],
    [{ flags: { from: '10' }, env: { STRATA_TO: '5' } }, '--from 10 is above STRATA_TO 5'],
    [
      { command: 'serve', flags: { listen: '8080' } },
      "--listen must be host:port, such as 127.0.0.1:8080 or [::1]:8080, not '8080'",
    ],
    [{ command: 'serve', flags: { listen: 'localhost:65536' } }, "not 'localhost:65536'"],
    [{ flags: { rpc: 'tcp://a:26657' } }, '--rpc must be http or https URLs of nodes, separated by commas'],
    [
      { flags: { rpc: 'http://u:%zz@host' } },
      "--rpc must be http or https URLs of nodes, separated by commas, each once; in the file also {url, headers}, not 'http://***@host'",
    ],
    [
      { flags: { rpc: 'http://a,' } },
      "--rpc must be http or https URLs of nodes, separated by commas, each once; in the file also {url, headers}, not 'http://a,'",
    ],
    [
      { flags: { clickhouse: 'http://db/a/b' } },
      '--clickhouse must be the http or https URL of a ClickHouse server',
    ],
    [{ flags: { clickhouse: 'http://db/a?x=1' } }, '--clickhouse must be'],
    [{ flags: { rps: '0' } }, "--rps must be a number of requests a second from 0.1 to 10000, not '0'"],
    [{ yaml: '# nodes\n\nworkers: 2\npace: x' }, 'pace in strata.yaml (line 4) must be a whole number'],
    [{ flags: { memoryMb: '1e3' } }, "--memory-mb must be a whole number of 8 to 1000000 MB, not '1e3'"],
    [{ flags: { logFormat: 'xml' } }, "--log-format must be pretty or json, not 'xml'"],
    [{ env: { STRATA_LOG_LEVEL: 'loud' } }, 'STRATA_LOG_LEVEL must be one of trace, debug, info'],
    [
      { command: 'demo', flags: { pace: '-1' } },
      '--pace must be a whole number of 0 to 3600000 milliseconds',
    ],
    [
      { flags: { data: 'a', clickhouse: 'http://db' } },
      '--data and --clickhouse exclude each other: give one',
    ],
    [
      { env: { STRATA_RPC: 'http://a', STRATA_CAPTURE: 'b' } },
      'STRATA_RPC and STRATA_CAPTURE exclude each other',
    ],
    [
      { yaml: 'data: a\nclickhouse: http://db' },
      'data in strata.yaml (line 1) and clickhouse in strata.yaml (line 2) exclude',
    ],
  ])('%j', (input, message) => {
    const told = messageOf(input);
    expect(told).toContain(message);
    expect(told).not.toContain('\n');
  });

  it('says so even where the command does not use it', () => {
    expect(messageOf({ command: 'digest', env: { STRATA_PACE: 'x' } })).toContain('STRATA_PACE must be');
  });

  it('hides passwords and keys', () => {
    const told = messageOf({ flags: { rpc: 'ftp://me:hunter2@node,http://b/?token=abcdef' } });
    expect(told).toContain("not 'ftp://***@node,http://b?token=***'");
    expect(messageOf({ flags: { clickhouse: 'http://me:hunter2@db:99999/' } })).not.toContain('hunter2');
  });

  it('stays one line whatever was typed', () => {
    const told = messageOf({ flags: { workers: `1\n2\x1b[2J${'3'.repeat(500)}` } });
    for (const control of ['\n', '\x1b']) expect(told).not.toContain(control);
    expect(told.length).toBeLessThan(250);
  });
});

describe('variables of others', () => {
  it('are named, not refused, as a cluster adds its own beside ours', () => {
    const config = read({
      env: { STRATA_PORT: 'tcp://10.0.0.1:80', STRATA_CONFIG: 'strata.yaml', PATH: '/bin' },
    });
    expect(config.warnings).toEqual(["the variable STRATA_PORT is none of Strata's and has no effect"]);
  });

  it('that are nearly ones of Strata lead to those', () => {
    expect(read({ env: { STRATA_WOKERS: '2' } }).warnings).toEqual([
      "the variable STRATA_WOKERS is none of Strata's and has no effect (Did you mean STRATA_WORKERS?)",
    ]);
  });
});

describe('variables of tests', () => {
  it('watch no step when they are not given', () => {
    expect(parseIndex({}).steps).toBeUndefined();
    expect(parseIndex({ env: { STRATA_TEST_STEPS: '', STRATA_TEST_KILL: '' } }).steps).toBeUndefined();
  });

  it('name a descriptor and the step at which the process kills itself, and warn of it', () => {
    const env = { STRATA_TEST_STEPS: '3', STRATA_TEST_KILL: 'commit:insert/txs@2' };
    expect(parseIndex({ env }).steps).toEqual({
      traceDescriptor: 3,
      killAt: { label: 'commit:insert/txs', time: 2 },
    });
    expect(read({ env }).warnings).toEqual([
      'STRATA_TEST_KILL is set: this process kills itself at commit:insert/txs@2',
    ]);
    expect(parseIndex({ env: { STRATA_TEST_KILL: 'commit:written' } }).steps).toEqual({
      killAt: { label: 'commit:written', time: 1 },
    });
  });

  it.each([
    ['STRATA_TEST_STEPS', '0'],
    ['STRATA_TEST_STEPS', 'x'],
    ['STRATA_TEST_KILL', 'commit'],
    ['STRATA_TEST_KILL', 'commit:written@0'],
  ])('are refused when wrong: %s=%s', (name, value) => {
    expect(messageOf({ env: { [name]: value } })).toContain(`${name} must be`);
  });
});

describe('modules', () => {
  it('are paths, from several flags or one list, relative to the folder that Strata runs in', () => {
    const { modulePaths } = parseIndex({ flags: { modules: ['a.js,b/c.js', '/d.js'] } });
    expect(modulePaths).toEqual(['/srv/a.js', '/srv/b/c.js', '/d.js']);
    expect(parseIndex({ env: { STRATA_MODULES: 'a.js' } }).modulePaths).toEqual(['/srv/a.js']);
  });
});
