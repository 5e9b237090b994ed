import type { CommandName, Config, StoreChoice, Tuning } from '../config.ts';
import { StrataError } from '../core/errors.ts';
import type { ChainParameters } from '../core/parameters.ts';
import type { ListenAddress, SettingKey } from '../core/settings.ts';
import type { StepWatch } from '../core/steps.ts';

/** What each command is given: the part of the configuration that it uses, with what it must have made certain. */

export type SourceChoice =
  | { readonly kind: 'rpc'; readonly urls: readonly string[] }
  | { readonly kind: 'capture'; readonly folder: string };

interface HeightRange {
  /** Both included. Undefined: the chain's first height, and no end. */
  readonly fromHeight: number | undefined;
  readonly toHeight: number | undefined;
}

export interface IndexOptions extends HeightRange {
  readonly source: SourceChoice;
  readonly store: StoreChoice;
  readonly workers: number;
  readonly tuning: Tuning;
  readonly chainId: string | undefined;
  readonly chain: ChainParameters;
  /** A test's. */
  readonly steps?: StepWatch | undefined;
}

export interface ServeOptions {
  readonly store: StoreChoice;
  readonly listen: ListenAddress;
}

export interface StartOptions extends IndexOptions, ServeOptions {}

export interface CaptureOptions extends HeightRange {
  readonly rpcUrls: readonly string[];
  /** The folder to write. */
  readonly captureFolder: string;
  readonly chainId: string | undefined;
}

export interface ReplayOptions {
  readonly captureFolder: string;
  readonly listen: ListenAddress;
  /** 0 shows every height at once. */
  readonly paceMs: number;
}

export interface DigestOptions {
  readonly store: StoreChoice;
}

export interface DemoOptions {
  /** Undefined: the recording that comes with Strata. */
  readonly captureFolder: string | undefined;
  readonly store: StoreChoice;
  readonly listen: ListenAddress;
  readonly paceMs: number;
  readonly workers: number;
  readonly tuning: Tuning;
  readonly chain: ChainParameters;
}

export interface CommandOptions {
  index: IndexOptions;
  serve: ServeOptions;
  start: StartOptions;
  capture: CaptureOptions;
  replay: ReplayOptions;
  digest: DigestOptions;
  demo: DemoOptions;
}

const SOURCE: readonly SettingKey[] = ['rpc', 'capture', 'chainId'];
const HEIGHTS: readonly SettingKey[] = ['from', 'to'];
const STORE: readonly SettingKey[] = ['data', 'clickhouse'];
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
  index: [...SOURCE, ...HEIGHTS, ...STORE, ...TUNING, ...LOGGING],
  serve: [...STORE, 'listen', ...LOGGING],
  start: [...SOURCE, ...HEIGHTS, ...STORE, 'listen', ...TUNING, ...LOGGING],
  capture: ['rpc', 'capture', 'chainId', ...HEIGHTS, ...LOGGING],
  replay: ['capture', 'listen', 'pace', ...LOGGING],
  digest: [...STORE, ...LOGGING],
  demo: ['capture', 'pace', 'data', 'listen', ...TUNING, ...LOGGING],
};

/** Errors: config_invalid where a command lacks what it cannot do without. */
export const OPTIONS_OF: { readonly [K in CommandName]: (config: Config) => CommandOptions[K] } = {
  index: indexOptions,
  serve: (config) => ({ store: config.store, listen: config.listen }),
  start: (config) => ({ ...indexOptions(config), listen: config.listen }),
  capture: (config) => ({
    rpcUrls:
      config.rpcUrls.length > 0 ? config.rpcUrls : missing('capture needs the nodes to record', ['rpc']),
    captureFolder: config.captureFolder ?? missing('capture needs the folder to write', ['capture']),
    fromHeight: config.fromHeight,
    toHeight: config.toHeight,
    chainId: config.chainId,
  }),
  replay: (config) => ({
    captureFolder: config.captureFolder ?? missing('replay needs a capture', ['capture']),
    listen: config.listen,
    paceMs: config.paceMs,
  }),
  digest: (config) => ({ store: config.store }),
  demo: (config) => ({
    captureFolder: config.captureFolder,
    store: config.store,
    listen: config.listen,
    paceMs: config.paceMs,
    workers: config.workers,
    tuning: config.tuning,
    chain: config.chain,
  }),
};

function indexOptions(config: Config): IndexOptions {
  return {
    source: sourceOf(config),
    store: config.store,
    fromHeight: config.fromHeight,
    toHeight: config.toHeight,
    workers: config.workers,
    tuning: config.tuning,
    chainId: config.chainId,
    chain: config.chain,
    steps: config.steps,
  };
}

function sourceOf(config: Config): SourceChoice {
  if (config.rpcUrls.length > 0) return { kind: 'rpc', urls: config.rpcUrls };
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
