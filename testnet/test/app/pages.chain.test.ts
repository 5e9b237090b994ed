import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { closeApp, createApp, listenApp } from '../../src/app.ts';
import { documentPart } from '../../src/document.ts';
import { PAGE_PATHS } from '../../src/page-paths.ts';
import { createPages } from '../../src/pages.ts';
import type { Part } from '../../src/part.ts';
import type { Forward } from '../../src/proxy.ts';
import { silent } from './support/test-chain.ts';

/** A built web folder as the app serves it. */

const INDEX = '<!doctype html><title>pages</title>';
const REFERENCE = '<!doctype html><title>reference</title>';
const SCRIPT = 'export const x = 1;'.repeat(100);
const HTML = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const part: Part = { name: 'test', routes: (server) => void server.get('/api/thing', () => ({ ok: true })) };

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: FastifyInstance;
let origin: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  await mkdir(join(folder.path, 'assets'));
  await mkdir(join(folder.path, 'reference'));
  await writeFile(join(folder.path, 'index.html'), INDEX);
  await writeFile(join(folder.path, 'reference', 'index.html'), REFERENCE);
  await writeFile(join(folder.path, 'reference', 'index.html.br'), brotliCompressSync(REFERENCE));
  await writeFile(join(folder.path, 'favicon.svg'), '<svg/>');
  await writeFile(join(folder.path, '.secret.txt'), 'no');
  await writeFile(join(folder.path, 'assets', 'main-Ab12.js'), SCRIPT);
  await writeFile(join(folder.path, 'assets', 'main-Ab12.js.br'), brotliCompressSync(SCRIPT));
  const description = documentPart(join(import.meta.dirname, '../../app-openapi.yaml'));
  const forward: Forward = {
    forward: (_request, response, headers) => void response.writeHead(200, headers).end('openapi: 3.0.3'),
    close: () => undefined,
  };
  const options = { log: silent, trustedProxies: 0, forward, pages: createPages(folder.path) };
  server = await createApp([part, description], options);
  origin = await listenApp(server, { host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await closeApp(server);
  await folder.remove();
});

/** The target reaches the app byte for byte; `inject` and `fetch` rewrite some. */
async function ask(target: string, headers: Record<string, string> = {}, method = 'GET') {
  const { hostname, port } = new URL(origin);
  const sent = request({ hostname, port, path: target, method, headers, agent: false });
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).end();
  });
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

const get = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

