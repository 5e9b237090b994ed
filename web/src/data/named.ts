import { type Presence, presenceIn } from '../text/sentences/presence.ts';
import type { SentenceTx } from '../text/sentences/txs.ts';

/** Ids of what an answer names, which pages show by its name, symbol and decimals instead. */
export interface Named {
  /** With whether each is there, as far as the answer tells. */
  readonly assets: ReadonlyMap<string, Presence>;
  readonly routes: readonly string[];
  /** Of documents. */
  readonly metaHashes: readonly string[];
}

const HASH = /^[0-9a-f]{64}$/;
const ROUTE = /^[\w./-]{1,128}$/;
/** Of each, in the order of the answer: more than a page shows at once. */
const MOST = 60;

/** Of JSON as the indexer answers it. Routes are those that messages and events tell of; lists of routes tell all themselves. */
export function namedIn(answer: unknown): Named {
  const assets = new Map<string, Presence>();
  const routes = new Set<string>();
  const metaHashes = new Set<string>();
  const add = (to: Set<string>, value: unknown, form: RegExp): void => {
    if (typeof value === 'string' && form.test(value) && to.size < MOST) to.add(value);
  };
  const addAsset = (id: unknown, presence: PresenceOf): void => {
    if (typeof id !== 'string' || !HASH.test(id) || assets.get(id) === 'there') return;
    if (assets.has(id) || assets.size < MOST) assets.set(id, presence(id));
  };
  const look = (value: unknown, isTold: boolean, presence: PresenceOf): void => {
    if (Array.isArray(value)) for (const one of value) look(one, isTold, presence);
    else if (typeof value === 'object' && value !== null) {
      const isMessage = isTold || '@type' in value;
      const within = isTx(value) ? presenceIn(value) : presence;
      for (const [key, of] of Object.entries(value)) {
        if (key === 'asset_id') addAsset(of, within);
        else if (key === 'asset_ids' && Array.isArray(of)) for (const id of of) addAsset(id, within);
        else if (key === 'meta_hash') add(metaHashes, of, HASH);
        else if (key === 'route_id' && isMessage) add(routes, of, ROUTE);
        else look(of, isMessage || key === 'decoded', within);
      }
    }
  };
  look(answer, false, () => 'there');
  return { assets, routes: [...routes], metaHashes: [...metaHashes] };
}

type PresenceOf = (assetId: string) => Presence;

function isTx(value: object): value is SentenceTx {
  return ['code', 'msgs', 'evm', 'events'].every((key) => key in value);
}
