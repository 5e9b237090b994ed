import { describe, expect, it } from 'vitest';
import { type ConfigInput, parseConfig, stopDeadlineMs } from '../../src/config.ts';

function parse(input: Partial<ConfigInput> & { yaml?: string }) {
  const { yaml, ...rest } = input;
  return parseConfig({
    command: 'index',
    flags: {},
    env: {},
    cwd: '/srv',
    cores: 4,
    ...(yaml === undefined ? {} : { file: { path: 'strata.yaml', text: yaml } }),
    ...rest,
  });
}

function messageOf(input: Parameters<typeof parse>[0]): string {
  try {
    parse(input);
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
    expect(parse({ env }).warnings).toEqual([]);
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
    expect(parse(input).isDurable).toBe(expected);
  });

  it('is nothing else', () => {
    expect(messageOf({ env: { STRATA_DURABLE: 'yes' } })).toBe(
      "STRATA_DURABLE must be true or false, not 'yes'",
    );
  });
});

describe('defaults', () => {
  it('are those that the help names', () => {
    expect(parse({})).toEqual({
      rpcUrls: [],
      nodeAccess: { headers: {}, caPath: undefined, requestsPerSecond: undefined },
      modulePaths: [],
      captureFolder: undefined,
      fromHeight: undefined,
      toHeight: undefined,
      store: { kind: 'embedded', folder: '/srv/data' },
      isDurable: false,
      forceModules: false,
      listen: { host: '127.0.0.1', port: 8080 },
      allowedHosts: [],
      passwords: { owner: undefined, reader: undefined },
      http: { kind: 'uws', maxConnections: 10_000, maxHeldBytes: 256_000_000 },
      processes: 1,
      apiProcess: undefined,
      admin: undefined,
      readyLagBlocks: 20,
      workers: 3,
      tuning: {
        commitBlocks: 4_000,
        commitBytes: 128_000_000,
        commitMs: 2_000,
        rangeBlocks: 50,
        memoryBytes: 256_000_000,
      },
      paceMs: 0,
      faults: [],
      seed: 1,
      devnet: {
        home: '/srv/data/devnet',
        clock: 'wall',
        clockScript: undefined,
        blockTimeMs: 1_000,
        historyDays: 0,
        keep: undefined,
        rpcListen: { host: '127.0.0.1', port: 26657 },
        evmListen: { host: '127.0.0.1', port: 8545 },
        workload: 'all',
      },
      app: {
        indexerUrl: 'http://127.0.0.1:8080',
        evmRpcUrl: undefined,
        databaseUrl: undefined,
        deskKeyPath: undefined,
        faucetKeyPath: undefined,
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
        trustedProxies: 0,
      },
      nodeWaitMs: 30_000,
      verify: 'auto',
      verifyEveryMs: 600_000,
      acceptBadBlocks: [],
      verifyDeepEveryMs: 600_000,
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
      logFormat: 'pretty',
      logLevel: 'info',
      warnings: [],
    });
  });

  it('keep one worker on one core', () => {
    expect(parse({ cores: 1 }).workers).toBe(1);
  });

  it('give the demo a folder of its own and the replay the port of a node', () => {
    expect(parse({ command: 'demo' }).store).toEqual({ kind: 'embedded', folder: '/srv/data/demo' });
    expect(parse({ command: 'replay' }).listen).toEqual({ host: '127.0.0.1', port: 26657 });
  });

  it('never let the demo write to a server that a variable names', () => {
    const demo = parse({ command: 'demo', env: { STRATA_CLICKHOUSE: 'http://db:8123/live' } });
    expect(demo.store).toEqual({ kind: 'embedded', folder: '/srv/data/demo' });
  });
});

