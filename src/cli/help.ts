import { FAULT_NAMES as DEVNET_FAULT_NAMES } from 'strata-devnet/faults/names';
import { COIN, DEFAULT_RISK } from 'strata-kit/desk-risk';
import { FAULT_NAMES } from 'strata-kit/rpc/faults/names';
import {
  CLOCKS,
  flagName,
  HTTP_KINDS,
  LOG_FORMATS,
  LOG_LEVELS,
  type SettingKey,
  VERIFY_MODES,
  variableName,
  WORKLOADS,
} from 'strata-kit/settings';
import {
  type CommandName,
  DEFAULT_APP_FOLDER,
  DEFAULT_APP_PORT,
  DEFAULT_BLOCK_TIME_MS,
  DEFAULT_COMMIT_BLOCKS,
  DEFAULT_COMMIT_MB,
  DEFAULT_COMMIT_SECONDS,
  DEFAULT_DATA_FOLDER,
  DEFAULT_DEMO_DAYS,
  DEFAULT_DEMO_FOLDER,
  DEFAULT_DEVNET_FOLDER,
  DEFAULT_ENGINE_PORT,
  DEFAULT_EVM_PORT,
  DEFAULT_INDEXER_URL,
  DEFAULT_MAX_CONNECTIONS,
  DEFAULT_MEMORY_MB,
  DEFAULT_NODE_WAIT_SECONDS,
  DEFAULT_PORT,
  DEFAULT_RANGE_BLOCKS,
  DEFAULT_READY_LAG,
  DEFAULT_REPLAY_PORT,
  DEFAULT_REPLICA_PATH,
  DEFAULT_SEED,
  DEFAULT_UNREAD_MB,
  DEFAULT_VERIFY_DEEP_EVERY_MINUTES,
  DEFAULT_VERIFY_EVERY_MINUTES,
} from '../config.ts';
import { SQL_FORMATS } from './options.ts';

/** The texts of --help. */

interface FlagHelp {
  readonly group: string;
  readonly argument: string;
  readonly text: string;
}

const SOURCE = 'Source:';
const STORE = 'Store:';
const API = 'Listening:';
const TUNING = 'Tuning:';
const LOGGING = 'Logging:';
const CHAIN = 'Chain:';
const MODULES = 'Modules:';
const DESK = 'Desk and faucet:';

