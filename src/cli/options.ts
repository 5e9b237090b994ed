import { resolve } from 'node:path';
import { StrataError } from 'strata-kit/errors';
import type { HeightRanges } from 'strata-kit/height-ranges';
import type { NodeAccess } from 'strata-kit/node-access';
import type { ChainParameters } from 'strata-kit/parameters';
import { type FaultChances, parseFaults } from 'strata-kit/rpc/faults/names';
import type { ListenAddress, SettingKey, VerifyMode } from 'strata-kit/settings';
import type {
  ApiProcess,
  AppSettings,
  CommandName,
  Config,
  DevnetSettings,
  HttpSettings,
  StoreChoice,
  Tuning,
} from '../config.ts';
import type { StepWatch } from '../core/steps.ts';
import type { Verification } from './verification.ts';

/** What each command is given: the part of the configuration that it uses, with what it must have made certain. */

export type SourceChoice =
  | { readonly kind: 'rpc'; readonly urls: readonly string[]; readonly access: NodeAccess }
  | { readonly kind: 'capture'; readonly folder: string };

interface HeightRange {
  /** Both included. Undefined: the chain's first height, and no end. */
  readonly fromHeight: number | undefined;
  readonly toHeight: number | undefined;
}

export interface IndexOptions extends HeightRange, AdminOptions {
  readonly source: SourceChoice;
  readonly store: StoreChoice;
  readonly isDurable: boolean;
  readonly forceModules: boolean;
  readonly workers: number;
  readonly tuning: Tuning;
  readonly chainId: string | undefined;
  readonly chain: ChainParameters;
  /** A test's. */
  readonly steps?: StepWatch | undefined;
  readonly nodeWaitMs: number;
  /** Absolute; undefined: the bytes of blocks are not kept. */
  readonly keepRaw?: string | undefined;
  readonly verify: VerifyMode;
  readonly verifyEveryMs: number;
  readonly acceptBadBlocks: HeightRanges;
  readonly verifyDeepEveryMs: number;
  /** Of modules that lie outside of Strata. */
  readonly modulePaths: readonly string[];
}

/** Where /healthz, /readyz and /metrics are answered, if anywhere. */
export interface AdminOptions {
  readonly admin: ListenAddress | undefined;
  readonly readyLagBlocks: number;
}

export interface ServeOptions extends AdminOptions {
  readonly store: StoreChoice;
  readonly listen: ListenAddress;
  readonly http: HttpSettings;
  readonly processes: number;
  readonly apiProcess: ApiProcess | undefined;
  /** As those of who indexes. */
  readonly modulePaths: readonly string[];
}

export interface StartOptions extends IndexOptions {
  readonly listen: ListenAddress;
  readonly http: HttpSettings;
}

export interface CaptureOptions extends HeightRange {
  readonly rpcUrls: readonly string[];
  readonly nodeAccess: NodeAccess;
  /** The folder to write. */
  readonly captureFolder: string;
  readonly chainId: string | undefined;
}

export interface ReplayOptions extends AdminOptions {
  readonly captureFolder: string;
  readonly listen: ListenAddress;
  /** 0 shows every height at once. */
  readonly paceMs: number;
  readonly faults: FaultChances;
  readonly seed: number;
}

export interface DigestOptions {
  readonly store: StoreChoice;
  /** Over the rows as they stand. */
  readonly deep: boolean;
}

export interface DoctorOptions {
  readonly rpcUrls: readonly string[];
  readonly nodeAccess: NodeAccess;
  readonly chainId: string | undefined;
  readonly chain: ChainParameters;
  readonly store: StoreChoice;
  readonly json: boolean;
}

export interface BackupOptions {
  readonly store: StoreChoice;
  /** As typed: a folder of this machine, or what a server calls a place of its own. */
  readonly to: string;
}

export interface RestoreOptions {
  readonly store: StoreChoice;
  readonly from: string;
  readonly modulePaths: readonly string[];
}

export interface RewindOptions {
  readonly store: StoreChoice;
  /** The newest that may stay. */
  readonly toHeight: number;
}

export interface RepairOptions extends IndexOptions {
  /** Of the bad block. */
  readonly height: number;
}

export interface ReindexOptions {
  readonly store: StoreChoice;
  /** Undefined: all. */
  readonly module: string | undefined;
  readonly namespace: string;
  readonly modulePaths: readonly string[];
  readonly forceModules: boolean;
  /** A test's. */
  readonly steps?: StepWatch | undefined;
}

