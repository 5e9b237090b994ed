import { credentialUrl, file, httpUrl, onOff, toList, wholeNumber } from 'strata-kit/cli/kinds';
import { type Given, kind, setting, vary } from 'strata-kit/cli/setting';
import { COIN, DEFAULT_RISK, type DeskRisk } from 'strata-kit/desk-risk';
import { isObject } from 'strata-kit/json';
import { data } from 'strata-kit/settings/chain';
import { DEFAULT_PORT, listen } from 'strata-kit/settings/listening';
import { z } from 'zod';
import type { Instrument } from '../instrument.ts';

/** Of the pages, the desk and the faucet. */

const SOURCE = 'Source';
const DESK = 'Desk and faucet';

/** Without a slash at its end. */
const baseUrl = credentialUrl
  .refine((given) => {
    const { search, hash } = new URL(given);
    return search === '' && hash === '';
  })
  .transform((given) => given.replace(/\/+$/, ''));

export const indexer = setting(
  'indexer',
  kind("the http or https URL of the indexer's API", '<url>', baseUrl),
  {
    group: SOURCE,
    text: "the indexer's API, which the pages are shown /v1 of",
    secrecy: 'url',
    default: `http://127.0.0.1:${DEFAULT_PORT}`,
  },
);

/** Everybody gets it: what a URL may keep secret has no place in it. */
const publicUrl = httpUrl.refine((given) => {
  const { username, password } = new URL(given);
  return username === '' && password === '';
});

export const evmRpc = setting(
  'evmRpc',
  kind(
    "the http or https URL of Ethereum's JSON-RPC, without user and password, since browsers are told it",
    '<url>',
    publicUrl,
  ),
  {
    group: SOURCE,
    text: "Ethereum's JSON-RPC as browsers reach it, for their wallets (default: none)",
    secrecy: 'url',
  },
);

const postgresUrl = z
  .string()
  .refine((given) => URL.canParse(given) && /^postgres(ql)?:$/.test(new URL(given).protocol));

export const database = setting('database', kind('the postgres:// URL of a database', '<url>', postgresUrl), {
  group: 'Store',
  text: 'Postgres instead: postgres://user:password@host:5432/name (default: SQLite in --data)',
  secrecy: 'url',
});

export const deskKey = setting('deskKey', file, {
  group: DESK,
  text: 'key of the account that the desk trades with, a file of strata keys (default: no desk)',
});

export const faucetKey = setting('faucetKey', file, {
  group: DESK,
  text: 'key of the account that the faucet gives from (default: no faucet)',
});

/** `SYM=<id>,…` of a command line, or a map of the YAML file; a symbol and an asset are there once. */
const instrumentList = z
  .preprocess(
    (raw) => {
      const texts = toList(raw);
      if (Array.isArray(texts)) return texts;
      return isObject(raw) ? Object.entries(raw).map((pair) => pair.join('=')) : raw;
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

export const instruments = setting(
  'instruments',
  kind<readonly Instrument[]>(
    'SYMBOL=<asset id> separated by commas, each symbol (2 to 12 of A-Z and 0-9) and each id (64 lower-case hex digits) once',
    '<SYMBOL=id,…>',
    instrumentList,
  ),
  { group: DESK, text: 'assets that the desk trades, by the symbol it calls each', preset: [] },
);

export const testnet = setting('testnet', onOff, {
  group: DESK,
  text: "the node is a reference chain: use its public faucet's key and a public desk's, and make test assets",
  preset: false,
});

export const deskPaused = setting('deskPaused', onOff, {
  group: DESK,
  text: 'start with the desk paused: no quotes, no trades; SIGUSR2 pauses it and ends the pause',
  preset: false,
});

export const deskDeviation = setting('deskDeviation', wholeNumber(1, 50, 'percent', '<percent>'), {
  group: DESK,
  text: "how far a pool's price may be from its mean of 30 minutes",
  default: `${DEFAULT_RISK.deviationPercent}`,
});

export const deskMinReserve = setting(
  'deskMinReserve',
  wholeNumber(0, 1_000_000_000_000, 'coins', '<coins>'),
  {
    group: DESK,
    text: 'stable coins that a pool must hold',
    default: `${DEFAULT_RISK.minReserve / COIN}`,
  },
);

export const deskPoolShare = setting('deskPoolShare', wholeNumber(1, 100, 'percent', '<percent>'), {
  group: DESK,
  text: "the largest trade, as a share of the pool's stable coins",
  default: `${DEFAULT_RISK.poolPercent}`,
});

export const deskHourlyValue = setting(
  'deskHourlyValue',
  wholeNumber(200, 1_000_000_000_000, 'coins', '<coins>'),
  {
    group: DESK,
    text: "stable coins that an asset's trades are worth in an hour at most",
    default: `${DEFAULT_RISK.hourlyValue / COIN}`,
  },
);

export const deskExposure = setting('deskExposure', wholeNumber(1, 100, 'percent', '<percent>'), {
  group: DESK,
  text: 'what the desk gives away in a day of its coins, for an asset, and of its units',
  default: `${DEFAULT_RISK.exposurePercent}`,
});

export const deskPerBlock = setting('deskPerBlock', wholeNumber(1, 100, 'trades'), {
  group: DESK,
  text: 'trades of an asset that a block may hold',
  default: `${DEFAULT_RISK.perBlock}`,
});

export const trustProxy = setting('trustProxy', wholeNumber(0, 10, 'proxies'), {
  group: 'Listening',
  text: 'proxies before the app whose X-Forwarded-For is believed',
  default: '0',
});

export const appData = vary(data, { text: 'what the app keeps', default: './data/app' });
/** Beside the indexer's API, which has 8080. */
export const appListen = vary(listen, { default: '127.0.0.1:8090' });

export const RISK = [
  deskDeviation,
  deskMinReserve,
  deskPoolShare,
  deskHourlyValue,
  deskExposure,
  deskPerBlock,
] as const;

export function riskOf(given: Given<typeof RISK>): DeskRisk {
  return {
    deviationPercent: given.deskDeviation,
    minReserve: BigInt(given.deskMinReserve) * COIN,
    poolPercent: given.deskPoolShare,
    hourlyValue: BigInt(given.deskHourlyValue) * COIN,
    exposurePercent: given.deskExposure,
    perBlock: given.deskPerBlock,
  };
}
