import { createHash } from 'node:crypto';
import { pino } from 'pino';
import { systemClock } from 'strata-kit/clock';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { openDatabase } from '../../../src/database/database.ts';
import type { AppDatabase } from '../../../src/database/tables.ts';
import { NOTICE } from '../../../src/launchpad/answers.ts';
import { hashDocument, parseDocument } from '../../../src/launchpad/document.ts';
import { documentsIn } from '../../../src/launchpad/documents.ts';
import { launchpadPart } from '../../../src/launchpad/part.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';
import { builtPng, realPng } from '../support/pngs.ts';

/** Counts how often pixels are unpacked, by whichever of zlib's ways. */
const unpacked = vi.hoisted(() => vi.fn());
vi.mock(import('node:zlib'), async (original) => {
  const zlib = await original();
  const counted = <T extends (...args: never[]) => unknown>(inner: T): T =>
    ((...args: Parameters<T>) => {
      unpacked();
      return inner(...args);
    }) as T;
  return { ...zlib, inflate: counted(zlib.inflate), inflateSync: counted(zlib.inflateSync) } as typeof zlib;
});

/** The launchpad's routes over both databases, as clients see them. */

const PATH = '/api/launchpad/metadata';
const DOCUMENT = {
  name: 'Harbour Bakery',
  symbol: 'HARB',
  description: 'A test asset of a bakery that does not exist.\nSecond line.',
  template: 'dividend',
};
const logo = realPng(16, 16).toString('base64');

