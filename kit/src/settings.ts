import { z } from 'zod';
import { isHostName } from './allowed-hosts.ts';
import { parseHeightRanges } from './height-ranges.ts';
import { isObject } from './json.ts';
import type { HeaderFields } from './node-access.ts';

/** What can be configured: each setting's name, meaning of its text and allowed values. No values live here. */

/** What the API listens with: uWebSockets.js or node:http. */
export const HTTP_KINDS = ['uws', 'node'] as const;
export type HttpKind = (typeof HTTP_KINDS)[number];
export const LOG_FORMATS = ['pretty', 'json'] as const;
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** Whether blocks are held against the hashes that bind them: where the chain's fit, always, never. */
export const VERIFY_MODES = ['auto', 'always', 'never'] as const;
export type VerifyMode = (typeof VERIFY_MODES)[number];

/** Where the times of a devnet's blocks come from. */
export const CLOCKS = ['wall', 'simulated'] as const;
export type ClockKind = (typeof CLOCKS)[number];

/** What a devnet does by itself: use every module, or nothing. */
export const WORKLOADS = ['all', 'none'] as const;
export type WorkloadKind = (typeof WORKLOADS)[number];

export type LogFormat = (typeof LOG_FORMATS)[number];
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface ListenAddress {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
}

/** A ClickHouse server, its URL taken apart so that `url` and `database` may be shown. */
export interface ServerAddress {
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  readonly database: string;
}

export const DEFAULT_DATABASE = 'strata';

/** What of a setting's value is secret: nothing, the parts of a URL that redactUrl hides, or all of it. */
export type Secrecy = 'none' | 'url' | 'all';

interface Setting<T> {
  /** Completes "must be …". */
  readonly allowed: string;
  readonly schema: z.ZodType<T, unknown>;
  readonly secrecy: Secrecy;
}

function setting<T>(allowed: string, schema: z.ZodType<T, unknown>, secrecy: Secrecy = 'none'): Setting<T> {
  return { allowed, schema, secrecy };
}

export function wholeNumber(min: number, max: number, unit = ''): Setting<number> {
  const schema = z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max));
  return setting(`a whole number of ${min} to ${max}${unit}`, schema);
}

const height = setting(
  'a height: a whole number from 1',
  z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .pipe(z.number().min(1).max(Number.MAX_SAFE_INTEGER)),
);
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** In milliseconds. */
const interval = setting(
  'a time such as 30s, 10m or 2h, or 0 for never',
  z.string().transform((text, context) => {
    const match = /^(\d{1,6})([smh])$/.exec(text);
    const unit = match?.[2] as keyof typeof UNIT_MS | undefined;
    if (text === '0') return 0;
    if (unit !== undefined) return Number(match?.[1]) * UNIT_MS[unit];
    context.addIssue({ code: 'custom', message: 'interval' });
    return z.NEVER;
  }),
);
const folder = setting('a folder', z.string().min(1));

function toList(raw: unknown): unknown {
  const texts = typeof raw === 'string' ? [raw] : raw;
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) return raw;
  return [...new Set(texts.flatMap((text) => text.split(',')).map((text) => text.trim()))];
}

const httpUrl = z.string().refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol));

/** Broken percent escapes in user or password could not be sent as credentials. */
const nodeUrl = httpUrl.refine((text) => {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return percentDecode(username) !== undefined && percentDecode(password) !== undefined;
});

/** A node of the chain, and the header fields that it wants. */
export interface NodeAddress {
  readonly url: string;
  readonly headers: HeaderFields;
}

/** What HTTP itself needs is not for a person to set. */
const HTTP_FIELDS =
  /^(host|connection|content-\w+|transfer-encoding|accept-encoding|upgrade|te|trailer|expect)$/;
const headerName = z
  .string()
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/)
  .transform((name) => name.toLowerCase())
  .refine((name) => !HTTP_FIELDS.test(name));
const headerValue = z.string().regex(/^[\x21-\x7e]([\x20-\x7e]{0,4000}[\x21-\x7e])?$/);

/** URLs of a command line; in the YAML file also maps of a URL and its header fields. */
const nodeAddresses = z
  .preprocess(
    toNodes,
    z
      .array(
        z.strictObject({
          url: nodeUrl,
          headers: z.record(headerName, headerValue).default({}),
        }),
      )
      .min(1),
  )
  .refine((nodes) => new Set(nodes.map(({ url }) => url)).size === nodes.length);

/** In the order that was given; a URL that is repeated without header fields counts once. */
function toNodes(raw: unknown): unknown {
  const items: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
  const urls = items.flatMap((item) => (typeof item === 'string' ? item.split(',') : [item]));
  const trimmed = urls.map((item) => (typeof item === 'string' ? item.trim() : item));
  return [...new Set(trimmed)].map((item) => (typeof item === 'string' ? { url: item } : item));
}

