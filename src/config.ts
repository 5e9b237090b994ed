import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { COIN, DEFAULT_RISK, type DeskRisk } from 'strata-kit/desk-risk';
import { StrataError } from 'strata-kit/errors';
import type { HeightRanges } from 'strata-kit/height-ranges';
import { isObject } from 'strata-kit/json';
import type { NodeAccess } from 'strata-kit/node-access';
import { type ChainParameters, parseParameters } from 'strata-kit/parameters';
import {
  type ClockKind,
  flagName,
  type HttpKind,
  type Instrument,
  type ListenAddress,
  type LogFormat,
  type LogLevel,
  SETTING_KEYS,
  SETTINGS,
  type ServerAddress,
  type SettingKey,
  type SettingValues,
  type VerifyMode,
  variableName,
  type WorkloadKind,
  wholeNumber,
} from 'strata-kit/settings';
import { parse as parseYaml, YAMLParseError } from 'yaml';
import { quoteValue } from './core/quote.ts';
import { parseKillPoint, type StepWatch } from './core/steps.ts';

/** The configuration: flags, then STRATA_… variables, then the YAML file, then defaults. No I/O. */

export const DEFAULT_COMMIT_BLOCKS = 4_000;
export const DEFAULT_COMMIT_MB = 128;
export const DEFAULT_COMMIT_SECONDS = 2;
export const DEFAULT_RANGE_BLOCKS = 50;
export const DEFAULT_MEMORY_MB = 256;
/** Following, a block or two are on their way; a backfill is far above. */
export const DEFAULT_READY_LAG = 20;
export const DEFAULT_DATA_FOLDER = './data';
export const DEFAULT_DEMO_FOLDER = './data/demo';
export const DEFAULT_APP_FOLDER = './data/app';
export const DEFAULT_REPLICA_PATH = '/clickhouse/tables/{uuid}/{shard}';
export const DEFAULT_PORT = 8080;
/** Beside the indexer's API, which has 8080. */
export const DEFAULT_APP_PORT = 8090;
/** Where `strata start` answers. */
export const DEFAULT_INDEXER_URL = `http://127.0.0.1:${DEFAULT_PORT}`;
export const DEFAULT_MAX_CONNECTIONS = 10_000;
export const DEFAULT_UNREAD_MB = 256;
/** Often enough to hear of a drift while its cause is at hand; a comparison of a large chain takes minutes. */
export const DEFAULT_VERIFY_EVERY_MINUTES = 10;
/** Between two modules, so that all nine are compared within two hours. */
export const DEFAULT_VERIFY_DEEP_EVERY_MINUTES = 10;
/** Where a node's RPC listens, so that a replay stands in for one. */
export const DEFAULT_REPLAY_PORT = 26657;
/** Where a ClickHouse server answers HTTP. */
export const DEFAULT_ENGINE_PORT = 8123;
export const DEFAULT_SEED = 1;
export const DEFAULT_DEVNET_FOLDER = './data/devnet';
/** The daily series' 14 days. */
export const DEFAULT_DEMO_DAYS = 14;
export const DEFAULT_BLOCK_TIME_MS = 1_000;
/** Where wallets look for an Ethereum node. */
export const DEFAULT_EVM_PORT = 8545;
/** As long as a node takes to restart, about. */
export const DEFAULT_NODE_WAIT_SECONDS = 30;
/** Below the 10 s after which Docker kills; a busy machine takes seconds for what takes 0.2 s on a quiet one. */
const DEFAULT_STOP_SECONDS = 8;
/** Answers that are being made have 2 s of it, and so do processes that it has started. */
const STOP_SECONDS = wholeNumber(5, 3_600, ' seconds');
/** The process's own, and no command's: it is for whoever ends it. */
const STOP_VARIABLE = 'STRATA_STOP_SECONDS';
const BYTES_PER_MB = 1_000_000;

export const COMMANDS = [
  'index',
  'serve',
  'start',
  'capture',
  'replay',
  'digest',
  'engine',
  'doctor',
  'backup',
  'restore',
  'rewind',
  'repair',
  'reindex',
  'verify',
  'corpus',
  'devnet',
  'demo',
  'app',
  'sql',
  'state',
] as const;
export type CommandName = (typeof COMMANDS)[number];

/** Of docs/cluster.md. */
export interface ClusterChoice {
  readonly cluster: string;
  readonly isReplicated: boolean;
  readonly replicaPath: string;
}

