import { readFileSync } from 'node:fs';
import { PUBLIC_HEADERS } from './headers.ts';
import type { Part } from './part.ts';

/** `GET /api/openapi.yaml`: what this app answers beside the indexer's API, read once from `path`. */
export function documentPart(path: string): Part {
  const text = readFileSync(path);
  return {
    name: 'document',
    routes(server) {
      server.get('/api/openapi.yaml', { config: { headers: PUBLIC_HEADERS } }, (_, reply) =>
        reply
          .headers({ 'content-type': 'application/yaml; charset=utf-8', 'cache-control': 'no-cache' })
          .send(text),
      );
    },
  };
}
