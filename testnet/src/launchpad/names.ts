import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import type { Part } from '../part.ts';
import type { LaunchpadDocument } from './document.ts';
import type { Documents } from './documents.ts';

/** What lists show of a document: its name without its logo, which may be a thousand times as long. */
export type DocumentName = Pick<LaunchpadDocument, 'name' | 'symbol' | 'template'>;

/** A page of a list, with room; 65 characters each stay well below what a server takes as an address. */
const MOST_HASHES = 100;
const KEPT_NAMES = 10_000;

/**
 * `GET /api/launchpad/names?hashes=<hash>,<hash>…`: the names of many documents at once, null for one that is unknown, so
 * that a list of assets is one small answer whatever their logos are. Errors: bad_request for anything else.
 */
export function namesPart(documents: Documents): Part {
  // a hash's document never changes; unknown ones may come and are not kept
  const known = new LRUCache<string, DocumentName>({ max: KEPT_NAMES });

  async function nameOf(metaHash: string): Promise<DocumentName | null> {
    const kept = known.get(metaHash);
    if (kept !== undefined) return kept;
    const text = await documents.get(metaHash);
    if (text === undefined) return null;
    const { name, symbol, template } = JSON.parse(text) as LaunchpadDocument;
    known.set(metaHash, { name, symbol, template });
    return { name, symbol, template };
  }

  return {
    name: 'names',
    routes(server) {
      server.get('/api/launchpad/names', async (request) => {
        const { hashes } = request.query as { readonly hashes?: unknown };
        const names: Record<string, DocumentName | null> = {};
        // one after another: a page of the largest documents is never in memory together
        for (const hash of parseHashes(hashes)) names[hash] = await nameOf(hash);
        return { names };
      });
    },
  };
}

function parseHashes(text: unknown): ReadonlySet<string> {
  const hashes = typeof text === 'string' ? text.split(',', MOST_HASHES + 1) : [];
  if (hashes.length === 0 || hashes.length > MOST_HASHES || !hashes.every((hash) => HASH.test(hash)))
    throw new AppError(
      'bad_request',
      `hashes must be 1 to ${MOST_HASHES} of 64 lower-case hex digits, with commas between`,
    );
  return new Set(hashes);
}

const HASH = /^[0-9a-f]{64}$/;