export type StoreChoice =
  | { readonly kind: 'embedded'; readonly folder: string }
  | ({ readonly kind: 'server'; readonly cluster?: ClusterChoice | undefined } & ServerAddress);

export interface Tuning {
  /** A commit ends at whichever comes first. */
  readonly commitBlocks: number;
  readonly commitBytes: number;
  readonly commitMs: number;
  readonly rangeBlocks: number;
  /** Bytes fetched, decoding, decoded and spooled, not yet committed. */
  readonly memoryBytes: number;
}

/** The API's listener and its bounds, of each process. */
export interface HttpSettings {
  readonly kind: HttpKind;
  readonly maxConnections: number;
  /** Bytes of answers that clients have not yet read. */
  readonly maxHeldBytes: number;
}

/** One of several processes on a port. */
export interface ApiProcess {
  /** From 0. */
  readonly index: number;
  /** The port, where --listen says 0. */
  readonly port: number;
}

/** Of strata devnet alone. */
export interface DevnetSettings {
  /** Absolute. */
  readonly home: string;
  readonly clock: ClockKind;
  /** Absolute. */
  readonly clockScript: string | undefined;
  /** 0: as fast as it can. */
  readonly blockTimeMs: number;
  /** Before now, in which a new chain begins; 0: now. */
  readonly historyDays: number;
  /** Heights; undefined for all. */
  readonly keep: number | undefined;
  readonly rpcListen: ListenAddress;
  readonly evmListen: ListenAddress;
  readonly workload: WorkloadKind;
}

/** Of strata app alone. */
export interface AppSettings {
  /** Without a slash at its end. */
  readonly indexerUrl: string;
  /** For wallets. */
  readonly evmRpcUrl: string | undefined;
  /** Undefined: SQLite, in the data folder. */
  readonly databaseUrl: string | undefined;
  /** Files of strata keys, absolute. */
  readonly deskKeyPath: string | undefined;
  readonly faucetKeyPath: string | undefined;
  readonly instruments: readonly Instrument[];
  /** The desk is paused until SIGUSR2 ends the pause. */
  readonly isDeskPaused: boolean;
  readonly deskRisk: DeskRisk;
  /** The node is a reference chain: its faucet's key is public, and the desk's test assets may be made. */
  readonly isTestnet: boolean;
  /** How many proxies stand before the app and say whom they speak for; 0: none is believed. */
  readonly trustedProxies: number;
}

export interface Config {
  readonly rpcUrls: readonly string[];
  readonly nodeAccess: NodeAccess;
  /** Absolute, as every folder here. */
  readonly captureFolder: string | undefined;
  /** Where the bytes of indexed blocks are kept; undefined: nowhere. */
  readonly keepRaw: string | undefined;
  /** Files of modules that lie outside of Strata. */
  readonly modulePaths: readonly string[];
  readonly fromHeight: number | undefined;
  readonly toHeight: number | undefined;
  readonly store: StoreChoice;
  /** Inserts wait for the disk. */
  readonly isDurable: boolean;
  /** Modules derive in a store that does not begin with the chain's first block. */
  readonly forceModules: boolean;
  readonly listen: ListenAddress;
  /** Names in a Host header that a server accepts besides loopback names and its listen address. */
  readonly allowedHosts: readonly string[];
  /** Of the engine's users. */
  readonly passwords: { readonly owner: string | undefined; readonly reader: string | undefined };
  readonly http: HttpSettings;
  /** Processes that share the API's port. */
  readonly processes: number;
  /** Given by `serve --processes` to the processes that it starts; undefined in every other use. */
  readonly apiProcess: ApiProcess | undefined;
  /** Undefined: there is no admin listener. */
  readonly admin: ListenAddress | undefined;
  /** Blocks behind the chain up to which the process counts as ready. */
  readonly readyLagBlocks: number;
  readonly workers: number;
  readonly tuning: Tuning;
  readonly paceMs: number;
  /** What a replay does wrong, as given. */
  readonly faults: readonly string[];
  readonly seed: number;
  /** How long nodes that do not answer are waited for at the start. */
  readonly devnet: DevnetSettings;
  readonly app: AppSettings;
  readonly nodeWaitMs: number;
  readonly verify: VerifyMode;
  /** Between two comparisons with the chain's own numbers while it is followed; 0: never. */
  readonly verifyEveryMs: number;
  /** Where a block is kept although no node gives results of it that can be used. */
  readonly acceptBadBlocks: HeightRanges;
  /** Between the comparisons of two modules' whole states; 0: never. */
  readonly verifyDeepEveryMs: number;
  /** The chain id that the source must have. */
  readonly chainId: string | undefined;
  readonly chain: ChainParameters;
  readonly logFormat: LogFormat;
  readonly logLevel: LogLevel;
  /** Of a test that kills the process; undefined in every other use. */
  readonly steps: StepWatch | undefined;
  /** What was given and has no effect, one sentence each. */
  readonly warnings: readonly string[];
}

