import { createHash, createHmac } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import fc from 'fast-check';
import { pino } from 'pino';
import { systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApi } from '../../src/api/api.ts';
import { createCursorKey } from '../../src/api/cursor-key.ts';
import { readIdentity } from '../../src/api/identity.ts';
import { EMPTY_SNAPSHOT } from '../../src/api/rows.ts';
import { openApi } from '../../src/cli/serving.ts';
import { MODULE_ROUTES, MODULES } from '../../src/modules/modules.ts';
import { keepCursorKey, readCursorKey } from '../../src/store/cursor-keys.ts';
import { writeFacts } from '../../src/store/facts.ts';
import { migrate } from '../../src/store/migrations.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { fixedState } from '../support/fixed-state.ts';
import { openTestStores } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder: { readonly path: string; remove(): Promise<void> };
let factory: StoreFactory;
let store: Store;

beforeAll(async () => {
  folder = await temporaryFolder();
  factory = await openTestStores(folder.path);
  store = await factory.open('writer');
  await migrate(store);
});

afterAll(async () => {
  await factory.close();
  await folder.remove();
});

function sealed(key: Uint8Array, scope: readonly string[], payload: Uint8Array): string {
  const tag = createHmac('sha256', key)
    .update(payload)
    .update(JSON.stringify(scope))
    .digest()
    .subarray(0, 16);
  return Buffer.concat([payload, tag]).toString('base64url');
}

describe('the key of cursors', () => {
  test('a process without one in its store has its own, and takes the store’s as soon as there is one', async () => {
    const warnings: string[] = [];
    const key = createCursorKey(store, (message) => warnings.push(message));
    const other = createCursorKey(store, () => {});
    await Promise.all([key.read(), other.read()]);
    await key.read();
    expect(key.current()).not.toEqual(other.current());
    expect(warnings).toEqual([expect.stringContaining('has no key for cursors yet')]);

    await keepCursorKey(store, factory.spoolFolder);
    const kept = await readCursorKey(store);
    expect(kept).toHaveLength(32);
    await Promise.all([key.read(), other.read()]);
    expect([key.current(), other.current()]).toEqual([kept, kept]);
    // neither a file nor a second key stays behind
    await keepCursorKey(store, factory.spoolFolder);
    expect(await readCursorKey(store)).toEqual(kept);
    expect((await readdir(factory.spoolFolder)).filter((name) => name.includes('cursor'))).toEqual([]);
  });

  test('of two that were written at once, every later reader takes the older', async () => {
    const kept = await readCursorKey(store);
    const row = (age: string, key: string) =>
      `INSERT INTO cursor_keys SELECT toInt64(${age}), toFixedString(repeat('${key}', 32), 32)`;
    await store.command(row('9000000000000000000', 'a'));
    expect(await readCursorKey(store)).toEqual(kept);
    await store.command(row('5', 'c'));
    await store.command(row('5', 'b'));
    expect(Buffer.from((await readCursorKey(store)) ?? []).toString()).toBe('b'.repeat(32));
  });

  test('a user that may not read it serves all the same, and does not ask again', async () => {
    let asked = 0;
    const denied: Store = {
      ...store,
      query: () => {
        asked++;
        const message = 'Code: 497. DB::Exception: api: Not enough privileges.';
        return Promise.reject(new StrataError('store_query_failed', message));
      },
    };
    const warnings: string[] = [];
    const key = createCursorKey(denied, (message) => warnings.push(message));
    await key.read();
    await key.read();
    expect([asked, warnings]).toEqual([1, [expect.stringContaining('may not read the table cursor_keys')]]);
    expect(key.current()).toHaveLength(32);
  });

  test('cannot be made of public values', async () => {
    await writeFacts(
      store,
      new Map([
        ['chain_id', 'test-1'],
        ['hrp', 'test'],
        ['namespace', 'aeva'],
      ]),
    );
    const served = await openApi(factory, pino({ level: 'silent' }));
    try {
      const schemaVersions = [1, 2, 3, 4, 5, 6, 7, 8];
      for (const version of schemaVersions) {
        const publicValues = JSON.stringify(['strata cursor', 1, 'test-1', version]);
        const key = createHash('sha256').update(publicValues).digest();
        const payload = Buffer.alloc(15);
        payload.set([1, 2, 200]);
        const forged = sealed(key, ['/v1/txs', '', ''], payload);
        expect((await served.api.handle('GET', `/v1/txs?cursor=${forged}`)).status).toBe(400);
      }
    } finally {
      await served.close();
    }
  });
});