function parseServer(text: string, context: z.RefinementCtx): ServerAddress {
  const parsed = httpUrl.safeParse(text);
  const url = parsed.success ? new URL(text) : undefined;
  const database = /^\/(\w*)$/.exec(url?.pathname ?? '')?.[1];
  const user = percentDecode(url?.username);
  const password = percentDecode(url?.password);
  const plain = url?.search === '' && url.hash === '';
  if (!plain || database === undefined || user === undefined || password === undefined) {
    context.addIssue({ code: 'custom', message: 'URL of a server' });
    return z.NEVER;
  }
  return {
    url: url.origin,
    ...(user === '' ? {} : { user }),
    ...(password === '' ? {} : { password }),
    database: database === '' ? DEFAULT_DATABASE : database,
  };
}

function percentDecode(text: string | undefined): string | undefined {
  try {
    return decodeURIComponent(text ?? '');
  } catch {
    // Broken escapes: the caller refuses the URL.
    return undefined;
  }
}

/** The host of [::1]:80 is ::1. */
const listenAddress = z.string().transform((text, context): ListenAddress => {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/]+)):(\d{1,5})$/.exec(text);
  const port = Number(match?.[3]);
  if (match !== null && port <= 65_535) return { host: match[1] ?? match[2] ?? '', port };
  context.addIssue({ code: 'custom', message: 'host:port' });
  return z.NEVER;
});

/** Without a slash at its end. */
const baseUrl = nodeUrl
  .refine((text) => {
    const { search, hash } = new URL(text);
    return search === '' && hash === '';
  })
  .transform((text) => text.replace(/\/+$/, ''));

/** Everybody is told of it: what a URL may keep secret has no place in it. */
const publicUrl = httpUrl.refine((text) => {
  const { username, password: secret } = new URL(text);
  return username === '' && secret === '';
});

const postgresUrl = z
  .string()
  .refine((text) => URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol));

/** What the desk trades under a symbol. */
export interface Instrument {
  /** 2 to 12 of A-Z and 0-9. */
  readonly symbol: string;
  /** 64 lower-case hex digits. */
  readonly assetId: string;
}

/** `SYM=<id>,…` of a command line, or a map of the YAML file; a symbol and an asset stand once. */
const instruments = z
  .preprocess(
    (raw) => {
      const texts = toList(raw);
      return Array.isArray(texts)
        ? texts
        : isObject(raw)
          ? Object.entries(raw).map((pair) => pair.join('='))
          : raw;
    },
    z
      .array(z.string().regex(/^[A-Z0-9]{2,12}=[0-9a-f]{64}$/))
      .min(1)
      .max(100),
  )
  .transform((pairs) =>
    pairs.map((pair): Instrument => ({ symbol: pair.slice(0, -65), assetId: pair.slice(-64) })),
  )
  .refine((list) => {
    const names = list.flatMap(({ symbol, assetId }) => [symbol, assetId]);
    return new Set(names).size === names.length;
  });

const password = z.string().regex(/^[\x21-\x7e]{8,200}$/);

const heightRanges = z.preprocess(toList, z.array(z.string()).min(1)).transform((texts, context) => {
  const ranges = parseHeightRanges(texts);
  if (ranges !== undefined) return ranges;
  context.addIssue({ code: 'custom', message: 'heights' });
  return z.NEVER;
});

/** A port alone listens on 127.0.0.1. */
const adminAddress = z
  .string()
  .transform((text) => (/^\d{1,5}$/.test(text) ? `127.0.0.1:${text}` : text))
  .pipe(listenAddress);

