import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';
import { headersWith, PUBLIC_HEADERS } from './headers.ts';
import { PAGE_PATHS } from './page-paths.ts';

/** The API's reference: a document of its own, since its styles need another policy than the pages have. */
const REFERENCE = 'reference';
const YEAR_SECONDS = 365 * 24 * 3_600;

/**
 * Scalar is foreign script. In a sandbox its document has an origin of its own: it reads no storage of the pages, where a
 * wallet's key may lie, and no answer of the API. It writes <style> elements and style attributes.
 */
const REFERENCE_HEADERS = headersWith({
  policy: { 'style-src': "'self' 'unsafe-inline'", sandbox: 'allow-scripts allow-downloads' },
  // a browser loads no sandboxed document that asks for a group of windows of its own (HTML, "navigate")
  headers: { 'cross-origin-opener-policy': undefined },
});

/** Browsers ask for icons without CORS, also from the sandbox. */
const ICON_HEADERS = headersWith({ headers: { 'cross-origin-resource-policy': 'cross-origin' } });

export interface Pages {
  routes(server: FastifyInstance): Promise<void>;
  /** For a path that nothing answers: the pages' own "not found" for who navigates, else AppError not_found. */
  notFound(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

/** The built pages of a folder (dist/web), by path; which page a path is they decide in the browser. */
export function createPages(folder: string): Pages {
  /** Read anew each time: it is small, and names the files of the last build. */
  async function send(
    reply: FastifyReply,
    names: readonly string[],
    status: 200 | 404,
  ): Promise<FastifyReply> {
    for (const name of names) {
      const text = await readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (text === undefined) continue;
      reply.headers({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
      return reply.code(status).send(text);
    }
    reply.headers({ 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    return reply.code(503).send('The pages have not been built: npm run build\n');
  }

  return {
    async routes(server) {
      await server.register(fastifyStatic, {
        root: folder,
        serve: false,
        preCompressed: true,
        dotfiles: 'ignore',
        index: false,
        suppressWarning: true,
      });
      for (const path of Object.values(PAGE_PATHS)) {
        server.get<{ Params: Readonly<Record<string, string>> }>(path, ({ params }, reply) =>
          Object.values(params).includes('') ? reply.callNotFound() : send(reply, ['index.html'], 200),
        );
        // the pages' router takes a slash at the end as well; below /assets there are files
        if (path !== PAGE_PATHS.overview && path !== PAGE_PATHS.assets)
          server.get(`${path}/`, (_, reply) => send(reply, ['index.html'], 200));
      }
      for (const path of [`/${REFERENCE}`, `/${REFERENCE}/*`]) {
        server.get(path, { config: { headers: REFERENCE_HEADERS } }, (_, reply) =>
          send(reply, [`${REFERENCE}/index.html`, 'index.html'], 200),
        );
      }
      await server.register(async (api) => void api.setNotFoundHandler(refuseUnknown), { prefix: '/api' });
      await server.register(addAssets, { prefix: '/assets' });
      const sendTopFile = (file: string, reply: FastifyReply) =>
        reply.header('cache-control', 'no-cache').sendFile(file, { cacheControl: false });
      server.get('/favicon.svg', { config: { headers: ICON_HEADERS } }, (_, reply) =>
        sendTopFile('favicon.svg', reply),
      );
      server.get<{ Params: { file: string } }>('/:file', ({ params: { file } }, reply) =>
        /^[\w-]+\.\w+$/.test(file) ? sendTopFile(file, reply) : reply.callNotFound(),
      );
    },
    async notFound(request, reply) {
      const isNavigation = (request.headers.accept ?? '').includes('text/html');
      const isRead = ['GET', 'HEAD'].includes(request.method);
      if (isNavigation && isRead) return send(reply, ['index.html'], 404);
      return refuseUnknown(request, reply);
    },
  };

  /** Files that a build names by what they hold. */
  async function addAssets(assets: FastifyInstance): Promise<void> {
    assets.setNotFoundHandler(refuseUnknown);
    const root = join(folder, 'assets');
    const config = { headers: PUBLIC_HEADERS };
    assets.get<{ Params: { '*': string } }>('/*', { config }, ({ params: { '*': file } }, reply) =>
      // a file has one address
      file.startsWith('/')
        ? reply.callNotFound()
        : reply.sendFile(file, root, { immutable: true, maxAge: YEAR_SECONDS * 1_000 }),
    );
  }
}

function refuseUnknown(_request: FastifyRequest, reply: FastifyReply): never {
  // a cache may keep a 404, and the next build may have the file
  reply.header('cache-control', 'no-store');
  throw new AppError('not_found', 'there is nothing at this path');
}