export type Environment = Readonly<Record<string, string | undefined>>;
type RawValue = string | readonly string[];
export type RawFlags = Readonly<Record<string, RawValue | undefined>>;

export interface ConfigInput {
  readonly command: CommandName;
  /** By setting key, as typed. */
  readonly flags: RawFlags;
  readonly env: Environment;
  readonly file?: { readonly path: string; readonly text: string } | undefined;
  /** Folders are relative to it. */
  readonly cwd?: string;
  readonly cores?: number;
}

/** A value with the place it came from, for messages. */
interface Given {
  readonly raw: RawValue;
  readonly origin: string;
  /** 0 flag, 1 variable, 2 file. */
  readonly layer: 0 | 1 | 2;
}

type GivenValues = Map<SettingKey, Given>;

/** The path of the YAML file, if one is named. No file is read that was not named. */
export function configPath(flags: RawFlags, env: Environment): string | undefined {
  const flag = flags.config;
  if (typeof flag === 'string') return flag;
  return env.STRATA_CONFIG === '' ? undefined : env.STRATA_CONFIG;
}

/** The process's variables. The only read of them; everything else takes them as a parameter. */
export function processEnvironment(): Environment {
  return process.env;
}

/**
 * The variables for a process whose settings are all flags: those of Strata are for whoever started this one, but for the
 * time to stop, which both have.
 */
export function foreignEnvironment(): Record<string, string | undefined> {
  const isForeign = (name: string) => !name.startsWith('STRATA_') || name === STOP_VARIABLE;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isForeign(name)));
}

/** From the signal to the forced end. A wrong variable counts as not given: parseConfig is who refuses it. */
export function stopDeadlineMs(env: Environment): number {
  return (readStopSeconds(env) ?? DEFAULT_STOP_SECONDS) * 1_000;
}

/** The variables for a process of `serve --processes`: this process's own, and which one it is. */
export function apiProcessEnvironment({ index, port }: ApiProcess): Record<string, string | undefined> {
  return { ...process.env, [API_PROCESS_VARIABLE]: `${index}:${port}` };
}

/**
 * One Config out of flags, variables and the YAML file, in this order of precedence. An empty variable or YAML
 * value counts as not given. Of --data and --clickhouse (for index and start also of --rpc and --capture) the one
 * of higher precedence is taken; both from one place are an error. Errors: config_invalid, one line that names where
 * the value stands and what is allowed.
 */
