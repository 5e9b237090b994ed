import { bech32 } from '@scure/base';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { referenceTx } from '../reference/txs.ts';
import { HRP } from '../support/oracle.ts';
import { hexFormOf, type TxPage } from './support/expected.ts';
import { openRecordedApi, type RecordedApi } from './support/recorded-api.ts';
import { account, accountsThatSend, ethHash, HEAD, hash, hexAccount, METHOD } from './support/requests.ts';

/** Every clause of the conventions on errors, and what is none (answers.md); `ask` judges each answer. */

let t: RecordedApi;
beforeAll(async () => {
  t = await openRecordedApi(HEAD);
}, 120_000);
afterAll(async () => {
  expect(t.reported).toEqual([]);
  await t.close();
});

const BAD_LIMITS = [
  '0',
  '101',
  '-1',
  '1.5',
  '1e1',
  '0x10',
  ' 5',
  '+5',
  'x',
  '',
  '5 ',
  '１',
  '99999999999999999999',
];
const BAD_HEIGHTS = [
  '-1',
  '1.5',
  '1e2',
  '0x10',
  'x',
  '%20',
  '1%00',
  '%2B1',
  '１',
  '9223372036854775808',
  '9'.repeat(4000),
];
const BAD_HASHES = [
  'x',
  '1',
  hash.slice(1),
  `${hash}0`,
  `${hash.slice(1)}g`,
  `0x${hash.slice(1)}`,
  `0x${hash}0`,
  `0x${hash.slice(1)}g`,
  `1x${hash}`,
  `0x0x${hash}`,
  `${hash}%00`,
  account,
];
const words = bech32.decode(account as `${string}1${string}`).words;
const BAD_ADDRESSES = [
  'x',
  '0x',
  '1',
  hash,
  ethHash,
  hexAccount.slice(2),
  hexAccount.slice(0, -1),
  `${hexAccount}0`,
  hexAccount.replace(/[a-f]/, (letter) => letter.toUpperCase()),
  hexAccount.replace(/[A-F]/, (letter) => letter.toLowerCase()),
  account.replace(/.$/, (letter) => (letter === 'q' ? 'p' : 'q')),
  `${account}q`,
  account.slice(0, -1),
  `C${account.slice(1)}`,
  bech32.encode('osmo', words),
  bech32.encode(`${HRP}valoper`, words),
  bech32.encode(HRP, bech32.toWords(new Uint8Array(19))),
  bech32.encode(HRP, bech32.toWords(new Uint8Array(33)), 1023),
  bech32.encode(HRP, []),
];
const BAD_METHODS = [
  '',
  '/',
  'x',
  'cosmos.bank.v1beta1.MsgSend',
  '//a',
  '/a/b',
  '/a..b',
  '/a.',
  '/.a',
  '/1a',
  '/a b',
  '/a-b',
  "/a'",
  '/a%00',
  '/é',
];
const BAD_CURSORS = [
  '',
  'x',
  '0',
  'null',
  '%00',
  '=',
  'AAAA',
  'A'.repeat(42),
  '_'.repeat(42),
  'A'.repeat(4000),
  '../..',
];
const LISTS = ['/v1/blocks', '/v1/txs', `/v1/accounts/${account}/txs`];

const query = (targets: readonly string[], name: string, values: readonly string[]) =>
  targets.flatMap((target) => values.map((value) => `${target}?${name}=${value}`));

