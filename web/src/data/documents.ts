import { askApp } from './client.ts';
import { asAskError } from './errors.ts';
import { type Asked, useAsk } from './queries.ts';

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

/** Null: there is no document of that hash. A document never changes. */
export function useDocument(metaHash: string | undefined): Asked<LaunchDocument | null> {
  return useAsk(['document', metaHash], (signal) => documentOf(metaHash ?? '', signal), {
    enabled: metaHash !== undefined && metaHash !== '',
    staysAsItIs: true,
  });
}

async function documentOf(metaHash: string, signal: AbortSignal): Promise<LaunchDocument | null> {
  try {
    return await askApp<LaunchDocument>(`/api/launchpad/metadata/${metaHash}`, undefined, signal);
  } catch (error) {
    if (asAskError(error).status === 404) return null;
    throw error;
  }
}