describe('precedence', () => {
  const yaml = 'commitBlocks: 30';
  const env = { STRATA_COMMIT_BLOCKS: '20' };
  const flags = { commitBlocks: '10' };

  it('is flag, variable, file, default', () => {
    expect(parse({ flags, env, yaml }).tuning.commitBlocks).toBe(10);
    expect(parse({ env, yaml }).tuning.commitBlocks).toBe(20);
    expect(parse({ yaml }).tuning.commitBlocks).toBe(30);
    expect(parse({}).tuning.commitBlocks).toBe(4_000);
  });

  it('takes an empty variable and an empty key as not given', () => {
    expect(parse({ env: { STRATA_COMMIT_BLOCKS: '' }, yaml }).tuning.commitBlocks).toBe(30);
    expect(parse({ yaml: 'commitBlocks:\nworkers: 2' })).toMatchObject({
      workers: 2,
      tuning: { commitBlocks: 4_000 },
    });
  });

  it('lets a flag choose another store or source than the file does', () => {
    const lower = { yaml: 'data: /var/strata\nrpc: http://node:26657' };
    const config = parse({ ...lower, flags: { clickhouse: 'http://db:8123', capture: 'tape' } });
    expect(config.store).toMatchObject({ kind: 'server', url: 'http://db:8123' });
    expect(config).toMatchObject({ rpcUrls: [], captureFolder: '/srv/tape' });
  });

  it('keeps both nodes and folder for the capture command', () => {
    const config = parse({ command: 'capture', flags: { rpc: 'http://a:1', capture: 'tape' } });
    expect(config).toMatchObject({ rpcUrls: ['http://a:1'], captureFolder: '/srv/tape' });
  });
});

describe('values', () => {
  it('split node lists at commas, in flags, variables and files', () => {
    const urls = ['http://a:1', 'https://b/key'];
    expect(parse({ flags: { rpc: ['http://a:1, https://b/key', 'http://a:1'] } }).rpcUrls).toEqual(urls);
    expect(parse({ env: { STRATA_RPC: 'http://a:1,https://b/key' } }).rpcUrls).toEqual(urls);
    expect(parse({ yaml: 'rpc: [http://a:1, https://b/key]' }).rpcUrls).toEqual(urls);
    expect(parse({ yaml: 'rpc: http://a:1,https://b/key' }).rpcUrls).toEqual(urls);
  });

  it('take nodes with header fields from the file, beside plain ones', () => {
    const yaml = 'rpc:\n  - http://a:1\n  - url: https://b/key\n    headers: { X-Api-Key: s3cret }';
    const config = parse({ yaml: `${yaml}\nrpcCa: ca.pem\nrps: 2.5` });
    expect(config.rpcUrls).toEqual(['http://a:1', 'https://b/key']);
    expect(config.nodeAccess).toEqual({
      headers: { 'http://a:1': {}, 'https://b/key': { 'x-api-key': 's3cret' } },
      caPath: '/srv/ca.pem',
      requestsPerSecond: 2.5,
    });
    const wrong = ['host: x', 'x-key: "a\\nb"', '"x y": a', 'x-key: { a: b }'];
    for (const field of wrong) {
      const refusal = messageOf({ yaml: `rpc: { url: http://a:1, headers: { ${field} } }` });
      expect(refusal, field).toContain('it may hold a password');
    }
    expect(messageOf({ yaml: 'rpc: [http://a:1, { url: http://a:1 }]' })).toContain('each once');
  });

  it('take the URL of a server apart, so that what is shown holds no password', () => {
    const store = (url: string) => parse({ flags: { clickhouse: url } }).store;
    expect(store('https://reader:p%40ss@db.example:8443/chain_1')).toEqual({
      kind: 'server',
      url: 'https://db.example:8443',
      user: 'reader',
      password: 'p@ss',
      database: 'chain_1',
    });
    expect(store('http://db:8123')).toEqual({ kind: 'server', url: 'http://db:8123', database: 'strata' });
  });

  it('read addresses of both families', () => {
    expect(parse({ flags: { listen: '[::1]:0' } }).listen).toEqual({ host: '::1', port: 0 });
    expect(parse({ flags: { listen: 'localhost:65535' } }).listen).toEqual({
      host: 'localhost',
      port: 65_535,
    });
  });

  it('turn units into bytes and milliseconds', () => {
    const { tuning } = parse({ flags: { commitMb: '8', commitSeconds: '0.5', memoryMb: '32' } });
    expect(tuning).toMatchObject({ commitBytes: 8_000_000, commitMs: 500, memoryBytes: 32_000_000 });
  });
});