export interface DevnetOptions extends DevnetSettings {
  /** Names in a Host header besides loopback names and the listen addresses. */
  readonly allowedHosts: readonly string[];
  readonly seed: number;
  /** As given. */
  readonly faults: readonly string[];
}

export interface VerifyOptions extends Verification {
  readonly store: StoreChoice;
  readonly json: boolean;
}

export interface CorpusOptions {
  /** Absolute. */
  readonly folder: string;
  readonly blocks: number;
  readonly txsPerBlock: number;
  readonly seed: number;
  /** As given; undefined: 5 s a block. */
  readonly clock: string | undefined;
}

export interface DemoOptions {
  /** Undefined: the recording that comes with Strata. */
  readonly captureFolder: string | undefined;
  /** The recording instead of the reference chain. */
  readonly isRecorded: boolean;
  readonly historyDays: number;
  /** Of everything that it keeps. */
  readonly folder: string;
  readonly listen: ListenAddress;
  /** Of the app. */
  readonly allowedHosts: readonly string[];
  readonly http: HttpSettings;
  readonly paceMs: number;
  readonly workers: number;
  readonly tuning: Tuning;
  readonly chain: ChainParameters;
}

export interface StateOptions {
  readonly store: StoreChoice;
  /** Undefined: the newest. */
  readonly height: number | undefined;
  readonly assetId: string | undefined;
  /** As typed. */
  readonly account: string | undefined;
  readonly json: boolean;
}

export const SQL_FORMATS = ['table', 'csv', 'json', 'parquet'] as const;
export type SqlFormat = (typeof SQL_FORMATS)[number];

export interface SqlOptions {
  readonly store: StoreChoice;
  /** Undefined: from stdin. */
  readonly statement: string | undefined;
  readonly format: SqlFormat;
  /** Absolute; undefined for stdout. */
  readonly output: string | undefined;
}

export interface EngineOptions {
  readonly folder: string;
  readonly listen: ListenAddress;
  readonly passwords: Config['passwords'];
}

export interface AppOptions extends AppSettings, AdminOptions {
  readonly rpcUrl: string;
  readonly nodeAccess: NodeAccess;
  readonly listen: ListenAddress;
  /** Names in a Host header besides loopback names and the address above. */
  readonly allowedHosts: readonly string[];
  readonly folder: string;
  readonly chain: ChainParameters;
  readonly nodeWaitMs: number;
}

export interface CommandOptions {
  index: IndexOptions;
  serve: ServeOptions;
  start: StartOptions;
  capture: CaptureOptions;
  replay: ReplayOptions;
  digest: DigestOptions;
  doctor: DoctorOptions;
  backup: BackupOptions;
  restore: RestoreOptions;
  rewind: RewindOptions;
  repair: RepairOptions;
  reindex: ReindexOptions;
  verify: VerifyOptions;
  corpus: CorpusOptions;
  demo: DemoOptions;
  engine: EngineOptions;
  devnet: DevnetOptions;
  app: AppOptions;
  sql: SqlOptions;
  state: StateOptions;
}

const NODES: readonly SettingKey[] = ['rpc', 'rpcCa', 'rps'];
const SOURCE: readonly SettingKey[] = [
  ...NODES,
  'capture',
  'chainId',
  'nodeWait',
  'verify',
  'verifyEvery',
  'acceptBadBlocks',
  'verifyDeepEvery',
];
const HEIGHTS: readonly SettingKey[] = ['from', 'to'];
const CLUSTER: readonly SettingKey[] = ['cluster', 'replicated', 'replicaPath'];
const STORE: readonly SettingKey[] = ['data', 'clickhouse'];
const API: readonly SettingKey[] = ['listen', 'http', 'maxConnections', 'unreadMb'];
const ADMIN: readonly SettingKey[] = ['admin', 'readyLag'];
const TUNING: readonly SettingKey[] = [
  'workers',
  'commitBlocks',
  'commitMb',
  'commitSeconds',
  'rangeBlocks',
  'memoryMb',
];
const LOGGING: readonly SettingKey[] = ['logFormat', 'logLevel'];

