import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../errors.ts';
import { clientKey, createLimit } from '../limits.ts';
import type { Part } from '../part.ts';
import { hashDocument, type LaunchpadDocument, parseDocument } from './document.ts';
import type { Documents } from './documents.ts';
import { checkLogo } from './logo.ts';
import { refusePromises } from './refusal.ts';

/** Said of every document, whatever it says itself (api.md, "Launchpad endpoints"). */
export const NOTICE = 'This asset is community-launched, unverified, and has no value.';

const BODY_BYTES = 512 * 1024;
/** Of an IP: refused ones count as well, since a logo is decoded before it is refused. */
const ATTEMPTS = { count: 30, seconds: 60 };
/** Of an IP: what bounds the database, at 350 KiB a document with the largest logo. */
const NEW_DOCUMENTS = { count: 50, seconds: 24 * 60 * 60 };
/** A hash's document never changes. */
const FOREVER = 'public, max-age=31536000, immutable';

type HashParams = { readonly Params: { readonly meta_hash: string } };

/** POST and GET of documents, and their logos as images: api.md "Launchpad endpoints", answers.md "Launchpad and desk". */
export function launchpadPart(documents: Documents): Part {
  return { name: 'launchpad', routes: (server) => addRoutes(server, documents) };
}

function addRoutes(server: FastifyInstance, documents: Documents): void {
  const attempts = createLimit('documents posted from this address', ATTEMPTS.count, ATTEMPTS.seconds);
  const added = createLimit('new documents from this address', NEW_DOCUMENTS.count, NEW_DOCUMENTS.seconds);
  // the bytes: a parsed object tells neither wrong UTF-8 nor a field that stands twice
  server.removeContentTypeParser('application/json');
  server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );

  server.post('/api/launchpad/metadata', {
    bodyLimit: BODY_BYTES,
    onRequest: ({ ip }) => attempts.take(clientKey(ip)),
    handler: async ({ body, ip }) => {
      if (!Buffer.isBuffer(body)) throw new AppError('bad_request', 'the body must be a JSON object');
      const document = parseDocument(body);
      refusePromises(document);
      const hashed = hashDocument(document);
      if (!(await documents.has(hashed.metaHash))) {
        await added.take(clientKey(ip));
        await documents.put(hashed);
      }
      return { meta_hash: hashed.metaHash };
    },
  });

  server.get<HashParams>('/api/launchpad/metadata/:meta_hash', async ({ params }, reply) => {
    const document = await read(documents, params.meta_hash);
    reply.header('cache-control', FOREVER);
    return { ...document, notice: NOTICE };
  });

  server.get<HashParams>('/api/launchpad/metadata/:meta_hash/logo', {
    onSend: async (_request, reply) => {
      reply.header('content-security-policy', "default-src 'none'; sandbox");
    },
    handler: async ({ params }, reply) => {
      const { logo } = await read(documents, params.meta_hash);
      if (logo === undefined) throw new AppError('not_found', 'this document has no logo');
      return sendPng(reply, checkedAgain(logo));
    },
  });
}

/** Errors: AppError not_found; a plain Error when the database answers another document than was written. */
async function read(documents: Documents, metaHash: string): Promise<LaunchpadDocument> {
  if (!/^[0-9a-f]{64}$/.test(metaHash)) {
    throw new AppError('bad_request', 'meta_hash must be 64 lower-case hex digits');
  }
  const text = await documents.get(metaHash);
  if (text === undefined) throw new AppError('not_found', 'no document has this hash');
  if (createHash('sha256').update(text, 'utf8').digest('hex') !== metaHash) {
    throw new Error(`the database holds another document under ${metaHash}`);
  }
  // what was accepted once is answered, also by a build that would refuse it today
  return JSON.parse(text);
}

/** Nothing leaves as an image that is none, however it came into the database. */
function checkedAgain(logo: string): Buffer {
  try {
    return checkLogo(logo);
  } catch (error) {
    throw new Error('the database holds a logo that is no PNG', { cause: error });
  }
}

function sendPng(reply: FastifyReply, png: Buffer): FastifyReply {
  return reply
    .headers({
      'content-type': 'image/png',
      'content-length': png.length,
      'cache-control': FOREVER,
      'content-disposition': 'inline; filename="logo.png"',
    })
    .send(png);
}