describe('400: a parameter that does not parse', () => {
  test.each<[string, readonly string[]]>([
    ['a limit that is no integer from 1 to 100', query([...LISTS, '/v1/stats'], 'limit', BAD_LIMITS)],
    [
      'a height that is no non-negative integer below 2^63',
      BAD_HEIGHTS.map((height) => `/v1/blocks/${height}`),
    ],
    ['a hash of wrong length or digits', BAD_HASHES.map((text) => `/v1/txs/${text}`)],
    [
      'an address of another prefix, length or checksum',
      BAD_ADDRESSES.map((text) => `/v1/accounts/${text}/txs`),
    ],
    ['a method that is not / and a proto full name', query(LISTS.slice(1), 'method', BAD_METHODS)],
    ['a malformed cursor', query(LISTS, 'cursor', BAD_CURSORS)],
    [
      'a bad percent escape',
      ['/v1/%zz', '/v1/lookup/%', '/v1/txs/%ff', '/v1/txs?limit=%zz', '/v1/blocks/%c0%80', '/%'],
    ],
    ['a target that is too long', [`/v1/lookup/${'1'.repeat(10_000)}`, `/v1/txs?x=${'1'.repeat(10_000)}`]],
  ])('%s', async (_, targets) => {
    for (const target of targets) expect(await t.expectError(target, 400)).not.toBe('');
  });

  test('a cursor that is tampered with in any character', async () => {
    const { next_cursor: next, last_cursor: last } = await t.get<TxPage>('/v1/txs?limit=2');
    for (const cursor of [next, last] as string[]) {
      for (let at = 0; at < cursor.length; at++) {
        const other = cursor[at] === 'A' ? 'B' : 'A';
        await t.expectError(`/v1/txs?cursor=${cursor.slice(0, at)}${other}${cursor.slice(at + 1)}`, 400);
      }
      for (const text of [
        cursor.slice(1),
        cursor.slice(0, -1),
        `${cursor}A`,
        `${cursor}=`,
        cursor + cursor,
      ]) {
        await t.expectError(`/v1/txs?cursor=${text}`, 400);
      }
    }
  });

  test('a cursor of another route, account or filter opens nothing; in the other address form it does', async () => {
    const [busy, other] = accountsThatSend(3);
    const targets = [
      '/v1/blocks',
      '/v1/txs',
      `/v1/txs?method=${METHOD}`,
      '/v1/txs?method=/cosmos.evm.vm.v1.MsgEthereumTx',
      `/v1/accounts/${busy}/txs`,
      `/v1/accounts/${busy}/txs?method=${METHOD}`,
      `/v1/accounts/${other}/txs`,
    ];
    const withCursor = (target: string, cursor: string) =>
      `${target}${target.includes('?') ? '&' : '?'}cursor=${cursor}`;
    for (const from of targets) {
      const first = await t.get<Partial<TxPage>>(`${from}${from.includes('?') ? '&' : '?'}limit=1`);
      const next = await t.get<Partial<TxPage>>(withCursor(from, first.next_cursor as string));
      const cursors = [first.next_cursor, first.last_cursor, next.prev_cursor];
      for (const cursor of cursors.filter((found) => typeof found === 'string')) {
        for (const to of targets) {
          const answer = await t.ask(withCursor(to, cursor));
          expect({ from, to, status: answer.status }).toEqual({ from, to, status: from === to ? 200 : 400 });
        }
      }
    }
    const { next_cursor: next } = await t.get<TxPage>(`/v1/accounts/${busy}/txs?limit=1`);
    await t.get(`/v1/accounts/${hexFormOf(busy)}/txs?cursor=${next}`);
  });
});

describe('404', () => {
  test.each([
    '/v1/blocks/0',
    `/v1/blocks/${HEAD + 1}`,
    '/v1/blocks/9007199254740993',
    '/v1/blocks/9223372036854775807',
    `/v1/txs/${'ab'.repeat(32)}`,
    `/v1/txs/0x${'ab'.repeat(32)}`,
    // the hash of a tx above the indexed height
    `/v1/txs/${referenceTx(492, 0).hash}`,
    '/v1/lookup/alice',
    `/v1/lookup/${bech32.encode('osmo', words)}`,
  ])('%s is well formed, and nothing is there', async (target) => {
    await t.expectError(target, 404);
  });

  test.each([
    '/',
    '/v1',
    '/v1/',
    '/v1/txs/',
    '/v1//txs',
    '//v1/txs',
    '/v1/blocks/1/txs',
    '/V1/txs',
    '/v1/Txs',
    '/openapi.yaml/',
    '/openapi.yml',
    '/healthz',
    '/readyz',
    '/metrics',
    '/favicon.ico',
    '/v1/../v1/txs',
    '/v1/%2E%2E/txs',
    '/v1/txs%3Flimit=1',
    '/v1%2Ftxs',
    '/v1/accounts//txs',
    '/v1/blocks/',
    '/v1/lookup/',
    '/v1/txs/1/2',
  ])('%s matches no route', async (target) => {
    await t.expectError(target, 404);
  });
});