/** The flags of each command, in the order of its help. */
export const COMMAND_SETTINGS: Readonly<Record<CommandName, readonly SettingKey[]>> = {
  index: [
    ...SOURCE,
    'keepRaw',
    ...HEIGHTS,
    ...STORE,
    ...CLUSTER,
    'durable',
    'modules',
    'forceModules',
    ...ADMIN,
    ...TUNING,
    ...LOGGING,
  ],
  serve: [...STORE, 'modules', ...API, 'processes', ...ADMIN, ...LOGGING],
  start: [
    ...SOURCE,
    'keepRaw',
    ...HEIGHTS,
    ...STORE,
    ...CLUSTER,
    'durable',
    'modules',
    'forceModules',
    ...API,
    ...ADMIN,
    ...TUNING,
    ...LOGGING,
  ],
  capture: [...NODES, 'capture', 'chainId', ...HEIGHTS, ...LOGGING],
  replay: ['capture', 'listen', 'pace', 'fault', 'seed', 'admin', ...LOGGING],
  digest: [...STORE, ...LOGGING],
  doctor: [...NODES, 'chainId', ...STORE, ...LOGGING],
  backup: [...STORE, ...LOGGING],
  restore: [...STORE, 'modules', ...LOGGING],
  rewind: [...STORE, ...LOGGING],
  repair: [
    ...SOURCE.filter((key) => key !== 'verifyEvery'),
    ...STORE,
    ...CLUSTER,
    'durable',
    'modules',
    'forceModules',
    ...TUNING,
    ...LOGGING,
  ],
  reindex: [...STORE, ...CLUSTER, 'modules', 'forceModules', ...LOGGING],
  verify: [...NODES, 'chainId', ...STORE, ...LOGGING],
  corpus: ['seed', ...LOGGING],
  engine: ['data', 'listen', 'password', 'readerPassword', ...LOGGING],
  devnet: [
    'home',
    'seed',
    'clock',
    'clockScript',
    'blockTime',
    'history',
    'rpcListen',
    'evmListen',
    'allowedHosts',
    'keep',
    'workload',
    'fault',
    ...LOGGING,
  ],
  app: [
    'rpc',
    'rpcCa',
    'nodeWait',
    'indexer',
    'evmRpc',
    'data',
    'database',
    'deskKey',
    'faucetKey',
    'instruments',
    'testnet',
    'deskPaused',
    'deskDeviation',
    'deskMinReserve',
    'deskPoolShare',
    'deskHourlyValue',
    'deskExposure',
    'deskPerBlock',
    'listen',
    'trustProxy',
    'allowedHosts',
    'admin',
    ...LOGGING,
  ],
  demo: ['capture', 'pace', 'history', 'data', ...API, 'allowedHosts', ...TUNING, ...LOGGING],
  sql: [...STORE, ...LOGGING],
  state: [...STORE, ...LOGGING],
};

/** The flags that belong to one command alone (OWN_FLAGS in help.ts), as typed. */
export type OwnFlags = Readonly<Record<string, unknown>>;