const FLAGS: Readonly<Record<SettingKey, FlagHelp>> = {
  modules: {
    group: MODULES,
    argument: '<path,…>',
    text: "files that each export a module, beside Strata's own (docs/modules.md)",
  },
  rpc: { group: SOURCE, argument: '<url,…>', text: 'RPC of one or more nodes of the chain' },
  rpcCa: {
    group: SOURCE,
    argument: '<file>',
    text: 'PEM certificates that https nodes may have, besides the known ones',
  },
  rps: {
    group: SOURCE,
    argument: '<n>',
    text: 'requests a second to each node, at most (default: as many as it takes)',
  },
  capture: { group: SOURCE, argument: '<folder>', text: 'a recorded chain instead of nodes' },
  keepRaw: {
    group: SOURCE,
    argument: '<folder>',
    text: 'keep the bytes of every indexed block there, as a capture, and read from there what it holds',
  },
  chainId: { group: SOURCE, argument: '<id>', text: 'stop unless the chain has this id' },
  from: { group: SOURCE, argument: '<height>', text: "first height (default: the chain's first)" },
  to: {
    group: SOURCE,
    argument: '<height>',
    text: 'last height, and stop there (default: follow the head, or the end of the capture)',
  },
  data: { group: STORE, argument: '<folder>', text: `embedded ClickHouse (default: ${DEFAULT_DATA_FOLDER})` },
  clickhouse: {
    group: STORE,
    argument: '<url>',
    text: 'ClickHouse server: http://user:password@host:8123/database',
  },
  cluster: {
    group: STORE,
    argument: '<name>',
    text: 'the server is one of this cluster: tables on every shard (docs/cluster.md)',
  },
  replicated: {
    group: STORE,
    argument: '<true|false>',
    text: "whether the cluster's tables are replicated (default: true)",
  },
  replicaPath: {
    group: STORE,
    argument: '<path>',
    text: `the tables' path in the keeper (default: ${DEFAULT_REPLICA_PATH})`,
  },
  durable: {
    group: STORE,
    argument: '',
    text: 'commits wait until they are on the disk (default: a power failure may take the last ones)',
  },
  forceModules: {
    group: STORE,
    argument: '',
    text: "derive modules although the store does not begin with the chain's first block",
  },
  password: {
    group: API,
    argument: '<text>',
    text: "of the engine's user strata (default: a new one, printed at the start)",
  },
  readerPassword: {
    group: API,
    argument: '<text>',
    text: "of the engine's read-only user reader (default: there is none)",
  },
  listen: {
    group: API,
    argument: '<host:port>',
    text: `where to answer (default: 127.0.0.1:${DEFAULT_PORT})`,
  },
  http: {
    group: API,
    argument: `<${HTTP_KINDS.join('|')}>`,
    text: 'listen with uWebSockets.js, or with node:http where that has no binary (default: uws)',
  },
  maxConnections: {
    group: API,
    argument: '<n>',
    text: `connections open at once, of each process (default: ${DEFAULT_MAX_CONNECTIONS})`,
  },
  unreadMb: {
    group: API,
    argument: '<mb>',
    text: `megabytes of answers that clients have not read yet (default: ${DEFAULT_UNREAD_MB})`,
  },
  processes: {
    group: API,
    argument: '<n>',
    text: 'processes that answer on one port, from a store over HTTP (default: 1)',
  },
  admin: {
    group: API,
    argument: '<port>',
    text: 'where to answer /healthz, /readyz and /metrics: a port of 127.0.0.1, or host:port (default: nowhere)',
  },
  readyLag: {
    group: API,
    argument: '<blocks>',
    text: `blocks behind the chain up to which /readyz says ready (default: ${DEFAULT_READY_LAG})`,
  },
  nodeWait: {
    group: SOURCE,
    argument: '<s>',
    text: `seconds to wait at the start for a node that does not answer (default: ${DEFAULT_NODE_WAIT_SECONDS})`,
  },
  verify: {
    group: SOURCE,
    argument: '<mode>',
    text: `hold blocks against their hashes: ${VERIFY_MODES.join(', ')} (default: auto, where the chain's fit)`,
  },
  verifyEvery: {
    group: SOURCE,
    argument: '<time>',
    text: `compare what is derived with the chain's own numbers so often while following it, 0: never (default: ${DEFAULT_VERIFY_EVERY_MINUTES}m)`,
  },
  acceptBadBlocks: {
    group: SOURCE,
    argument: '<all|height,…>',
    text: 'keep blocks whose results no node gives as they should be, at these heights and ranges (default: stop there)',
  },
  verifyDeepEvery: {
    group: SOURCE,
    argument: '<time>',
    text: `compare the whole state of one module after the other with the chain's Export so often, 0: never (default: ${DEFAULT_VERIFY_DEEP_EVERY_MINUTES}m)`,
  },
  home: {
    group: CHAIN,
    argument: '<folder>',
    text: `what the chain keeps; one that is there goes on (default: ${DEFAULT_DEVNET_FOLDER})`,
  },
  clock: {
    group: CHAIN,
    argument: `<${CLOCKS.join('|')}>`,
    text: "block times: the machine's, or simulated, the same in every run (default: wall)",
  },
  clockScript: {
    group: CHAIN,
    argument: '<file>',
    text: 'YAML or JSON: steps and jumps of a simulated clock (docs/devnet.md)',
  },
  history: {
    group: CHAIN,
    argument: '<days>',
    text: 'let a new chain begin so long ago, a block every 30 minutes until now (default: 0)',
  },
  blockTime: {
    group: CHAIN,
    argument: '<ms>',
    text: `between two blocks; 0: as fast as it can (default: ${DEFAULT_BLOCK_TIME_MS})`,
  },
  keep: { group: CHAIN, argument: '<n>', text: 'newest heights to keep, with their states (default: all)' },
  workload: {
    group: CHAIN,
    argument: `<${WORKLOADS.join('|')}>`,
    text: 'accounts that use every module by themselves (default: all)',
  },
  rpcListen: {
    group: API,
    argument: '<host:port>',
    text: `where CometBFT's JSON-RPC answers (default: 127.0.0.1:${DEFAULT_REPLAY_PORT})`,
  },
  evmListen: {
    group: API,
    argument: '<host:port>',
    text: `where Ethereum's JSON-RPC answers (default: 127.0.0.1:${DEFAULT_EVM_PORT})`,
  },
  allowedHosts: {
    group: API,
    argument: '<name,…>',
    text: 'further Host names that are answered (default: loopback names and the address it listens at)',
  },
  fault: {
    group: SOURCE,
    argument: '<name,…>',
    text: `answer wrongly, name[:probability],…: ${FAULT_NAMES.join(', ')}`,
  },
  seed: {
    group: SOURCE,
    argument: '<n>',
    text: `the same number brings the same faults back (default: ${DEFAULT_SEED})`,
  },
  pace: {
    group: SOURCE,
    argument: '<ms>',
    text: 'show one more height every so many milliseconds (default: all)',
  },
  indexer: {
    group: SOURCE,
    argument: '<url>',
    text: `the indexer's API, which the pages are shown /v1 of (default: ${DEFAULT_INDEXER_URL})`,
  },
  evmRpc: {
    group: SOURCE,
    argument: '<url>',
    text: "Ethereum's JSON-RPC as browsers reach it, for their wallets (default: none)",
  },
  database: {
    group: STORE,
    argument: '<url>',
    text: 'Postgres instead: postgres://user:password@host:5432/name (default: SQLite in --data)',
  },
  deskKey: {
    group: DESK,
    argument: '<file>',
    text: 'key of the account that the desk trades with, a file of strata keys (default: no desk)',
  },
  faucetKey: {
    group: DESK,
    argument: '<file>',
    text: 'key of the account that the faucet gives from (default: no faucet)',
  },
  instruments: {
    group: DESK,
    argument: '<SYMBOL=id,…>',
    text: 'assets that the desk trades, by the symbol it calls each',
  },
  testnet: {
    group: DESK,
    argument: '',
    text: "the node is a reference chain: use its public faucet's key and a public desk's, and make test assets",
  },
  deskPaused: {
    group: DESK,
    argument: '',
    text: 'start with the desk paused: no quotes, no trades; SIGUSR2 pauses it and ends the pause',
  },
  deskDeviation: {
    group: DESK,
    argument: '<percent>',
    text: `how far a pool's price may be from its mean of 30 minutes (default: ${DEFAULT_RISK.deviationPercent})`,
  },
  deskMinReserve: {
    group: DESK,
    argument: '<coins>',
    text: `stable coins that a pool must hold (default: ${DEFAULT_RISK.minReserve / COIN})`,
  },
  deskPoolShare: {
    group: DESK,
    argument: '<percent>',
    text: `the largest trade, as a share of the pool's stable coins (default: ${DEFAULT_RISK.poolPercent})`,
  },
  deskHourlyValue: {
    group: DESK,
    argument: '<coins>',
    text: `stable coins that an asset's trades are worth in an hour at most (default: ${DEFAULT_RISK.hourlyValue / COIN})`,
  },
  deskExposure: {
    group: DESK,
    argument: '<percent>',
    text: `what the desk gives away in a day of its coins, for an asset, and of its units (default: ${DEFAULT_RISK.exposurePercent})`,
  },
  deskPerBlock: {
    group: DESK,
    argument: '<n>',
    text: `trades of an asset that a block may hold (default: ${DEFAULT_RISK.perBlock})`,
  },
  trustProxy: {
    group: API,
    argument: '<n>',
    text: 'proxies before the app whose X-Forwarded-For is believed (default: 0)',
  },
  workers: { group: TUNING, argument: '<n>', text: 'decode threads (default: cores - 1)' },
  commitBlocks: {
    group: TUNING,
    argument: '<n>',
    text: `blocks a commit (default: ${DEFAULT_COMMIT_BLOCKS})`,
  },
  commitMb: { group: TUNING, argument: '<mb>', text: `megabytes a commit (default: ${DEFAULT_COMMIT_MB})` },
  commitSeconds: {
    group: TUNING,
    argument: '<s>',
    text: `seconds a commit (default: ${DEFAULT_COMMIT_SECONDS})`,
  },
  rangeBlocks: {
    group: TUNING,
    argument: '<n>',
    text: `blocks fetched at once (default: ${DEFAULT_RANGE_BLOCKS})`,
  },
  memoryMb: { group: TUNING, argument: '<mb>', text: `megabytes in flight (default: ${DEFAULT_MEMORY_MB})` },
  logFormat: { group: LOGGING, argument: '<format>', text: `${LOG_FORMATS.join(' or ')} (default: pretty)` },
  logLevel: { group: LOGGING, argument: '<level>', text: `${LOG_LEVELS.join(', ')} (default: info)` },
};