describe.each(DATABASES)('the launchpad over %s', (_, make) => {
  let database: TestDatabase;
  let db: AppDatabase;
  const log: string[] = [];
  /** A server of its own limits, since every test asks from one address. */
  const start = () =>
    createApp([launchpadPart(documentsIn(db, { ...systemClock, nowMs: () => 1_790_000_000_000 }))], {
      log: pino({ level: 'warn' }, { write: (line: string) => log.push(line) }),
      trustedProxies: 0,
    });

  beforeAll(async () => {
    database = await make();
    db = await openDatabase(database.choice);
  });
  afterAll(async () => {
    await db.destroy();
    await database.remove();
  });

  async function post(
    server: Awaited<ReturnType<typeof start>>,
    payload: unknown,
    type = 'application/json',
  ) {
    const answer = await server.inject({
      method: 'POST',
      url: PATH,
      headers: { 'content-type': type },
      payload: Buffer.isBuffer(payload) || typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
    return { status: answer.statusCode, headers: answer.headers, body: JSON.parse(answer.body) };
  }

  it('keeps a document, and answers it with the notice', async () => {
    const server = await start();
    const posted = await post(server, { ...DOCUMENT, logo });
    expect(posted).toMatchObject({
      status: 200,
      body: { meta_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });

    const got = await server.inject(`${PATH}/${posted.body.meta_hash}`);
    expect(got.json()).toEqual({ ...DOCUMENT, logo, notice: NOTICE });
    expect(got.headers['cache-control']).toContain('immutable');
  });

  it('answers the hash that anyone computes: SHA-256 of the sorted, compact JSON', async () => {
    const server = await start();
    const { body } = await post(server, DOCUMENT);
    const canonical = `{"description":${JSON.stringify(DOCUMENT.description)},"name":"Harbour Bakery","symbol":"HARB","template":"dividend"}`;
    expect(body.meta_hash).toBe(createHash('sha256').update(canonical).digest('hex'));
  });

  it('keeps a document that is posted twice, or by several at once, once', async () => {
    const server = await start();
    const document = { ...DOCUMENT, symbol: 'TWICE' };
    const reordered = JSON.stringify(Object.fromEntries(Object.entries(document).reverse()), null, 2);
    const answers = await Promise.all([document, document, reordered].map((body) => post(server, body)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.meta_hash}`)).size).toBe(1);
    const rows = await db
      .selectFrom('launchpad_documents')
      .select('created_at_ms')
      .where('meta_hash', '=', answers[0]?.body.meta_hash)
      .execute();
    expect(rows).toEqual([{ created_at_ms: 1_790_000_000_000 }]);
  });

  it('serves the logo as an image and as nothing else', async () => {
    const server = await start();
    const { body } = await post(server, { ...DOCUMENT, logo });
    const image = await server.inject(`${PATH}/${body.meta_hash}/logo`);
    expect(image.rawPayload.toString('base64')).toBe(logo);
    expect(image.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'public, max-age=31536000, immutable',
    });
    const without = await post(server, DOCUMENT);
    expect((await server.inject(`${PATH}/${without.body.meta_hash}/logo`)).statusCode).toBe(404);
  });

  it('refuses a promise, quotes its words and keeps nothing of it', async () => {
    const server = await start();
    const promising = { ...DOCUMENT, description: 'Hold it and get an A-I-R-D-R-O-P.' };
    const answer = await post(server, promising);
    expect([answer.status, answer.body.code]).toEqual([400, 'bad_request']);
    expect(answer.body.error).toContain('description promises airdrops: "A-I-R-D-R-O-P"');
    const { metaHash } = hashDocument(parseDocument(Buffer.from(JSON.stringify(promising))));
    expect((await server.inject(`${PATH}/${metaHash}`)).statusCode).toBe(404);
  });

  it('keeps hostile texts as they are', async () => {
    const server = await start();
    const hostile = {
      name: `<img src=x onerror=alert(1)>'"; --`,
      symbol: 'XSS',
      description: '</script><script>alert(1)</script>\n{{7*7}} <%= 7 %> %00 \\u0000 ﷽ 👩‍👩‍👧 שלום 😀',
      template: 'community',
    };
    const { body } = await post(server, hostile);
    const got = await server.inject(`${PATH}/${body.meta_hash}`);
    expect(got.json()).toEqual({ ...hostile, notice: NOTICE });
    expect(got.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each([
    ['a body of 1 MiB', 'a'.repeat(1 << 20), 'application/json', 413, 'payload_too_large'],
    ['one byte beyond 512 KiB', ' '.repeat(512 * 1_024 + 1), 'application/json', 413, 'payload_too_large'],
    ['512 KiB of nothing', ' '.repeat(512 * 1_024), 'application/json', 400, 'bad_request'],
    ['no body', '', 'application/json', 400, 'bad_request'],
    ['another type', JSON.stringify(DOCUMENT), 'text/plain', 400, 'bad_request'],
    ['a form', 'name=x', 'application/x-www-form-urlencoded', 400, 'bad_request'],
  ])('refuses %s', async (_what, body, type, status, code) => {
    const answer = await post(await start(), body, type);
    expect([answer.status, answer.body]).toEqual([status, { error: expect.any(String), code }]);
  });

  it.each([
    ['no such document', `${PATH}/${'0'.repeat(64)}`, 404],
    ['upper case', `${PATH}/${'A'.repeat(64)}`, 400],
    ['too short', `${PATH}/abc`, 400],
    ['its logo too', `${PATH}/${'0'.repeat(64)}/logo`, 404],
    ['a path', `${PATH}/..%2f..%2fetc%2fpasswd`, 400],
  ])('answers %s with an error', async (_what, url, status) => {
    const answer = await (await start()).inject(url);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual({
      error: expect.any(String),
      code: status === 404 ? 'not_found' : 'bad_request',
    });
  });

  it('does not answer what was changed in the database', async () => {
    const server = await start();
    const { body } = await post(server, { ...DOCUMENT, symbol: 'SOUND' });
    await db
      .updateTable('launchpad_documents')
      .set({ document: '{"name":"another"}' })
      .where('meta_hash', '=', body.meta_hash)
      .execute();
    const answer = await server.inject(`${PATH}/${body.meta_hash}`);
    expect([answer.statusCode, answer.json().code]).toEqual([500, 'internal']);
    expect(answer.body).not.toContain('another');
  });

  it('unpacks a logo when it is posted, and never when it is served', async () => {
    const server = await start();
    const { body } = await post(server, {
      ...DOCUMENT,
      symbol: 'LARGE',
      logo: realPng(64, 64).toString('base64'),
    });
    unpacked.mockClear();
    const path = `${PATH}/${body.meta_hash}/logo`;
    const image = await server.inject(path);
    expect(image.headers.etag).toBe(`"${body.meta_hash}"`);
    const kept = await server.inject({ url: path, headers: { 'if-none-match': `"${body.meta_hash}"` } });
    expect([image.statusCode, kept.statusCode, kept.rawPayload.length]).toEqual([200, 304, 0]);
    expect(unpacked).toHaveBeenCalledTimes(0);
    expect((await post(server, { ...DOCUMENT, symbol: 'OTHER', logo })).status).toBe(200);
    expect(unpacked).toHaveBeenCalledTimes(1);
  });

  it('refuses pixels that are fewer than the header says', async () => {
    const server = await start();
    const broken = builtPng({ width: 900, height: 900 }, { pixels: new Uint8Array(4) });
    const answer = await post(server, { ...DOCUMENT, logo: broken.toString('base64') });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'bad_request', error: 'logo has fewer pixels than its size says' },
    });
  });

  it('takes thirty documents a minute from an address, refused ones included', async () => {
    const server = await start();
    for (let count = 0; count < 30; count++) expect((await post(server, '{}')).status).toBe(400);
    const refused = await post(server, DOCUMENT);
    expect(refused).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await server.inject(`${PATH}/${'0'.repeat(64)}`)).statusCode).toBe(404);
  });
});