/** Errors: config_invalid where a command lacks what it cannot do without. */
export const OPTIONS_OF: {
  readonly [K in CommandName]: (config: Config, own: OwnFlags) => CommandOptions[K];
} = {
  index: indexOptions,
  serve: serveOptions,
  start: (config) => ({ ...indexOptions(config), listen: config.listen, http: config.http }),
  capture: (config) => ({
    rpcUrls:
      config.rpcUrls.length > 0 ? config.rpcUrls : missing('capture needs the nodes to record', ['rpc']),
    nodeAccess: config.nodeAccess,
    captureFolder: config.captureFolder ?? missing('capture needs the folder to write', ['capture']),
    fromHeight: config.fromHeight,
    toHeight: config.toHeight,
    chainId: config.chainId,
  }),
  replay: (config) => ({
    captureFolder: config.captureFolder ?? missing('replay needs a capture', ['capture']),
    listen: config.listen,
    paceMs: config.paceMs,
    ...adminOptions(config),
    faults: parseFaults(config.faults),
    seed: config.seed,
  }),
  digest: (config, { deep }) => ({ store: config.store, deep: deep === true }),
  doctor: (config, { json }) => ({
    rpcUrls: config.rpcUrls,
    nodeAccess: config.nodeAccess,
    chainId: config.chainId,
    chain: config.chain,
    store: config.store,
    json: json === true,
  }),
  backup: (config, { to }) => ({ store: config.store, to: place('backup', '--to <folder>', to) }),
  restore: ({ store, modulePaths }, { from }) => ({
    store,
    from: place('restore', '--from <folder>', from),
    modulePaths,
  }),
  reindex: ({ store, chain, modulePaths, forceModules, steps }, { module }) => ({
    store,
    module: typeof module === 'string' ? module : undefined,
    namespace: chain.namespace,
    modulePaths,
    forceModules,
    steps,
  }),
  rewind: (config, { to }) => ({ store: config.store, toHeight: ownHeight('rewind', '--to <height>', to) }),
  repair: (config, { height }) => ({
    ...indexOptions(config),
    height: ownHeight('repair', '--height <height>', height),
  }),
  verify: (config, { height, asset, deep, json }) => ({
    rpcUrls: config.rpcUrls.length > 0 ? config.rpcUrls : missing('verify needs the nodes to ask', ['rpc']),
    nodeAccess: config.nodeAccess,
    chainId: config.chainId,
    namespace: config.chain.namespace,
    store: config.store,
    height: height === undefined ? undefined : ownHeight('verify', '--height <height>', height),
    assetId: ownAssetId(asset),
    deep: deep === true,
    json: json === true,
  }),
  corpus: ({ seed }, { blocks, txsPerBlock, clock, out }) => ({
    folder: resolve(place('corpus', '--out <folder>', out)),
    blocks: ownCount('--blocks', blocks, 1_000, 10_000_000),
    txsPerBlock: ownCount('--txs-per-block', txsPerBlock, 10, 1_000),
    seed,
    clock: clock === undefined ? undefined : String(clock),
  }),
  engine: (config) => ({
    folder: embeddedFolder(config),
    listen: config.listen,
    passwords: config.passwords,
  }),
  devnet: ({ devnet, seed, faults, allowedHosts }) => ({ ...devnet, seed, faults, allowedHosts }),
  demo: (config, { recorded }) => ({
    captureFolder: config.captureFolder,
    isRecorded: recorded === true || config.captureFolder !== undefined,
    historyDays: config.devnet.historyDays,
    folder: embeddedFolder(config),
    listen: config.listen,
    allowedHosts: config.allowedHosts,
    http: config.http,
    paceMs: config.paceMs,
    workers: config.workers,
    tuning: config.tuning,
    chain: config.chain,
  }),
  app: appOptions,
  sql: sqlOptions,
  state: stateOptions,
};

/** Errors: config_invalid. */
function appOptions(config: Config): AppOptions {
  const [rpcUrl = missing('app needs a node of the chain', ['rpc']), ...others] = config.rpcUrls;
  if (others.length > 0) {
    throw new StrataError('config_invalid', 'app asks one node: give one URL to --rpc');
  }
  const { app, listen, allowedHosts, chain, nodeWaitMs } = config;
  return {
    ...app,
    ...adminOptions(config),
    rpcUrl,
    nodeAccess: config.nodeAccess,
    listen,
    allowedHosts,
    folder: embeddedFolder(config),
    chain,
    nodeWaitMs,
  };
}

/** Errors: config_invalid. */
function stateOptions({ store }: Config, { height, asset, account, json }: OwnFlags): StateOptions {
  if (asset === undefined && account === undefined) {
    throw new StrataError(
      'config_invalid',
      'state needs somebody to tell of: give --asset <id> or --account <addr>',
    );
  }
  if (asset !== undefined && !/^[0-9a-f]{64}$/.test(String(asset))) {
    throw new StrataError('config_invalid', `--asset must be 64 lower-case hex digits, not ${String(asset)}`);
  }
  return {
    store,
    height: height === undefined ? undefined : ownHeight('state', '--height <height>', height),
    assetId: asset === undefined ? undefined : String(asset),
    account: account === undefined ? undefined : String(account),
    json: json === true,
  };
}

/** Errors: config_invalid. */
function sqlOptions({ store }: Config, { statement, format = 'table', output }: OwnFlags): SqlOptions {
  const known = SQL_FORMATS.find((name) => name === format);
  if (known === undefined) {
    throw new StrataError(
      'config_invalid',
      `--format must be one of ${SQL_FORMATS.join(', ')}, not ${format}`,
    );
  }
  if (known === 'parquet' && output === undefined) {
    throw new StrataError('config_invalid', 'parquet is bytes: give --output <file>');
  }
  return {
    store,
    statement: typeof statement === 'string' && statement !== '-' ? statement : undefined,
    format: known,
    output: typeof output === 'string' ? resolve(output) : undefined,
  };
}