test('whatever is signed with the real key, no list answers 500', async () => {
  const key = Buffer.alloc(32, 7);
  const none = () => Promise.resolve();
  const empty: Store = {
    name: 'empty',
    query: () => Promise.resolve(new Uint8Array(0)),
    command: none,
    insertNativeFiles: none,
    close: none,
  };
  const reported: unknown[] = [];
  const generations = new Map(MODULES.map(({ name }) => [name, 1]));
  const api = createApi({
    readers: [empty],
    state: fixedState(() => ({
      ...EMPTY_SNAPSHOT,
      indexedHeight: 100,
      chainHeight: 100,
      generations,
    })),
    chain: readIdentity(new Map(), 'test-1', 'test', 'aeva'),
    cursorKey: () => key,
    openapi: new Uint8Array(0),
    clock: systemClock,
    routes: MODULE_ROUTES,
    reportError: (error) => reported.push(error),
  });
  const asset = 'ab'.repeat(32);
  const account = '0x0000000000000000000000000000000000000001';
  const bech32 = /"address":"(\w+)"/.exec(
    String((await api.handle('GET', `/v1/accounts/${account}/events`)).body),
  )?.[1];
  const lists: readonly (readonly [target: string, ...scope: string[]])[] = [
    ['/v1/blocks', '/v1/blocks'],
    ['/v1/txs', '/v1/txs', '', ''],
    [`/v1/accounts/${account}/txs`, '/v1/accounts/{addr}/txs', bech32 ?? '', ''],
    [`/v1/accounts/${account}/events`, '/v1/accounts/{addr}/events', bech32 ?? ''],
    [`/v1/assets/${asset}/events`, '/v1/assets/{id}/events', asset],
    ['/v1/assets', '/v1/assets'],
    [`/v1/assets/${asset}/kinds/1/holders`, '/v1/assets/{id}/kinds/{kind}/holders', asset, '1'],
    [`/v1/assets/${asset}/distributions`, '/v1/assets/{id}/distributions', asset],
    ['/v1/settlements', '/v1/settlements', '', ''],
    ['/v1/bridge/transfers', '/v1/bridge/transfers', '{}'],
  ];
  const text = fc.oneof(
    { weight: 5, arbitrary: fc.nat(200).map(String) },
    fc.bigInt().map(String),
    fc.string(),
    fc.constant(asset),
  );
  const values = fc.array(
    fc.oneof({ weight: 9, arbitrary: text }, { weight: 1, arbitrary: fc.jsonValue() }),
    { minLength: 1, maxLength: 4 },
  );
  const keys = values.map((key) => Buffer.from(JSON.stringify([1, ...key])));
  const positions = fc
    .record({
      kind: fc.nat(3),
      pageSize: fc.oneof(fc.constant(0), fc.nat(255)),
      height: fc.oneof(fc.nat(200).map(BigInt), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
      txIndex: fc.oneof(fc.constant(0), fc.nat(2 ** 32 - 1)),
    })
    .map(({ kind, pageSize, height, txIndex }) => {
      const payload = Buffer.from([1, kind, pageSize, ...Array<number>(12).fill(0)]);
      payload.writeBigUInt64BE(height, 3);
      payload.writeUInt32BE(txIndex, 11);
      return payload;
    });
  const payloads = fc.oneof(keys, positions);
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...lists), payloads, async ([target, ...scope], payload) => {
      const { status, body } = await api.handle('GET', `${target}?cursor=${sealed(key, scope, payload)}`);
      statuses.add(status);
      expect([200, 400, 404], `${target} ${payload.toString('latin1')} ${body}`).toContain(status);
    }),
    { numRuns: 1000 },
  );
  expect(reported).toEqual([]);
  // both sides were reached
  expect(statuses.has(200) && statuses.has(400)).toBe(true);
});
