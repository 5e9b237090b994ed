import type { FastifyInstance, FastifyReply } from 'fastify';
import { clientKey } from 'strata-kit/client-key';
import { AppError } from '../errors.ts';
import { createLimit } from '../limits.ts';
import type { Part } from '../part.ts';
import { createDocumentAnswers } from './answers.ts';
import { hashDocument, parseDocument } from './document.ts';
import type { Documents } from './documents.ts';
import { createLogoCheck } from './logo.ts';
import { refusePromises } from './refusal.ts';

const BODY_BYTES = 512 * 1024;
/** Of an IP: refused ones count as well, since a logo is unpacked before it is refused. */
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
  const checkLogo = createLogoCheck();
  const answersOf = createDocumentAnswers(documents);
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
        if (document.logo !== undefined) await checkLogo(document.logo);
        await added.take(clientKey(ip));
        await documents.put(hashed);
      }
      return { meta_hash: hashed.metaHash };
    },
  });

  server.get<HashParams>('/api/launchpad/metadata/:meta_hash', async ({ params }, reply) => {
    const { json } = await answersOf(params.meta_hash);
    reply.headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': FOREVER });
    return reply.send(json);
  });

  server.get<HashParams>('/api/launchpad/metadata/:meta_hash/logo', {
    onSend: async (_request, reply) => {
      reply.header('content-security-policy', "default-src 'none'; sandbox");
    },
    handler: async ({ params: { meta_hash }, headers }, reply) => {
      const { logo } = await answersOf(meta_hash);
      if (logo === undefined) throw new AppError('not_found', 'this document has no logo');
      const etag = `"${meta_hash}"`;
      reply.headers({ 'cache-control': FOREVER, etag });
      if (headers['if-none-match'] === etag) return reply.code(304).send();
      return sendPng(reply, logo);
    },
  });
}

function sendPng(reply: FastifyReply, png: Buffer): FastifyReply {
  return reply
    .headers({
      'content-type': 'image/png',
      'content-length': png.length,
      'content-disposition': 'inline; filename="logo.png"',
    })
    .send(png);
}
