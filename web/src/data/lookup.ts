import { createContext } from 'preact';
import type { LookupCandidate } from '../../../clients/ts/src/client.ts';
import type { Presence } from '../text/sentences/presence.ts';
import { told, v1 } from './client.ts';

/** Whether there is something of that type and id. Answered with 200 also where there is not, unlike its own route. */
export async function isThere(type: LookupCandidate['type'], q: string): Promise<boolean> {
  const { candidates } = await told(v1.GET('/v1/lookup/{q}', { params: { path: { q } } }));
  return candidates.some((candidate) => candidate.type === type);
}

/**
 * Of assets that are named within: one that is not sure to be there is looked up before it is asked for, one that is
 * missing is not asked for. Each 404 would stand in the browser's console as an error of the page.
 */
export const AssetPresence = createContext<(assetId: string) => Presence>(() => 'there');