describe('405: any method but GET', () => {
  test.each(['HEAD', 'OPTIONS', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'CONNECT', 'get', ''])(
    '%s on every path, known or not',
    async (method) => {
      for (const target of [
        '/',
        '/nothing',
        '/v1/assets',
        '/%zz',
        `/v1/blocks/x?limit=x`,
        `/${'a'.repeat(10_000)}`,
      ]) {
        await t.expectError(target, 405, method);
      }
    },
  );
});

describe('200 where one might expect an error', () => {
  test('a page of a well-formed address that is unknown is empty', async () => {
    for (const bytes of [new Uint8Array(20).fill(9), new Uint8Array(32).fill(9)]) {
      const unknown = bech32.encode(HRP, bech32.toWords(bytes));
      expect(await t.get(`/v1/accounts/${unknown}/txs`)).toEqual({
        txs: [],
        total: 0,
        next_cursor: null,
        prev_cursor: null,
        last_cursor: null,
        methods: [],
      });
    }
  });

  test('a filter that matches nothing is an empty list, beside the facet of everything', async () => {
    const all = await t.get<TxPage>('/v1/txs?limit=1');
    expect(await t.get('/v1/txs?method=/none.v1.Msg')).toEqual({
      txs: [],
      total: 0,
      next_cursor: null,
      prev_cursor: null,
      last_cursor: null,
      methods: all.methods,
    });
  });

  test('unknown parameters are ignored, and of a repeated one the first counts', async () => {
    for (const target of ['/v1/blocks', '/v1/txs', '/v1/stats', `/v1/accounts/${account}/txs`]) {
      const plain = (await t.ask(`${target}?limit=3`)).text;
      for (const rest of [
        'limit=3&page=%zz&x',
        'limit=3&limit=0',
        '&&a=b&limit=3',
        'Limit=0&limit=3',
        'limit%5B%5D=1&limit=3',
      ]) {
        expect((await t.ask(`${target}?${rest}`)).text, `${target}?${rest}`).toBe(plain);
      }
      await t.expectError(`${target}?limit=0&limit=3`, 400);
    }
    expect((await t.ask('/v1/blocks/61?limit=x&height=1')).status).toBe(200);
    expect((await t.ask('/v1/status?limit=x&cursor=')).status).toBe(200);
  });

  test('the default limit is 50, of stats 6', async () => {
    for (const target of ['/v1/txs', '/v1/blocks', `/v1/accounts/${account}/txs`]) {
      expect((await t.ask(target)).text).toBe((await t.ask(`${target}?limit=50`)).text);
    }
    expect((await t.ask('/v1/stats')).text).toBe((await t.ask('/v1/stats?limit=6')).text);
  });

  test('whatever limit stands beside a last_cursor is ignored', async () => {
    const { last_cursor: last } = await t.get<TxPage>('/v1/txs?limit=7');
    const alone = (await t.ask(`/v1/txs?cursor=${last}`)).text;
    for (const limit of ['1', '100', '7', '1000', 'x']) {
      expect((await t.ask(`/v1/txs?cursor=${last}&limit=${limit}`)).text).toBe(alone);
    }
  });

  test('percent-escaped and plain spellings of a path are one', async () => {
    expect((await t.ask('/%76%31/%74xs?limit=1')).text).toBe((await t.ask('/v1/txs?limit=1')).text);
    expect((await t.ask('/v1/txs?%6cimit=1')).text).toBe((await t.ask('/v1/txs?limit=1')).text);
  });
});