const OVERRIDES: Partial<Record<CommandName, Partial<Record<SettingKey, string>>>> = {
  capture: { capture: 'the folder to write', to: 'last height (default: the head when it starts)' },
  replay: {
    capture: 'the recorded chain to serve',
    listen: `where to answer (default: 127.0.0.1:${DEFAULT_REPLAY_PORT})`,
  },
  corpus: { seed: `of keys and of what the accounts do (default: ${DEFAULT_SEED})` },
  devnet: {
    seed: `of keys and of what the accounts do (default: ${DEFAULT_SEED})`,
    fault: `tell its readers something wrong, name[@height],…: ${DEVNET_FAULT_NAMES.join(', ')}`,
  },
  engine: { listen: `where to answer, loopback only (default: 127.0.0.1:${DEFAULT_ENGINE_PORT})` },
  app: {
    rpc: 'RPC of one node of the chain',
    data: `what the app keeps (default: ${DEFAULT_APP_FOLDER})`,
    listen: `where to answer (default: 127.0.0.1:${DEFAULT_APP_PORT})`,
  },
  demo: {
    capture: 'another recording than the one that comes with Strata',
    data: `what it keeps (default: ${DEFAULT_DEMO_FOLDER})`,
    history: `days before now in which the chain begins (default: ${DEFAULT_DEMO_DAYS})`,
    listen: `where the app answers, the API with it (default: 127.0.0.1:${DEFAULT_PORT})`,
  },
};

