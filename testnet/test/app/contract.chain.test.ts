import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { documentPart } from '../../src/document.ts';
import { APP_ERRORS } from '../../src/errors.ts';
import { connectIndexer } from '../../src/indexer.ts';
import { openParts, type Parts } from '../../src/parts.ts';
import { silent, startTestChain, type TestChain } from './support/test-chain.ts';

/** testnet/app-openapi.yaml is held against the routes that the parts really have, both ways. */

const path = new URL('../../app-openapi.yaml', import.meta.url).pathname;
const document = parse(readFileSync(path, 'utf8'));
const METHODS = ['get', 'post', 'put', 'delete', 'patch'];

let chain: TestChain;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let opened: Parts;
const served = new Set<string>();
const ending = new AbortController();

beforeAll(async () => {
  chain = await startTestChain();
  folder = await temporaryFolder();
  const settings = { ...chain.settings, folder: folder.path };
  const indexer = connectIndexer(settings.indexerUrl);
  opened = await openParts({ settings, chain: chain.chain, indexer, log: silent, signal: ending.signal });
  const server = Fastify({ exposeHeadRoutes: false });
  server.addHook('onRoute', ({ method, url }) => {
    served.add(`${[method].flat().join()} ${url.replace(/:(\w+)/g, '{$1}')}`);
  });
  for (const part of [...opened.parts, documentPart(path)]) part.routes(server);
});
afterAll(async () => {
  ending.abort();
  await opened.close();
  await chain.close();
  await folder.remove();
});

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly description?: string }>>;
}

const operations = Object.entries<Record<string, Operation>>(document.paths).flatMap(([url, item]) =>
  METHODS.flatMap((method) => {
    const operation = item[method];
    return operation === undefined ? [] : [{ name: `${method.toUpperCase()} ${url}`, url, operation }];
  }),
);

describe('testnet/app-openapi.yaml', () => {
  it('has every route that is served, and no other', () => {
    expect([...served].sort()).toEqual(operations.map(({ name }) => name).sort());
  });

  it('names every operation once', () => {
    const names = operations.map(({ operation }) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it('has the codes that the app answers with, and no other', () => {
    expect([...document.components.schemas.Error.properties.code.enum].sort()).toEqual(
      Object.keys(APP_ERRORS).sort(),
    );
  });

  it.each(operations)('$name: each error has its status', ({ operation: { responses } }) => {
    const statuses = Object.keys(responses);
    expect(statuses).toEqual(expect.arrayContaining(['200', '400', '500']));
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) < 400) continue;
      const name = response.$ref?.split('/').at(-1) ?? '';
      const [, code = ''] = /^`(\w+)`/.exec(document.components.responses[name]?.description ?? '') ?? [];
      expect([status, APP_ERRORS[code as keyof typeof APP_ERRORS]]).toEqual([status, Number(status)]);
    }
  });
});