describe('the app', () => {
  const a = 'a'.repeat(64);
  const b = 'b'.repeat(64);

  it('keeps what it keeps in a folder of its own, whatever store a variable names', () => {
    const app = parse({ command: 'app', env: { STRATA_CLICKHOUSE: 'http://db:8123', STRATA_DATA: 'here' } });
    expect(app.store).toEqual({ kind: 'embedded', folder: '/srv/here' });
    expect(parse({ command: 'app' })).toMatchObject({
      store: { folder: '/srv/data/app' },
      listen: { host: '127.0.0.1', port: 8090 },
    });
  });

  it('reads instruments from a list or, in the file, from a map', () => {
    const instruments = [
      { symbol: 'ACME', assetId: a },
      { symbol: 'B2', assetId: b },
    ];
    const read = (input: Parameters<typeof parse>[0]) => parse({ command: 'app', ...input }).app.instruments;
    expect(read({ flags: { instruments: `ACME=${a}, B2=${b}` } })).toEqual(instruments);
    expect(read({ yaml: `instruments:\n  ACME: ${a}\n  B2: ${b}` })).toEqual(instruments);
    expect(read({ yaml: `instruments: [ACME=${a}, B2=${b}]` })).toEqual(instruments);
  });

  it('reads what the desk risks in whole coins and percent', () => {
    const yaml = 'deskDeviation: 3\ndeskMinReserve: 500\ndeskPoolShare: 2\ndeskHourlyValue: 1000\n';
    const { app } = parse({
      command: 'app',
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
    expect(parse({ command: 'app', flags }).app).toMatchObject({
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
    expect(parse({ yaml }).chain).toEqual({
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
    ['chain: {evm: {factory: 0x12}}', 'chain.evm.factory in strata.yaml must be 0x and 40 hex digits'],
    ['chain: {faucet: cosmos1qqqq}', 'chain.faucet in strata.yaml must be a bech32 address'],
    ['chain: {denom: x}', 'chain.denom in strata.yaml is no known key'],
    ['chain: {evm: {router: 0x12}}', 'chain.evm.router in strata.yaml must be 0x and 40 hex digits'],
    ['chain: {evm: {dex: x}}', 'chain.evm.dex in strata.yaml is no known key'],
    ['chain: {service_accounts: x}', 'chain.service_accounts in strata.yaml must be a list of addresses'],
    ['chain: {module_accounts: [x]}', 'chain.module_accounts.0 in strata.yaml must be a bech32 address'],
    ['chain: [x]', 'chain in strata.yaml must be keys and values'],
    ['chain: {hrp: COSMOS}', 'chain.hrp in strata.yaml must be a bech32 prefix in lower case'],
  ])('%s: %s', (yaml, message) => {
    expect(messageOf({ yaml })).toContain(message);
  });
});

describe('a wrong value names its place and what is allowed', () => {
  it.each<[Parameters<typeof parse>[0], string]>([
    [{ flags: { workers: '0' } }, "--workers must be a whole number of 1 to 256, not '0'"],
    [{ flags: { workers: '2.5' } }, "--workers must be a whole number of 1 to 256, not '2.5'"],
    [{ flags: { workers: '' } }, "--workers must be a whole number of 1 to 256, not ''"],
    [{ env: { STRATA_WORKERS: 'many' } }, "STRATA_WORKERS must be a whole number of 1 to 256, not 'many'"],
    [{ yaml: 'workers: -1' }, "workers in strata.yaml must be a whole number of 1 to 256, not '-1'"],
    [{ yaml: 'workers: [1, 2]' }, "workers in strata.yaml must be a whole number of 1 to 256, not '1,2'"],
    [
      { yaml: 'workers: {n: 1}' },
      'workers in strata.yaml must be a whole number of 1 to 256, not a list or map',
    ],
    [
      { yaml: 'wokers: 1' },
      "unknown key 'wokers' in strata.yaml; allowed: rpc, capture, keepRaw, from, to, data",
    ],
    [{ yaml: 'a: b: c' }, 'strata.yaml is not valid YAML: '],
    [{ yaml: 'workers: 1\nworkers: 2' }, 'strata.yaml is not valid YAML: Map keys must be unique'],
    [{ yaml: '- rpc' }, 'strata.yaml must hold keys and values'],
    [{ flags: { from: '0' } }, "--from must be a height: a whole number from 1, not '0'"],
    [{ flags: { to: '9007199254740993' } }, '--to must be a height'],
    [{ flags: { from: '10' }, env: { STRATA_TO: '5' } }, '--from 10 is above STRATA_TO 5'],
    [
      { flags: { listen: '8080' } },
      "--listen must be host:port, such as 127.0.0.1:8080 or [::1]:8080, not '8080'",
    ],
    [{ flags: { listen: 'localhost:65536' } }, "not 'localhost:65536'"],
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
    [
      { flags: { commitSeconds: '0' } },
      "--commit-seconds must be a number of seconds from 0.1 to 600, not '0'",
    ],
    [{ flags: { memoryMb: '1e3' } }, "--memory-mb must be a whole number of 8 to 1000000 MB, not '1e3'"],
    [{ flags: { logFormat: 'xml' } }, "--log-format must be pretty or json, not 'xml'"],
    [{ env: { STRATA_LOG_LEVEL: 'loud' } }, 'STRATA_LOG_LEVEL must be one of trace, debug, info'],
    [{ flags: { pace: '-1' } }, '--pace must be a whole number of 0 to 3600000 milliseconds'],
    [
      { flags: { data: 'a', clickhouse: 'http://db' } },
      '--data and --clickhouse exclude each other: give one',
    ],
    [
      { env: { STRATA_RPC: 'http://a', STRATA_CAPTURE: 'b' } },
      'STRATA_RPC and STRATA_CAPTURE exclude each other',
    ],
    [{ yaml: 'data: a\nclickhouse: http://db' }, 'data in strata.yaml and clickhouse in strata.yaml exclude'],
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
    const config = parse({
      env: { STRATA_PORT: 'tcp://10.0.0.1:80', STRATA_CONFIG: 'strata.yaml', PATH: '/bin' },
    });
    expect(config.warnings).toEqual(["the variable STRATA_PORT is none of Strata's and has no effect"]);
  });
});

describe('variables of tests', () => {
  it('watch no step when they are not given', () => {
    expect(parse({}).steps).toBeUndefined();
    expect(parse({ env: { STRATA_TEST_STEPS: '', STRATA_TEST_KILL: '' } }).steps).toBeUndefined();
  });

  it('name a descriptor and the step at which the process kills itself, and warn of it', () => {
    const config = parse({ env: { STRATA_TEST_STEPS: '3', STRATA_TEST_KILL: 'commit:insert/txs@2' } });
    expect(config.steps).toEqual({ traceDescriptor: 3, killAt: { label: 'commit:insert/txs', time: 2 } });
    expect(config.warnings).toEqual([
      'STRATA_TEST_KILL is set: this process kills itself at commit:insert/txs@2',
    ]);
    expect(parse({ env: { STRATA_TEST_KILL: 'commit:written' } }).steps).toEqual({
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
    const { modulePaths } = parse({ flags: { modules: ['a.js,b/c.js', '/d.js'] } });
    expect(modulePaths).toEqual(['/srv/a.js', '/srv/b/c.js', '/d.js']);
    expect(parse({ env: { STRATA_MODULES: 'a.js' } }).modulePaths).toEqual(['/srv/a.js']);
  });
});