export function parseConfig(input: ConfigInput): Config {
  const { command, cwd = process.cwd(), cores = availableParallelism() } = input;
  const file = readFile(input.file);
  checkStopSeconds(input.env);
  const given = dropOutranked(command, collectGiven(input, file.values));
  // Every value is read, those that the command does not use included: a wrong one is said now, not at the next command.
  const values = parseValues(given);
  if (values.from !== undefined && values.to !== undefined && values.from > values.to) {
    throw invalid(`${describe(given, 'from')} is above ${describe(given, 'to')}`);
  }
  const data = values.data ?? defaultFolder(command);
  return {
    rpcUrls: (values.rpc ?? []).map(({ url }) => url),
    nodeAccess: {
      headers: Object.fromEntries((values.rpc ?? []).map(({ url, headers }) => [url, headers])),
      caPath: values.rpcCa === undefined ? undefined : resolve(cwd, values.rpcCa),
      requestsPerSecond: values.rps,
    },
    captureFolder: values.capture === undefined ? undefined : resolve(cwd, values.capture),
    keepRaw: values.keepRaw === undefined ? undefined : resolve(cwd, values.keepRaw),
    modulePaths: (values.modules ?? []).map((path) => resolve(cwd, path)),
    fromHeight: values.from,
    toHeight: values.to,
    store:
      values.clickhouse === undefined || isOverFolder(command)
        ? { kind: 'embedded', folder: resolve(cwd, data) }
        : { kind: 'server', ...values.clickhouse, cluster: clusterOf(values) },
    isDurable: values.durable ?? false,
    forceModules: values.forceModules ?? false,
    listen: values.listen ?? {
      host: '127.0.0.1',
      port: defaultPort(command),
    },
    allowedHosts: values.allowedHosts ?? [],
    passwords: { owner: values.password, reader: values.readerPassword },
    http: {
      kind: values.http ?? 'uws',
      maxConnections: values.maxConnections ?? DEFAULT_MAX_CONNECTIONS,
      maxHeldBytes: (values.unreadMb ?? DEFAULT_UNREAD_MB) * BYTES_PER_MB,
    },
    processes: values.processes ?? 1,
    apiProcess: parseApiProcess(input.env),
    admin: values.admin,
    readyLagBlocks: values.readyLag ?? DEFAULT_READY_LAG,
    workers: values.workers ?? Math.max(1, cores - 1),
    tuning: {
      commitBlocks: values.commitBlocks ?? DEFAULT_COMMIT_BLOCKS,
      commitBytes: (values.commitMb ?? DEFAULT_COMMIT_MB) * BYTES_PER_MB,
      commitMs: Math.round((values.commitSeconds ?? DEFAULT_COMMIT_SECONDS) * 1_000),
      rangeBlocks: values.rangeBlocks ?? DEFAULT_RANGE_BLOCKS,
      memoryBytes: (values.memoryMb ?? DEFAULT_MEMORY_MB) * BYTES_PER_MB,
    },
    paceMs: values.pace ?? 0,
    faults: values.fault ?? [],
    seed: values.seed ?? DEFAULT_SEED,
    devnet: devnetSettings(values, cwd, command === 'demo' ? DEFAULT_DEMO_DAYS : 0),
    app: appSettings(values, cwd),
    nodeWaitMs: (values.nodeWait ?? DEFAULT_NODE_WAIT_SECONDS) * 1_000,
    verify: values.verify ?? 'auto',
    verifyEveryMs: values.verifyEvery ?? DEFAULT_VERIFY_EVERY_MINUTES * 60_000,
    acceptBadBlocks: values.acceptBadBlocks ?? [],
    verifyDeepEveryMs: values.verifyDeepEvery ?? DEFAULT_VERIFY_DEEP_EVERY_MINUTES * 60_000,
    chainId: values.chainId,
    chain: file.chain,
    logFormat: values.logFormat ?? 'pretty',
    logLevel: values.logLevel ?? 'info',
    steps: parseSteps(input.env),
    warnings: variableWarnings(input.env),
  };
}

/** What no log line and no error may repeat: passwords, header fields, and URLs with what redactUrl hides of them. */
export function secretsOf({ store, passwords, rpcUrls, nodeAccess, app }: Config): {
  readonly urls: readonly string[];
  readonly passwords: readonly string[];
} {
  const ofStore = store.kind === 'server' ? store.password : undefined;
  const isGiven = (text: string | undefined) => text !== undefined;
  return {
    urls: [...rpcUrls, app.indexerUrl, app.evmRpcUrl, app.databaseUrl].filter(isGiven),
    passwords: [ofStore, passwords.owner, passwords.reader, ...fieldSecrets(nodeAccess)].filter(isGiven),
  };
}

/** Of `Bearer …` the token by itself, too. */
function fieldSecrets({ headers }: NodeAccess): string[] {
  return Object.values(headers)
    .flatMap((fields) => Object.values(fields))
    .flatMap((value) => [value, value.split(' ').at(-1) ?? value]);
}

function devnetSettings(values: SettingValues, cwd: string, historyDays: number): DevnetSettings {
  return {
    home: resolve(cwd, values.home ?? DEFAULT_DEVNET_FOLDER),
    clock: values.clock ?? 'wall',
    clockScript: values.clockScript === undefined ? undefined : resolve(cwd, values.clockScript),
    blockTimeMs: values.blockTime ?? DEFAULT_BLOCK_TIME_MS,
    historyDays: values.history ?? historyDays,
    keep: values.keep,
    rpcListen: values.rpcListen ?? { host: '127.0.0.1', port: DEFAULT_REPLAY_PORT },
    evmListen: values.evmListen ?? { host: '127.0.0.1', port: DEFAULT_EVM_PORT },
    workload: values.workload ?? 'all',
  };
}