export const SUMMARIES: Readonly<Record<CommandName, string>> = {
  index: 'index a chain: backfill, then follow the head',
  serve: 'answer the HTTP API from a store that is indexed elsewhere',
  start: 'index and serve in one process',
  capture: 'record heights of a live node into a folder',
  replay: 'serve a capture as if it were a node',
  digest: 'print a SHA-256 per height range and one over the store',
  doctor: 'look at nodes, store, disk and limits, and say what to do',
  backup: 'copy a store as it is at a checkpoint, also while it is indexed or served',
  restore: 'put a backup into an empty store',
  reindex: 'derive the modules again from what the store holds, while it is served',
  repair: 'take a bad block again: back to the commit before it, and on from there',
  rewind: 'take the newest blocks out of a store, to index them again',
  verify: "compare what is derived with the chain's own numbers, and print what agrees and what does not",
  engine: "run the embedded ClickHouse behind ClickHouse's HTTP interface, for several processes",
  devnet: 'run a chain of its own with every module, an EVM and a workload',
  corpus: "write blocks of the reference chain's workload as a capture, and print their SHA-256",
  demo: 'run the reference chain with 14 days of history, index it, and open the pages over it',
  app: 'serve the web pages, the launchpad, the trade desk and the faucet beside an indexer',
  state: "print what an asset's holders or an account had as of a height, and the income",
  sql: 'ask a store in SQL, read-only: a table, CSV, JSON or Parquet',
};

