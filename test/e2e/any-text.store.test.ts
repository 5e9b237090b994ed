import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../support/contract.ts';
import { recordedWorld } from '../support/worlds.ts';
import type { TxPage } from './support/expected.ts';
import type { RecordedApi } from './support/recorded-api.ts';
import { account, ethHash, FOUND, hash, hexAccount, METHOD } from './support/requests.ts';

/** Any text in any parameter, and what it must be answered with. */

let t: RecordedApi;
beforeAll(async () => {
  t = await recordedWorld();
}, 120_000);
afterAll(async () => {
  expect(t.reported).toEqual([]);
  await t.close();
});

describe('any text in any parameter', () => {
  const valid = [
    hash,
    ethHash,
    account,
    hexAccount,
    METHOD,
    '61',
    '7',
    '9223372036854775807',
    '0',
    '100',
    '',
  ];
  /** Valid values with something cut out, put in or turned over; and anything else. */
  const mutated = fc
    .tuple(fc.constantFrom(...valid), fc.nat(70), fc.nat(3), fc.string({ unit: 'binary', maxLength: 4 }))
    .map(([text, at, cut, put]) => text.slice(0, at) + put + text.slice(at + cut));
  const text = fc.oneof(
    fc.constantFrom(...valid),
    mutated,
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.bigInt().map(String),
    fc.double().map(String),
    fc.stringMatching(/^(0x)?[0-9a-fA-F]{60,68}$/),
    fc.constantFrom(
      "' OR 1=1 --",
      '\\',
      '`',
      '$(id)',
      '\0',
      '../../etc',
      '{}',
      '[]',
      'null',
      'NaN',
      '/*',
      ';',
      '%',
    ),
  );
  const escaped = fc.oneof(
    text.map(encodeURIComponent),
    text.map((found) => found.replaceAll(/[#\r\n]/g, '')),
  );
  const served = routes().filter(({ path }) => path in FOUND);
  const targets = fc.constantFrom(...served).chain(({ path, queryNames }) =>
    fc
      .tuple(
        escaped,
        fc.array(fc.tuple(fc.constantFrom('x', 'limit', ...queryNames), escaped), { maxLength: 3 }),
      )
      .map(([segment, pairs]) => {
        const filled = path.replace(/\{\w+\}/, () => segment);
        return pairs.length === 0
          ? filled
          : `${filled}?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`;
      }),
  );

  test('is a 200, 400 or 404 with a body as documented', async () => {
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(targets, async (target) => {
        const { status } = await t.ask(target);
        expect([200, 400, 404]).toContain(status);
        statuses.add(status);
      }),
      { numRuns: 1500 },
    );
    expect([...statuses].sort()).toEqual([200, 400, 404]);
    expect(t.reported).toEqual([]);
  });

  test('as a cursor beside a valid one’s neighbours', async () => {
    const { next_cursor: next } = await t.get<TxPage>('/v1/txs?limit=1');
    const bytes = Buffer.from(next as string, 'base64url');
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const other = Buffer.from(bytes);
        other[at] = (other[at] as number) ^ flip;
        await t.expectError(`/v1/txs?cursor=${other.toString('base64url')}`, 400);
      }),
      { numRuns: 200 },
    );
  });
});
