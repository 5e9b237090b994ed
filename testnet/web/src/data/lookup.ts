import type { LookupCandidate } from '../../../../clients/ts/src/client.ts';
import { told, v1 } from './client.ts';

/** Whether there is something of that type and id. Answered with 200 also where there is not, unlike its own route. */
export async function isThere(type: LookupCandidate['type'], q: string): Promise<boolean> {
  const { candidates } = await told(v1.GET('/v1/lookup/{q}', { params: { path: { q } } }));
  return candidates.some((candidate) => candidate.type === type);
}
