import { expect, it } from 'vitest';
import type { ReadMany } from '../../src/api/route.ts';
import { EMPTY_SNAPSHOT } from '../../src/api/rows.ts';
import { latestAssetCheck } from '../../src/modules/reconciliation/checks-read.ts';
import { encode } from './support/versions.ts';

interface KindCheck {
  readonly kindId: number;
  readonly height: number;
  readonly agree: boolean;
}

/** An asset's `latest_invariant_check`, of the newest check of each of its kinds. */
async function latestOf(checks: readonly KindCheck[]) {
  const rows = checks.flatMap(({ kindId, height, agree }) => [
    encode('a', 'String'),
    encode(kindId, 'Int64'),
    encode('', 'String'),
    encode(height, 'UInt64'),
    encode(1, 'UInt8'),
    encode(Number(agree), 'UInt8'),
    encode('{}', 'String'),
    encode('{}', 'String'),
  ]);
  const reading = { snapshot: EMPTY_SNAPSHOT, query: async () => Buffer.concat(rows) };
  return latestAssetCheck(
    { gather: async <V>(read: ReadMany<V>, key: string) => (await read(reading, [key])).get(key) },
    'a',
  );
}

it('an asset agrees where each of its kinds does, as of the newest check', async () => {
  const agreed = (kindId: number, height: number): KindCheck => ({ kindId, height, agree: true });
  expect(await latestOf([])).toBe(null);
  expect(await latestOf([agreed(0, 5), agreed(1, 7), agreed(2, 6)])).toMatchObject({
    height: 7,
    agree: true,
  });
  for (const wrong of [0, 1, 2]) {
    const checks = [0, 1, 2].map((kindId) => ({ ...agreed(kindId, 5), agree: kindId !== wrong }));
    const found = await latestOf(checks);
    expect(found).toMatchObject({ height: 5, agree: false });
    expect(found?.checks.map(({ agree }) => agree)).toEqual(checks.map(({ agree }) => agree));
  }
});
