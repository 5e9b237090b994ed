import { useQueries } from '@tanstack/preact-query';
import { useFactsOfAssets } from './assets.ts';
import { askApp } from './client.ts';
import { createGather } from './gather.ts';
import { type Asked, queries, useAsk } from './queries.ts';

/** What the launchpad keeps of an asset, as `GET /api/launchpad/metadata/{meta_hash}` tells. All of it is somebody's text. */
export interface LaunchDocument {
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  readonly template: 'community' | 'dividend' | 'equity' | 'bond';
  /** Base64 of a PNG. */
  readonly logo?: string;
  /** What the launchpad says of every asset. */
  readonly notice: string;
}

/** What of a document stands in lists. */
export type DocumentName = Pick<LaunchDocument, 'name' | 'symbol' | 'template'>;

/** Null: there is no document of that hash. A document never changes. */
export function useDocumentName(metaHash: string | undefined): Asked<DocumentName | null> {
  return useAsk(['document-name', metaHash], () => askName(metaHash ?? ''), {
    enabled: metaHash !== undefined && metaHash !== '',
    staysAsItIs: true,
  });
}

/** Of several, by hash: those that have one and are known by now. */
export function useDocumentNames(metaHashes: readonly string[]): ReadonlyMap<string, DocumentName> {
  const hashes = [...new Set(metaHashes.filter((hash) => hash !== ''))];
  return useQueries({
    queries: hashes.map(nameQuery),
    combine: (answers) =>
      new Map(answers.flatMap(({ data }, at) => (data ? [[hashes[at] ?? '', data] as const] : []))),
  });
}

function nameQuery(metaHash: string) {
  return {
    queryKey: ['document-name', metaHash],
    queryFn: () => askName(metaHash),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  };
}

/** Waits until the kinds and the document's name of each asset are known or have failed: what a sentence about it needs. */
export function useAssetWords(ids: readonly string[]): Pick<Asked<unknown>, 'isWaiting'> {
  const facts = useFactsOfAssets(ids);
  const hashes = new Set([...facts.values()].map(({ metaHash }) => metaHash).filter((hash) => hash !== ''));
  const areNamesWaiting = useQueries({
    queries: [...hashes].map(nameQuery),
    combine: (answers) => answers.some(({ isPending }) => isPending),
  });
  return { isWaiting: facts.size < ids.length || areNamesWaiting };
}

/** The whole document, which may be large: for its asset's own page. Null: there is none. */
export function useDocument(metaHash: string | undefined): Asked<LaunchDocument | null> {
  return useAsk(['document', metaHash], (signal) => documentOf(metaHash ?? '', signal), {
    enabled: metaHash !== undefined && metaHash !== '',
    staysAsItIs: true,
  });
}

async function documentOf(metaHash: string, signal: AbortSignal): Promise<LaunchDocument | null> {
  // one that is unknown is no error of the page, which a 404 would be told as
  if ((await queries.fetchQuery(nameQuery(metaHash))) === null) return null;
  return askApp<LaunchDocument>(`/api/launchpad/metadata/${metaHash}`, undefined, signal);
}

/** What the app answers at once (testnet/src/launchpad/names.ts). */
const MOST_HASHES = 100;

const gatheredName = createGather<DocumentName | null>(MOST_HASHES, async (hashes) => {
  const { names } = await askApp<{ readonly names: Readonly<Record<string, DocumentName | null>> }>(
    `/api/launchpad/names?hashes=${hashes.join(',')}`,
  );
  return new Map(Object.entries(names));
});

/** One text that is no hash of a document would have the whole question refused. */
const META_HASH = /^[0-9a-f]{64}$/;

async function askName(metaHash: string): Promise<DocumentName | null> {
  return META_HASH.test(metaHash) ? ((await gatheredName(metaHash)) ?? null) : null;
}