/** Every setting. The key is the YAML file's; flag and variable are made from it (commitBlocks: --commit-blocks, STRATA_COMMIT_BLOCKS). */
export const SETTINGS = {
  rpc: setting(
    'http or https URLs of nodes, separated by commas, each once; in the file also {url, headers}',
    nodeAddresses,
    'url',
  ),
  capture: folder,
  keepRaw: folder,
  from: height,
  to: height,
  data: folder,
  clickhouse: setting(
    'the http or https URL of a ClickHouse server, with user:password@ and /database where needed',
    z.string().transform(parseServer),
    'url',
  ),
  cluster: setting("a cluster's name", z.string().regex(/^[A-Za-z_]\w{0,63}$/)),
  replicated: setting(
    'true or false',
    z.enum(['true', 'false']).transform((text) => text === 'true'),
  ),
  replicaPath: setting(
    'a path in the keeper with {uuid} and {shard} in it, such as /clickhouse/tables/{uuid}/{shard}',
    z.string().regex(/^(?=.*\{uuid\})(?=.*\{shard\})\/[\w/{}.-]+$/),
  ),
  durable: setting(
    'true or false',
    z.enum(['true', 'false']).transform((text) => text === 'true'),
  ),
  modules: setting(
    'paths of files that export a module, separated by commas',
    z.preprocess(toList, z.array(z.string().min(1)).min(1)),
  ),
  forceModules: setting(
    'true or false',
    z.enum(['true', 'false']).transform((text) => text === 'true'),
  ),
  password: setting('a password of 8 to 200 printable characters', password, 'all'),
  readerPassword: setting('a password of 8 to 200 printable characters', password, 'all'),
  listen: setting('host:port, such as 127.0.0.1:8080 or [::1]:8080', listenAddress),
  allowedHosts: setting(
    'names or addresses of hosts without a port, such as strata.example.com, separated by commas',
    z.preprocess(toList, z.array(z.string().refine(isHostName)).min(1)),
  ),
  admin: setting('a port of 127.0.0.1, or host:port', adminAddress),
  readyLag: wholeNumber(0, 1_000_000_000, ' blocks'),
  processes: wholeNumber(1, 64),
  http: setting(HTTP_KINDS.join(' or '), z.enum(HTTP_KINDS)),
  maxConnections: wholeNumber(1, 1_000_000),
  unreadMb: wholeNumber(1, 1_000_000, ' MB'),
  workers: wholeNumber(1, 256),
  commitBlocks: wholeNumber(1, 100_000),
  commitMb: wholeNumber(1, 4_096, ' MB'),
  commitSeconds: setting(
    'a number of seconds from 0.1 to 600',
    z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number)
      .pipe(z.number().min(0.1).max(600)),
  ),
  rangeBlocks: wholeNumber(1, 1_000),
  memoryMb: wholeNumber(8, 1_000_000, ' MB'),
  fault: setting(
    'names of faults, each alone, with a probability from 0 to 1, such as drop:0.1, or (devnet) with a height, such as halt@100, separated by commas',
    z.preprocess(
      toList,
      z
        .array(z.string().regex(/^[a-z][a-z\d-]*(:(0|1|0?\.\d+|1\.0+)|(:\w+\.\w+\.\w+)?(@\d+(-\d+)?)?)?$/))
        .min(1),
    ),
  ),
  seed: wholeNumber(0, 4_294_967_295),
  home: folder,
  clock: setting(CLOCKS.join(' or '), z.enum(CLOCKS)),
  clockScript: setting('a file', z.string().min(1)),
  blockTime: wholeNumber(0, 3_600_000, ' milliseconds'),
  history: wholeNumber(0, 365, ' days'),
  keep: wholeNumber(1, 1_000_000_000, ' heights'),
  rpcListen: setting('host:port, such as 127.0.0.1:26657', listenAddress),
  evmListen: setting('host:port, such as 127.0.0.1:8545', listenAddress),
  workload: setting(WORKLOADS.join(' or '), z.enum(WORKLOADS)),
  rpcCa: setting('a file', z.string().min(1)),
  rps: setting(
    'a number of requests a second from 0.1 to 10000',
    z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number)
      .pipe(z.number().min(0.1).max(10_000)),
  ),
  nodeWait: wholeNumber(0, 3_600, ' seconds'),
  verify: setting(VERIFY_MODES.join(', '), z.enum(VERIFY_MODES)),
  verifyEvery: interval,
  acceptBadBlocks: setting('all, or heights and ranges such as 120344,5000-5010', heightRanges),
  verifyDeepEvery: interval,
  pace: wholeNumber(0, 3_600_000, ' milliseconds'),
  indexer: setting("the http or https URL of the indexer's API", baseUrl, 'url'),
  evmRpc: setting(
    "the http or https URL of Ethereum's JSON-RPC, without user and password, since browsers are told it",
    publicUrl,
    'url',
  ),
  database: setting('the postgres:// URL of a database', postgresUrl, 'url'),
  deskKey: setting('a file of strata keys', z.string().min(1)),
  faucetKey: setting('a file of strata keys', z.string().min(1)),
  instruments: setting(
    'SYMBOL=<asset id> separated by commas, each symbol (2 to 12 of A-Z and 0-9) and each id (64 lower-case hex digits) once',
    instruments,
  ),
  testnet: setting(
    'true or false',
    z.enum(['true', 'false']).transform((text) => text === 'true'),
  ),
  deskPaused: setting(
    'true or false',
    z.enum(['true', 'false']).transform((text) => text === 'true'),
  ),
  deskDeviation: wholeNumber(1, 50, ' percent'),
  deskMinReserve: wholeNumber(0, 1_000_000_000_000, ' coins'),
  deskPoolShare: wholeNumber(1, 100, ' percent'),
  deskHourlyValue: wholeNumber(200, 1_000_000_000_000, ' coins'),
  deskExposure: wholeNumber(1, 100, ' percent'),
  deskPerBlock: wholeNumber(1, 100, ' trades'),
  trustProxy: wholeNumber(0, 10, ' proxies'),
  chainId: setting('a chain id of 1 to 50 printable characters', z.string().regex(/^[\x21-\x7e]{1,50}$/)),
  logFormat: setting(LOG_FORMATS.join(' or '), z.enum(LOG_FORMATS)),
  logLevel: setting(`one of ${LOG_LEVELS.join(', ')}`, z.enum(LOG_LEVELS)),
} as const;

export type SettingKey = keyof typeof SETTINGS;
export const SETTING_KEYS = Object.keys(SETTINGS) as SettingKey[];

export type SettingValues = {
  readonly [K in SettingKey]: z.output<(typeof SETTINGS)[K]['schema']> | undefined;
};

/** commitBlocks → --commit-blocks */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** commitBlocks → STRATA_COMMIT_BLOCKS */
export function variableName(key: string): string {
  return `STRATA_${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}