describe('pages', () => {
  it.each([
    '/',
    '/blocks',
    '/block/17',
    '/blocks/',
    '/tx/AB?x=1',
    '/delegation/3',
    '/delegation/3/',
    '/launch',
  ])('%s is the document of the pages', async (url) => {
    const answer = await get(url);
    expect([answer.statusCode, answer.body]).toEqual([200, INDEX]);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-cache');
    expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; /);
  });

  it('have one list of paths: the server answers each that the router shows, and no other', async () => {
    const router = await readFile(join(import.meta.dirname, '../../web/src/shell/pages.tsx'), 'utf8');
    const shown = [...router.matchAll(/<Route path=(\S+)/g)].map(([, path]) => path);
    expect(shown.toSorted()).toEqual(
      Object.keys(PAGE_PATHS)
        .map((name) => `{PAGE_PATHS.${name}}`)
        .toSorted(),
    );
    for (const path of Object.values(PAGE_PATHS)) {
      expect([path, (await get(path.replace(/:\w+/, 'x'), HTML)).statusCode]).toEqual([path, 200]);
      const below = await get(`${path === '/' ? '' : path.replace(/:\w+/, 'x')}/x/y`, HTML);
      expect([path, below.statusCode]).toEqual([path, 404]);
    }
  });

  it('may write styles on the page of the reference alone, and scripts nowhere', async () => {
    const policy = async (url: string) => String((await get(url)).headers['content-security-policy']);
    const usual = await policy('/');
    expect(usual).toContain("; style-src 'self'; ");
    expect(usual).not.toContain('unsafe');
    for (const url of ['/blocks', '/references', '/referenc', '/assets/main-Ab12.js'])
      expect(await policy(url)).toBe(usual);
    for (const url of ['/reference', '/reference/', '/reference?api=app']) {
      const own = usual.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");
      expect(await policy(url)).toBe(`${own}; sandbox allow-scripts allow-downloads`);
    }
  });

  it('keep their storage from the foreign script of the reference: its document is in a sandbox', async () => {
    for (const url of ['/reference', '/reference/', '/reference?api=app', '/reference/x']) {
      const { headers } = await get(url, HTML);
      const sandbox = /; sandbox ([^;]*)/.exec(String(headers['content-security-policy']))?.[1];
      expect(sandbox?.split(' '), url).toEqual(['allow-scripts', 'allow-downloads']);
      // with it a browser would not load the document at all
      expect(headers['cross-origin-opener-policy'], url).toBeUndefined();
      expect(headers['access-control-allow-origin'], url).toBeUndefined();
    }
    const { headers } = await get('/', HTML);
    expect(headers['content-security-policy']).not.toContain('sandbox');
    expect(headers['cross-origin-opener-policy']).toBe('same-origin');
  });

  it.each([
    '/%72eference',
    '/referenc%65',
    '/%72%65%66%65%72%65%6e%63%65',
    '/%72eference?api=app',
    '/%72eference/',
    '/%72eference/index.html',
    '/reference/index.html',
    '/reference/%69ndex.html',
    '/reference#top',
    '/%72eference#top',
    'http://127.0.0.1/reference',
    'http://127.0.0.1/%72eference',
  ])('have the reference in its sandbox however its path is written: %s', async (target) => {
    for (const headers of [HTML, { accept: '*/*' }, { ...HTML, 'accept-encoding': 'br' }]) {
      const answer = await ask(target, headers);
      expect([answer.status, answer.body]).toEqual([200, REFERENCE]);
      expect(answer.headers['content-security-policy']).toMatch(/; sandbox allow-scripts allow-downloads$/);
    }
    const head = await ask(target, HTML, 'HEAD');
    expect(head.headers['content-security-policy']).toContain('; sandbox ');
    const etag = String((await ask(target, HTML)).headers.etag ?? '*');
    const again = await ask(target, { ...HTML, 'if-none-match': etag });
    expect(again.headers['content-security-policy']).toContain('; sandbox ');
  });

  it.each([
    '/reference%2findex.html',
    '/%72eference%2Findex.html',
    '/%2572eference',
    '/reference%252findex.html',
    '//reference',
    '/./reference',
    '/x/../reference',
    '/Reference',
    '/reference%00',
    '/reference;x',
    '/reference.html',
    '/assets/../reference/index.html',
    '/assets/%2e%2e/reference/index.html',
    '/assets/..%2freference%2findex.html',
    '/assets/%2e%2e%2freference/index.html',
    '/assets/x/../../reference/index.html',
    '/assets/%252e%252e/reference/index.html',
    '/assets/..%5creference%5cindex.html',
    '/assets//reference/index.html',
    '/index.html/../reference/index.html',
  ])('give no reference at %s', async (target) => {
    for (const encoding of ['identity', 'br'])
      for (const headers of [HTML, { accept: '*/*' }]) {
        const answer = await ask(target, { ...headers, 'accept-encoding': encoding });
        expect([400, 404]).toContain(answer.status);
        expect(answer.body).not.toContain('reference</title>');
      }
  });

  it('have one rule for headers, however a path is written', async () => {
    const cors = async (target: string) => (await ask(target)).headers['access-control-allow-origin'];
    expect(await cors('/%61ssets/main-Ab12.js')).toBe('*');
    expect(await cors('/%61pi/openap%69.yaml')).toBe('*');
    expect((await ask('/%61pi/thing')).headers['cache-control']).toBe('no-store');
    for (const target of ['/%61pi/nothing', '/%61ssets/gone.js']) {
      const answer = await ask(target, HTML);
      expect([target, answer.status, answer.headers['content-type']]).toEqual([
        target,
        404,
        'application/json; charset=utf-8',
      ]);
    }
  });

  it('let other origins read what the sandbox needs, and nothing else', async () => {
    const allowed = async (url: string) => (await get(url)).headers['access-control-allow-origin'];
    for (const url of ['/assets/main-Ab12.js', '/openapi.yaml', '/api/openapi.yaml'])
      expect(await allowed(url), url).toBe('*');
    for (const url of [
      '/',
      '/wallet',
      '/assets',
      '/api/thing',
      '/v1/status',
      '/openapi.yaml/x',
      '/api/openapi',
      '/favicon.svg',
    ])
      expect(await allowed(url), url).toBeUndefined();
    expect((await get('/favicon.svg')).headers['cross-origin-resource-policy']).toBe('cross-origin');
    expect((await get('/assets/main-Ab12.js')).headers['cross-origin-resource-policy']).toBe('same-origin');
  });

  it.each([
    '/nothing',
    '/blockss',
    '/gone.svg',
    '/a/b/c',
    '/blocks.html',
    '/accounts',
    '/accounts/1',
    '/encumbrances',
    '/asset/12/holders',
    '/block',
    '/block/',
    '/desk/x',
  ])('%s is not found: as a page for who navigates, as JSON for the rest', async (url) => {
    const page = await get(url, HTML);
    expect([page.statusCode, page.body]).toEqual([404, INDEX]);
    const json = await get(url);
    expect([json.statusCode, json.json().code]).toEqual([404, 'not_found']);
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('are no answer in place of a file that a build has replaced, and nobody keeps the refusal', async () => {
    for (const headers of [HTML, { accept: '*/*' }]) {
      const answer = await get('/assets/gone.js', headers);
      expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  it('are no answer below /api', async () => {
    const answer = await get('/api/nothing', HTML);
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found']);
    expect((await server.inject({ method: 'POST', url: '/blocks', payload: {} })).statusCode).toBe(405);
    expect((await get('/api/thing', HTML)).json()).toEqual({ ok: true });
  });

  it('show what a build has replaced', async () => {
    await writeFile(join(folder.path, 'index.html'), `${INDEX}2`);
    expect((await get('/')).body).toBe(`${INDEX}2`);
    await writeFile(join(folder.path, 'index.html'), INDEX);
  });
});

describe('files', () => {
  it('that are named by what they hold stay for a year', async () => {
    const answer = await get('/assets/main-Ab12.js');
    expect([answer.statusCode, answer.body]).toEqual([200, SCRIPT]);
    expect(answer.headers['content-type']).toMatch(/^(text|application)\/javascript; charset=utf-8$/);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it('come as a build has compressed them, where the client reads it', async () => {
    const answer = await get('/assets/main-Ab12.js', { 'accept-encoding': 'gzip, br' });
    expect(answer.headers['content-encoding']).toBe('br');
    expect(answer.headers.vary).toMatch(/accept-encoding/i);
    expect(answer.headers['content-type']).toMatch(/javascript/);
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(SCRIPT);
  });

  it('at the top are asked for again', async () => {
    const answer = await get('/favicon.svg');
    expect([answer.statusCode, answer.body]).toEqual([200, '<svg/>']);
    expect(answer.headers['content-type']).toMatch(/^image\/svg\+xml/);
    expect(answer.headers['cache-control']).toBe('no-cache');
    const again = await get('/favicon.svg', { 'if-none-match': String(answer.headers.etag) });
    expect(again.statusCode).toBe(304);
  });

  it.each([
    '/assets/x/..%2f..%2f..%2fpackage.json',
    '/assets/..%2f.secret.txt',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/.secret.txt',
    '/assets/',
    '/assets//main-Ab12.js',
    '/assets/main-Ab12.js%00',
  ])('%s is none', async (url) => {
    const answer = await get(url);
    expect([400, 404]).toContain(answer.statusCode);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

it('says what to do where nothing has been built', async () => {
  const empty = await temporaryFolder();
  await rm(empty.path, { recursive: true });
  const bare = await createApp([part], { log: silent, trustedProxies: 0, pages: createPages(empty.path) });
  for (const url of ['/', '/blocks', '/nowhere']) {
    const answer = await bare.inject({ url, headers: HTML });
    expect([answer.statusCode, answer.body]).toEqual([503, 'The pages have not been built: npm run build\n']);
    expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8');
  }
  expect((await bare.inject({ url: '/api/thing' })).json()).toEqual({ ok: true });
});
