import { useQueries } from '@tanstack/preact-query';
import { useContext } from 'preact/hooks';
import type { KindClass } from '../../../clients/ts/src/client.ts';
import type { Presence } from '../text/sentences/presence.ts';
import { told, v1 } from './client.ts';
import { namesAtHand } from './documents.ts';
import { AskError } from './errors.ts';
import { AssetPresence, isThere } from './lookup.ts';
import { type Asked, isNew, queries, useAsk } from './queries.ts';

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

/** Asked once a visit for each asset, whoever needs it. An undefined id is not asked for; the error of an unknown one is a 404. */
export function useAssetFacts(id: string | undefined): Asked<AssetFacts> {
  const presenceOf = useContext(AssetPresence);
  return useAsk(['asset-facts', id], () => factsIfThere(id ?? '', presenceOf(id ?? '')), {
    enabled: id !== undefined && id !== '',
    staysAsItIs: true,
    missingStays: true,
  });
}

/** Asks for assets that have not been asked for, as far as they are there, and for their names. */
export async function assetsAtHand(assets: ReadonlyMap<string, Presence>): Promise<void> {
  await Promise.all(
    [...assets]
      .filter(([id]) => isNew(['asset-facts', id]))
      .map(([id, presence]) =>
        queries.prefetchQuery({
          queryKey: ['asset-facts', id],
          queryFn: () => factsIfThere(id, presence),
          staleTime: Number.POSITIVE_INFINITY,
          retry: false,
        }),
      ),
  );
  await namesAtHand(
    [...assets.keys()].map((id) => queries.getQueryData<AssetFacts>(['asset-facts', id])?.metaHash ?? ''),
  );
}

const UNKNOWN: AssetFacts = { metaHash: '', kinds: [] };

/** Of several, by id; those that are not there yet are missing, those that cannot be asked for have no kinds. */
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

async function factsIfThere(id: string, presence: Presence): Promise<AssetFacts> {
  if (presence === 'there' || (presence === 'unsure' && (await isThere('asset', id)))) return factsOf(id);
  throw new AskError(404, 'not_found', 'there is no asset of this id');
}

async function factsOf(id: string): Promise<AssetFacts> {
  const { asset } = await told(v1.GET('/v1/assets/{id}', { params: { path: { id } } }));
  return {
    metaHash: asset.meta_hash,
    kinds: asset.kinds.map(({ class: kindClass, decimals, bundle }) => ({
      class: kindClass,
      decimals,
      bundle,
    })),
  };
}
