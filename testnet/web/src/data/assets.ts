import { useQueries } from '@tanstack/preact-query';
import type { KindClass } from '../../../../clients/ts/src/client.ts';
import { told, v1 } from './client.ts';
import { AskError } from './errors.ts';
import { createGather } from './gather.ts';
import { type Asked, useAsk } from './queries.ts';

/** What of an asset never changes once it is created. */
export interface AssetFacts {
  /** Empty: it has none. */
  readonly metaHash: string;
  /** By kind id. */
  readonly kinds: readonly {
    readonly class: KindClass;
    readonly decimals: number;
    /** One of the kinds that together are a whole share. */
    readonly bundle: boolean;
  }[];
}

/**
 * Asked once a visit for each asset; all that a page names are one request. An undefined or empty id is not asked for; the
 * error of an unknown one is a 404.
 */
export function useAssetFacts(id: string | undefined): Asked<AssetFacts> {
  return useAsk(['asset-facts', id], () => factsOf(id ?? ''), {
    enabled: id !== undefined && id !== '',
    staysAsItIs: true,
    missingStays: true,
  });
}

const UNKNOWN: AssetFacts = { metaHash: '', kinds: [] };

/** Of several, by id; those that have not been answered are missing, those that are unknown have no kinds. */
export function useFactsOfAssets(ids: readonly string[]): ReadonlyMap<string, AssetFacts> {
  return useQueries({
    queries: ids.map((id) => ({
      queryKey: ['asset-facts', id],
      queryFn: () => factsOf(id),
      staleTime: Number.POSITIVE_INFINITY,
    })),
    combine: (answers) =>
      new Map(
        answers.flatMap(({ data, isError }, at) =>
          data === undefined && !isError ? [] : [[ids[at] ?? '', data ?? UNKNOWN] as const],
        ),
      ),
  });
}

/** What the indexer answers at once (src/api/params.ts). */
const MOST_IDS = 50;

const gatheredFacts = createGather<AssetFacts>(MOST_IDS, async (ids) => {
  const { assets } = await told(v1.GET('/v1/x/assets', { params: { query: { ids: [...ids] } } }));
  return new Map(
    assets.map(({ asset_id, meta_hash, kinds }) => [asset_id, { metaHash: meta_hash, kinds }] as const),
  );
});

/** An id that is not answered is of no asset: failed txs name such, and no request ends in 404 for it. */
async function factsOf(id: string): Promise<AssetFacts> {
  const facts = ASSET_ID.test(id) ? await gatheredFacts(id) : undefined;
  if (facts === undefined) throw new AskError(404, 'not_found', 'there is no asset of this id');
  return facts;
}

/** One text that is no id would have the whole question refused. */
const ASSET_ID = /^[0-9a-f]{64}$/;
