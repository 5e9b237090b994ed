import { decodeBech32 } from 'strata-kit/address';

/** Counts the bech32 prefixes of account addresses, to learn the one of a chain that does not report it. */
export interface PrefixTally {
  /** Text that may be an address; anything else is left out. */
  add(text: string): void;
  readonly count: number;
  /** The prefix of most addresses; undefined while none has enough of them. */
  winner(): { readonly prefix: string; readonly count: number } | undefined;
  /** `cosmos 41, osmo 3`, the most frequent first. */
  describe(): string;
}

/** Fewer addresses may all belong to another chain, as in the first IBC transfer. */
const MIN_ADDRESSES = 3;
const MIN_SHARE = 2 / 3;
const DESCRIBED = 5;
/** As chain.hrp allows it. */
const PREFIX = /^[a-z][a-z0-9]{0,82}$/;
/** Validators' operators and consensus keys: addresses of the same chain under longer prefixes. */
const VALIDATOR = /valoper$|valcons$/;

export function createPrefixTally(): PrefixTally {
  const counts = new Map<string, number>();
  let total = 0;
  const ranked = () => [...counts].sort(([, a], [, b]) => b - a);
  return {
    add(text) {
      const prefix = accountPrefix(text);
      if (prefix === undefined) return;
      counts.set(prefix, (counts.get(prefix) ?? 0) + 1);
      total++;
    },
    get count() {
      return total;
    },
    winner() {
      const [best] = ranked();
      if (best === undefined) return undefined;
      const [prefix, count] = best;
      return count >= MIN_ADDRESSES && count >= total * MIN_SHARE ? { prefix, count } : undefined;
    },
    describe: () =>
      ranked()
        .slice(0, DESCRIBED)
        .map(([prefix, count]) => `${prefix} ${count}`)
        .join(', '),
  };
}

/** Undefined for what is no address of 20 or 32 bytes. */
export function accountPrefix(text: string): string | undefined {
  const decoded = decodeBech32(text);
  if (decoded === undefined || (decoded.bytes.length !== 20 && decoded.bytes.length !== 32)) return undefined;
  const prefix = decoded.hrp.replace(VALIDATOR, '');
  return PREFIX.test(prefix) ? prefix : undefined;
}