function embeddedFolder({ store }: Config): string {
  if (store.kind === 'embedded') return store.folder;
  throw new StrataError('config_invalid', 'the engine runs over a data folder: give --data <folder>');
}

/** An embedded engine is one process's: several API processes need a store that answers over HTTP. */
function serveOptions(config: Config): ServeOptions {
  const { store, listen, http, processes, apiProcess } = config;
  if (processes > 1 && store.kind === 'embedded') {
    throw new StrataError(
      'config_invalid',
      `--processes ${processes} needs a store that processes can share: an embedded one has room for one process. ` +
        'Give --clickhouse <url> of a server, or of strata engine, which serves a data folder',
    );
  }
  if (processes > 1 && http.kind === 'node') {
    throw new StrataError(
      'config_invalid',
      `--processes ${processes} needs --http uws: node:http cannot share a port. Without uWebSockets.js run ` +
        'several serve processes on ports of their own, behind a proxy',
    );
  }
  return {
    store,
    listen,
    http,
    processes,
    apiProcess,
    modulePaths: config.modulePaths,
    ...adminOptions(config),
  };
}

function indexOptions(config: Config): IndexOptions {
  const source = sourceOf(config);
  if (config.keepRaw !== undefined && source.kind === 'capture') {
    throw new StrataError(
      'config_invalid',
      '--keep-raw keeps what nodes answer: with --capture the bytes are in a folder already',
    );
  }
  return {
    source,
    keepRaw: config.keepRaw,
    store: config.store,
    isDurable: config.isDurable,
    forceModules: config.forceModules,
    fromHeight: config.fromHeight,
    toHeight: config.toHeight,
    ...adminOptions(config),
    workers: config.workers,
    tuning: config.tuning,
    chainId: config.chainId,
    chain: config.chain,
    nodeWaitMs: config.nodeWaitMs,
    verify: config.verify,
    verifyEveryMs: config.verifyEveryMs,
    acceptBadBlocks: config.acceptBadBlocks,
    verifyDeepEveryMs: config.verifyDeepEveryMs,
    modulePaths: config.modulePaths,
    steps: config.steps,
  };
}

function adminOptions({ admin, readyLagBlocks }: Config): AdminOptions {
  return { admin, readyLagBlocks };
}

function place(command: CommandName, usage: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new StrataError('config_invalid', `${command} needs a place: give ${usage}`);
}

/** A whole number from 1. Errors: config_invalid. */
function ownCount(flag: string, value: unknown, preset: number, most: number): number {
  if (value === undefined) return preset;
  const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : 0;
  if (count >= 1 && count <= most) return count;
  throw new StrataError(
    'config_invalid',
    `${flag} must be a whole number of 1 to ${most}, not ${String(value)}`,
  );
}

/** Errors: config_invalid. */
function ownHeight(command: CommandName, usage: string, value: unknown): number {
  const height = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (Number.isSafeInteger(height)) return height;
  throw new StrataError('config_invalid', `${command} needs a height: give ${usage}`);
}

/** Errors: config_invalid. */
function ownAssetId(value: unknown): string | undefined {
  if (value === undefined || (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value))) return value;
  throw new StrataError('config_invalid', '--asset must be an asset id: 64 lower-case hex digits');
}

function sourceOf(config: Config): SourceChoice {
  if (config.rpcUrls.length > 0) return { kind: 'rpc', urls: config.rpcUrls, access: config.nodeAccess };
  if (config.captureFolder !== undefined) return { kind: 'capture', folder: config.captureFolder };
  return missing('a source is missing', ['rpc', 'capture']);
}

function missing(what: string, keys: readonly ('rpc' | 'capture')[]): never {
  const usage = { rpc: '--rpc <url,…>', capture: '--capture <folder>' };
  const variables = { rpc: 'STRATA_RPC', capture: 'STRATA_CAPTURE' };
  const flags = keys.map((key) => usage[key]).join(' or ');
  const others = keys.map((key) => `${variables[key]}, ${key}: in the configuration file`).join(', ');
  throw new StrataError('config_invalid', `${what}: give ${flags} (or ${others})`);
}
