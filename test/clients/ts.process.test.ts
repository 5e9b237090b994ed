import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStrataClient, pages, type StrataClient } from '../../clients/ts/src/client.ts';
import { type ApiServer, listenApi } from '../../src/api/http.ts';
import { type IndexedDevnet, openDevnetIndex } from '../support/devnet-index.ts';
import { IS_FULL } from '../support/full.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CLIENT = join(import.meta.dirname, '../../clients/ts');
const OPENAPI = join(import.meta.dirname, '../../openapi.yaml');

describe('the generated types', () => {
  const require = createRequire(join(CLIENT, 'package.json'));
  const manifest = require.resolve('openapi-typescript/package.json');
  const generator = join(dirname(manifest), 'bin/cli.js');
  const { scripts } = JSON.parse(readFileSync(join(CLIENT, 'package.json'), 'utf8')) as {
    scripts: { generate: string };
  };
  const flags = scripts.generate.split(' ').filter((word) => /^--(?!output)/.test(word));
  const check = (schema: string) =>
    spawnSync(process.execPath, [generator, OPENAPI, ...flags, '--check', '--output', schema], {
      encoding: 'utf8',
    });

  it('are those of openapi.yaml (npm run client)', () => {
    const { status, stderr } = check(join(CLIENT, 'src/schema.ts'));
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it.runIf(IS_FULL)('would be found out if they were not', async () => {
    const folder = await temporaryFolder();
    const copy = join(folder.path, 'schema.ts');
    copyFileSync(join(CLIENT, 'src/schema.ts'), copy);
    writeFileSync(copy, readFileSync(copy, 'utf8').replace('indexed_height', 'height_indexed'));
    expect(check(copy).status).not.toBe(0);
    await folder.remove();
  });

  it('are of the version of the API', () => {
    const version = /^ {2}version: (\S+)$/m.exec(readFileSync(OPENAPI, 'utf8'))?.[1];
    expect(require('./package.json').version).toBe(version);
  });
});

describe('the client against the served API', () => {
  let index: IndexedDevnet;
  let server: ApiServer;
  let client: StrataClient;

  beforeAll(async () => {
    index = await openDevnetIndex({ blocks: 30 });
    server = await listenApi(index.api.api, { host: '127.0.0.1', port: 0 });
    client = createStrataClient({ baseUrl: `http://127.0.0.1:${server.port}` });
  });
  afterAll(async () => {
    await server.close();
    await index.close();
  });

  it('answers typed', async () => {
    const { data, error } = await client.GET('/v1/status');
    expect(error).toBeUndefined();
    const height: number | undefined = data?.indexed_height;
    expect(height).toBe(30);
    const block = await client.GET('/v1/blocks/{height}', { params: { path: { height: 7 } } });
    expect(block.data?.block.height).toBe(7);
    expect(block.data?.txs.length).toBe(block.data?.block.tx_count);
  });

  it('walks a list', async () => {
    const heights: number[] = [];
    const list = pages((cursor) => client.GET('/v1/blocks', { params: { query: { limit: 9, ...cursor } } }));
    for await (const { blocks } of list) heights.push(...blocks.map(({ height }) => height));
    expect(heights).toEqual(Array.from({ length: 30 }, (_, i) => 30 - i));
  });

  it('tells a refusal as the contract words it', async () => {
    const { data, error, response } = await client.GET('/v1/blocks/{height}', {
      params: { path: { height: 1_000 } },
    });
    expect({ data, code: error?.code, status: response.status }).toEqual({
      data: undefined,
      code: 'not_found',
      status: 404,
    });
    const list = pages((cursor) =>
      client.GET('/v1/blocks', { params: { query: { ...cursor, cursor: 'of nobody' } } }),
    );
    await expect(list.next()).rejects.toMatchObject({ status: 400, code: 'bad_request' });
  });

  it.runIf(IS_FULL)(
    'compiles as this file uses it, where whoever only works on Strata has not installed it',
    () => {
      const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
      const { status, stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', import.meta.dirname], {
        encoding: 'utf8',
      });
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    },
  );

  it('does not compile with a route, a parameter or a field that there is not', () => {
    // @ts-expect-error no such route
    void (() => client.GET('/v1/nothing'));
    // @ts-expect-error height is missing
    void (() => client.GET('/v1/blocks/{height}'));
    void (async () => {
      const { data } = await client.GET('/v1/status');
      // @ts-expect-error no such field
      return data?.nothing;
    });
    expect(typeof client.GET).toBe('function');
  });
});