function appSettings(values: SettingValues, cwd: string): AppSettings {
  const path = (file: string | undefined) => (file === undefined ? undefined : resolve(cwd, file));
  return {
    indexerUrl: values.indexer ?? DEFAULT_INDEXER_URL,
    evmRpcUrl: values.evmRpc,
    databaseUrl: values.database,
    deskKeyPath: path(values.deskKey),
    faucetKeyPath: path(values.faucetKey),
    instruments: values.instruments ?? [],
    isDeskPaused: values.deskPaused ?? false,
    deskRisk: deskRisk(values),
    isTestnet: values.testnet ?? false,
    trustedProxies: values.trustProxy ?? 0,
  };
}

function deskRisk(values: SettingValues): DeskRisk {
  const coins = (count: number | undefined) => (count === undefined ? undefined : BigInt(count) * COIN);
  return {
    deviationPercent: values.deskDeviation ?? DEFAULT_RISK.deviationPercent,
    minReserve: coins(values.deskMinReserve) ?? DEFAULT_RISK.minReserve,
    poolPercent: values.deskPoolShare ?? DEFAULT_RISK.poolPercent,
    hourlyValue: coins(values.deskHourlyValue) ?? DEFAULT_RISK.hourlyValue,
    exposurePercent: values.deskExposure ?? DEFAULT_RISK.exposurePercent,
    perBlock: values.deskPerBlock ?? DEFAULT_RISK.perBlock,
  };
}

/** What it keeps lies in a folder, whatever ClickHouse server a variable names. */
function isOverFolder(command: CommandName): boolean {
  return command === 'demo' || command === 'engine' || command === 'app';
}

function defaultFolder(command: CommandName): string {
  if (command === 'app') return DEFAULT_APP_FOLDER;
  return command === 'demo' ? DEFAULT_DEMO_FOLDER : DEFAULT_DATA_FOLDER;
}

function clusterOf({ cluster, replicated, replicaPath }: SettingValues): ClusterChoice | undefined {
  if (cluster === undefined) return undefined;
  return { cluster, isReplicated: replicated ?? true, replicaPath: replicaPath ?? DEFAULT_REPLICA_PATH };
}

function defaultPort(command: CommandName): number {
  if (command === 'replay') return DEFAULT_REPLAY_PORT;
  if (command === 'app') return DEFAULT_APP_PORT;
  return command === 'engine' ? DEFAULT_ENGINE_PORT : DEFAULT_PORT;
}

/** The variable by which `serve --processes` tells a process of its own that it is one: `index:port`. */
const API_PROCESS_VARIABLE = 'STRATA_API_PROCESS';

/** Undefined where it is not given or wrong. */
function readStopSeconds(env: Environment): number | undefined {
  return STOP_SECONDS.schema.safeParse(env[STOP_VARIABLE]).data;
}

function checkStopSeconds(env: Environment): void {
  const text = env[STOP_VARIABLE] ?? '';
  if (text === '' || readStopSeconds(env) !== undefined) return;
  throw invalid(`${STOP_VARIABLE} must be ${STOP_SECONDS.allowed}, ${quoteValue(text, 'none')}`);
}

function parseApiProcess(env: Environment): ApiProcess | undefined {
  const match = /^(\d{1,3}):(\d{1,5})$/.exec(env[API_PROCESS_VARIABLE] ?? '');
  return match === null ? undefined : { index: Number(match[1]), port: Number(match[2]) };
}

function collectGiven(input: ConfigInput, fileValues: GivenValues): GivenValues {
  const given = new Map(fileValues);
  for (const key of SETTING_KEYS) {
    const variable = input.env[variableName(key)];
    if (variable !== undefined && variable !== '') {
      given.set(key, { raw: variable, origin: variableName(key), layer: 1 });
    }
    const flag = input.flags[key];
    if (flag !== undefined) given.set(key, { raw: flag, origin: flagName(key), layer: 0 });
  }
  return given;
}

function dropOutranked(command: CommandName, given: GivenValues): GivenValues {
  const pairs: [SettingKey, SettingKey][] = command === 'app' ? [] : [['data', 'clickhouse']];
  if (command === 'index' || command === 'start' || command === 'repair') pairs.push(['rpc', 'capture']);
  const kept = new Map(given);
  for (const [a, b] of pairs) {
    const first = given.get(a);
    const second = given.get(b);
    if (first === undefined || second === undefined) continue;
    if (first.layer === second.layer) {
      throw invalid(`${first.origin} and ${second.origin} exclude each other: give one`);
    }
    kept.delete(first.layer < second.layer ? b : a);
  }
  return kept;
}