const EXAMPLES: Readonly<Record<CommandName, readonly string[]>> = {
  index: [
    'strata index --rpc http://127.0.0.1:26657',
    'strata index --rpc https://a.example,https://b.example --from 1 --to 100000',
    'strata index --capture ./capture --data ./data',
  ],
  serve: ['strata serve --clickhouse http://api:secret@127.0.0.1:8123/strata --listen 0.0.0.0:8080'],
  start: [
    'strata start --rpc http://127.0.0.1:26657',
    'STRATA_RPC=http://127.0.0.1:26657 strata start --config strata.yaml',
  ],
  capture: ['strata capture --rpc http://127.0.0.1:26657 --capture ./capture --from 1 --to 500'],
  replay: [
    'strata replay --capture ./capture --pace 1000',
    'strata replay --capture ./capture --fault drop:0.1,throttle --seed 7',
  ],
  digest: ['strata digest --data ./data'],
  doctor: ['strata doctor --rpc http://127.0.0.1:26657 --data ./data', 'strata doctor --json'],
  backup: [
    'strata backup --data ./data --to ./backups/monday',
    'strata backup --clickhouse http://writer:secret@127.0.0.1:8123/strata --to disk:backups/monday',
  ],
  restore: ['strata restore --from ./backups/monday --data ./restored'],
  reindex: ['strata reindex --data ./data', 'strata reindex --data ./data --module attestation'],
  repair: ['strata repair --height 120344 --rpc http://127.0.0.1:26657 --data ./data'],
  rewind: ['strata rewind --to 120344 --data ./data'],
  verify: [
    'strata verify --rpc http://127.0.0.1:26657 --data ./data',
    'strata verify --rpc http://127.0.0.1:26657 --data ./data --height 120344 --deep',
  ],
  engine: ['STRATA_PASSWORD=… strata engine --data ./data --listen 127.0.0.1:8123'],
  devnet: [
    'strata devnet',
    'strata devnet --home ./chain --seed 7 --clock simulated --block-time 0',
    'strata devnet --workload none --fault halt@100',
  ],
  corpus: [
    'strata corpus --blocks 1000 --txs-per-block 10 --seed 1 --out ./corpus',
    'strata corpus --blocks 300 --clock 1s*30,6h*10,1d*3 --out ./days',
  ],
  demo: ['strata demo', 'strata demo --recorded', 'strata demo --recorded --pace 100'],
  app: [
    'strata app --config ./data/devnet/indexer.yaml --testnet --evm-rpc http://127.0.0.1:8545',
    'strata app --rpc http://127.0.0.1:26657 --indexer http://127.0.0.1:8080 --faucet-key ./faucet.json',
  ],
  state: [
    'strata state --height 5000 --asset 4729…a38a',
    'strata state --height 5000 --account aeva1… --json',
  ],
  sql: [
    'strata sql "SELECT method, count() FROM txs GROUP BY method"',
    'strata sql "SELECT * FROM events" --format parquet --output events.parquet',
    'strata sql --clickhouse http://reader:secret@127.0.0.1:8123/strata --format csv < query.sql',
  ],
};

export function flagHelp(
  command: CommandName,
  key: SettingKey,
): { flags: string; group: string; text: string } {
  const { argument, group, text } = FLAGS[key];
  return {
    flags: `${flagName(key)} ${argument}`.trimEnd(),
    group,
    text: `${OVERRIDES[command]?.[key] ?? text} [${variableName(key)}]`,
  };
}

