import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { AppError } from '../errors.ts';
import type { LaunchpadDocument } from './document.ts';
import type { Documents } from './documents.ts';
import { logoBytes } from './logo.ts';

/** Said of every document, whatever it says itself (api.md, "Launchpad endpoints"). */
export const NOTICE = 'This asset is community-launched, unverified, and has no value.';

/** What is answered about one document. It never changes. */
export interface DocumentAnswers {
  /** The document with the notice, as JSON. */
  readonly json: Buffer;
  /** A PNG, as it was posted. */
  readonly logo: Buffer | undefined;
}

/** About 50 documents with the largest logo. */
const KEPT_BYTES = 32 * 1024 * 1024;

/**
 * The answers of a document by its hash. A logo was checked before its document was kept, and the hash covers it, so that
 * it is served as it was posted. Answers are kept in memory: the largest document takes 2 ms to read, check and print.
 * Errors: AppError bad_request and not_found; a plain Error when the database holds another document than was written.
 */
export function createDocumentAnswers(documents: Documents): (metaHash: string) => Promise<DocumentAnswers> {
  const kept = new LRUCache<string, DocumentAnswers>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ json, logo }) => json.length + (logo?.length ?? 0),
  });
  return async (metaHash) => {
    if (!/^[0-9a-f]{64}$/.test(metaHash)) {
      throw new AppError('bad_request', 'meta_hash must be 64 lower-case hex digits');
    }
    const known = kept.get(metaHash);
    if (known !== undefined) return known;
    const text = await documents.get(metaHash);
    if (text === undefined) throw new AppError('not_found', 'no document has this hash');
    if (createHash('sha256').update(text, 'utf8').digest('hex') !== metaHash) {
      throw new Error(`the database holds another document under ${metaHash}`);
    }
    const answers = answersOf(text);
    kept.set(metaHash, answers);
    return answers;
  };
}

/** What was accepted once is answered, also by a build that would refuse it today. */
function answersOf(text: string): DocumentAnswers {
  const document: LaunchpadDocument = JSON.parse(text);
  return {
    json: Buffer.from(JSON.stringify({ ...document, notice: NOTICE }), 'utf8'),
    logo: document.logo === undefined ? undefined : logoBytes(document.logo),
  };
}