function parseValues(given: GivenValues): SettingValues {
  const values: Partial<Record<SettingKey, unknown>> = {};
  for (const [key, { raw, origin }] of given) {
    const { schema, allowed, secrecy } = SETTINGS[key];
    const parsed = schema.safeParse(raw);
    if (!parsed.success) throw invalid(`${origin} must be ${allowed}, ${quoteValue(raw, secrecy)}`);
    values[key] = parsed.data;
  }
  return values as SettingValues;
}

function describe(given: GivenValues, key: SettingKey): string {
  const { origin, raw } = given.get(key) as Given;
  return `${origin} ${raw}`;
}

/** The YAML file. Its scalars stay strings, so that an unquoted 0x… address is not read as a number. */
function readFile(file: ConfigInput['file']): { values: GivenValues; chain: ChainParameters } {
  const path = file?.path ?? '';
  const { chain: section, ...keys } = parseMap(file?.text ?? '', path);
  const values: GivenValues = new Map();
  for (const [key, raw] of Object.entries(keys)) {
    const known = SETTING_KEYS.find((name) => name === key);
    if (known === undefined) {
      const found = quoteValue(key, 'none').replace(/^not /, '');
      throw invalid(`unknown key ${found} in ${path}; allowed: ${[...SETTING_KEYS, 'chain'].join(', ')}`);
    }
    values.set(known, { raw: raw as RawValue, origin: `${key} in ${path}`, layer: 2 });
  }
  const chain = parseParameters(section ?? {});
  if ('problem' in chain) throw invalid(`${chain.path} in ${path} ${chain.problem}`);
  return { values, chain: chain.parameters };
}

function parseMap(text: string, path: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = withoutEmpty(parseYaml(text, { schema: 'failsafe', logLevel: 'error' }));
  } catch (error) {
    throw invalid(`${path} is not valid YAML: ${yamlReason(error)}`);
  }
  if (value === undefined) return {};
  if (!isObject(value))
    throw invalid(`${path} must hold keys and values, such as 'rpc: http://127.0.0.1:26657'`);
  return value;
}

/** Without what the parser repeats of the file after a colon, which may be a password. */
function yamlReason(error: unknown): string {
  const [reason = ''] = String(error instanceof Error ? error.message : error).split(/:| at line \d/);
  const [at] = error instanceof YAMLParseError ? (error.linePos ?? []) : [];
  return at === undefined ? reason : `${reason} at line ${at.line}, column ${at.col}`;
}

/** A key without a value counts as not given, like an empty variable. */
function withoutEmpty(value: unknown): unknown {
  if (value === '' || value === null) return undefined;
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutEmpty(inner)]);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

/** Not an error: a cluster's service links put variables of their own beside ours (STRATA_PORT, STRATA_SERVICE_HOST). */
function variableWarnings(env: Environment): string[] {
  const known = new Set([
    ...SETTING_KEYS.map(variableName),
    'STRATA_CONFIG',
    API_PROCESS_VARIABLE,
    STOP_VARIABLE,
    ...TEST_VARIABLES,
  ]);
  const unknown = Object.keys(env).filter((name) => name.startsWith('STRATA_') && !known.has(name));
  const warnings = unknown.sort().map((name) => `the variable ${name} is none of Strata's and has no effect`);
  const point = env.STRATA_TEST_KILL ?? '';
  return point === ''
    ? warnings
    : [...warnings, `STRATA_TEST_KILL is set: this process kills itself at ${point}`];
}

/** Variables of tests alone, in no help: the descriptor that takes the trace of steps, and the step to be killed at. */
const TEST_VARIABLES = ['STRATA_TEST_STEPS', 'STRATA_TEST_KILL'] as const;

function parseSteps(env: Environment): StepWatch | undefined {
  const [descriptor, point] = TEST_VARIABLES.map((name) => (env[name] === '' ? undefined : env[name]));
  if (descriptor === undefined && point === undefined) return undefined;
  if (descriptor !== undefined && !/^[1-9]\d{0,3}$/.test(descriptor)) {
    throw invalid(`STRATA_TEST_STEPS must be an open descriptor, ${quoteValue(descriptor, 'none')}`);
  }
  const killAt = point === undefined ? undefined : parseKillPoint(point);
  if (point !== undefined && killAt === undefined) {
    throw invalid(`STRATA_TEST_KILL must be a step of src/core/steps.ts, ${quoteValue(point, 'none')}`);
  }
  return {
    ...(descriptor === undefined ? {} : { traceDescriptor: Number(descriptor) }),
    ...(killAt === undefined ? {} : { killAt }),
  };
}

function invalid(message: string): StrataError {
  return new StrataError('config_invalid', message);
}