interface OwnFlag {
  readonly flags: string;
  readonly text: string;
}

/** Flags that are no settings: what one call is about, so that no variable or file speaks for it. */
export const OWN_FLAGS: Partial<Record<CommandName, readonly OwnFlag[]>> = {
  digest: [
    {
      flags: '--deep',
      text: 'read every row as it stands instead of the digests stored with them; compare with another --deep',
    },
  ],
  doctor: [{ flags: '--json', text: 'print the findings as JSON' }],
  backup: [
    {
      flags: '--to <folder>',
      text: 'the folder to make; with --clickhouse a path on the server, or disk:<name>/<path>',
    },
  ],
  restore: [
    {
      flags: '--from <folder>',
      text: 'the backup; with --clickhouse a path on the server, or disk:<name>/<path>',
    },
  ],
  demo: [
    { flags: '--recorded', text: 'the recording of a real chain, replayed, instead of the reference chain' },
  ],
  reindex: [
    { flags: '--module <name>', text: 'this one alone, where no other depends on it (default: all)' },
  ],
  rewind: [
    {
      flags: '--to <height>',
      text: 'the newest height that may stay; the store goes back to the commit at or below it',
    },
  ],
  repair: [
    {
      flags: '--height <height>',
      text: 'of the bad block. State is derived in the order of heights: all above it is indexed again',
    },
  ],
  verify: [
    { flags: '--height <height>', text: 'as of this height (default: the newest that store and nodes have)' },
    { flags: '--asset <id>', text: 'this asset alone' },
    { flags: '--deep', text: "also every record of every module, against the chain's exports" },
    { flags: '--json', text: 'print everything as JSON' },
  ],
  corpus: [
    { flags: '--blocks <n>', text: 'how many blocks (default: 1000)' },
    { flags: '--txs-per-block <n>', text: 'txs of a block, at most (default: 10)' },
    {
      flags: '--clock <script>',
      text: 'steps between blocks, such as 1s*30,6h*10,1d*3, again from the first after the last (default: 5s)',
    },
    { flags: '--out <folder>', text: 'the folder to make' },
  ],
  state: [
    { flags: '--height <height>', text: 'as of which height (default: the newest)' },
    { flags: '--asset <id>', text: 'positions of its holders, and its accruals' },
    {
      flags: '--account <addr>',
      text: 'its positions, in this asset where one is given, and what it may claim',
    },
    { flags: '--json', text: 'print it as JSON' },
  ],
  sql: [
    { flags: '--format <format>', text: `${SQL_FORMATS.join(', ')} (default: table)` },
    { flags: '--output <file>', text: 'where the result goes; what is there is replaced (default: stdout)' },
  ],
};

/** What stands behind a command's name without a flag; options get it by its name. */
export const OWN_ARGUMENTS: Partial<Record<CommandName, { readonly name: string; readonly text: string }>> = {
  sql: { name: 'statement', text: 'one statement that reads; - or none: it is read from stdin' },
};

export const CONFIG_FLAG = {
  flags: '--config <file>',
  text: 'YAML file with the same settings and the chain: section [STRATA_CONFIG]',
} as const;

export function examplesText(command: CommandName): string {
  return `\nExamples:\n${EXAMPLES[command].map((line) => `  ${line}`).join('\n')}\n`;
}

export const PROGRAM_FOOTER = `
Settings:
  A flag wins over its variable, a variable over the file that --config names, the file over the default.
  strata <command> --help names every flag and, in brackets, its variable; in the file a flag such as
  --commit-blocks is the key commitBlocks. Results go to stdout, everything else to stderr.
  Exit codes: 0 done, 1 failed, 2 wrong settings, 3 verify found nothing to compare.

Examples:
  strata demo
  strata start --rpc http://127.0.0.1:26657
  strata start --config strata.yaml
`;
