import { balance } from 'strata-devnet/modules/bank/keeper';
import { payoutAddress } from 'strata-devnet/modules/payout/keeper';
import { systemClock } from 'strata-kit/clock';
import { beforeAll, describe, expect, it } from 'vitest';
import { accrualsOf } from '../../src/modules/payout/accruals-read.ts';
import { claimableOf } from '../../src/modules/payout/claimable-read.ts';
import type { SumReading } from '../../src/modules/payout/sum-claimable.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { IS_FULL } from '../support/full.ts';
import { referenceWorld } from '../support/worlds.ts';
import { readingAt } from './support/reading.ts';

interface Accrual {
  readonly asset_id: string;
  readonly kind_id: number;
  readonly denom: string;
  readonly distributions_count: string | number;
  readonly [field: string]: unknown;
}

interface DistributionPage {
  readonly distributions: readonly {
    height: number;
    tx_index: number;
    event_index: number;
    kind_id: number;
    denom: string;
    amount: string;
  }[];
  readonly next_cursor: string | null;
}

describe('income', () => {
  let index: IndexedDevnet;
  /** The chain's height when these tests began. */
  let head: number;
  beforeAll(async () => {
    index = await referenceWorld();
    head = index.height;
  }, 120_000);

  /** What a request of a snapshot at this height reads with. */
  const at = async (height: number): Promise<SumReading> => {
    const made = new Map<() => unknown, unknown>();
    const kept = <T>(create: () => T): T => {
      if (!made.has(create)) made.set(create, create());
      return made.get(create) as T;
    };
    const reading = await readingAt(index, height);
    return {
      ...reading,
      gather: async (read, key) => (await read(reading, [key])).get(key),
      kept,
      clock: systemClock,
      endMs: Number.POSITIVE_INFINITY,
    };
  };

  const chainAccruals = async (height: number): Promise<Accrual[]> =>
    (await index.query('payout', 'Export', {}, height)).accruals as unknown as Accrual[];

  it('of every kind is the chain’s, with all that may be claimed, at several heights', async () => {
    let seen = 0;
    for (const height of IS_FULL ? [40, 77, 111, head] : [77, head]) {
      const context = await at(height);
      const expected = await chainAccruals(height);
      const found: object[] = [];
      for (const assetId of new Set(expected.map(({ asset_id }) => asset_id))) {
        const accruals = await accrualsOf(context, assetId);
        found.push(...accruals.map(({ updated_height: _, ...rest }) => ({ asset_id: assetId, ...rest })));
      }
      expect(found).toEqual(
        expected.map((of) => ({ ...of, distributions_count: Number(of.distributions_count) })),
      );
      seen += found.length;
    }
    expect(seen).toBeGreaterThan(10);
  });

  it('is claimed by whom the chain says, at several heights', async () => {
    let [own, routed] = [0, 0];
    for (const height of IS_FULL ? [77, head] : [head]) {
      const context = await at(height);
      const { bases } = await index.query('payout', 'Export', {}, height);
      const accounts = new Set(
        (bases as unknown as { holder: string; beneficiary: string }[]).flatMap((basis) => [
          basis.holder,
          basis.beneficiary,
        ]),
      );
      accounts.delete('');
      for (const address of accounts) {
        const { entries } = await index.query('payout', 'Claimable', { address }, height);
        const found = await claimableOf(context, address);
        expect({ height, address, found }).toEqual({ height, address, found: entries });
        own += found.filter(({ ref }) => ref === '').length;
        routed += found.filter(({ ref }) => ref !== '').length;
      }
    }
    expect(own).toBeGreaterThan(20);
    expect(routed).toBeGreaterThan(0);
  });

  it('names the height of the last distribution or claim', async () => {
    const context = await at(head);
    const first = (await chainAccruals(head))[0];
    const [accrual] = await accrualsOf(context, first?.asset_id ?? '');
    const height = accrual?.updated_height ?? 0;
    expect(height).toBeGreaterThan(0);
    const then = (await chainAccruals(height)).find(({ asset_id }) => asset_id === first?.asset_id);
    const earlier = (await chainAccruals(height - 1)).find(({ asset_id }) => asset_id === first?.asset_id);
    expect([then?.total_distributed, then?.total_paid]).toEqual([
      first?.total_distributed,
      first?.total_paid,
    ]);
    expect([earlier?.total_distributed, earlier?.total_paid]).not.toEqual([
      first?.total_distributed,
      first?.total_paid,
    ]);
  });

  it('is listed distribution by distribution, newest first, whatever the page', async () => {
    const expected = await chainAccruals(head);
    for (const assetId of new Set(expected.map(({ asset_id }) => asset_id))) {
      const sums = new Map<string, { count: number; amount: bigint }>();
      const walks = [];
      for (const limit of [1, 3, 100]) {
        const all: DistributionPage['distributions'][number][] = [];
        let cursor: string | null = '';
        while (cursor !== null) {
          const suffix = cursor === '' ? '' : `&cursor=${cursor}`;
          const page: DistributionPage = await index.api.get(
            `/v1/assets/${assetId}/distributions?limit=${limit}${suffix}`,
          );
          all.push(...page.distributions);
          cursor = page.next_cursor;
        }
        walks.push(all);
      }
      expect(walks[0]).toEqual(walks[2]);
      expect(walks[1]).toEqual(walks[2]);
      for (const { kind_id, denom, amount } of walks[2] ?? []) {
        const key = `${kind_id} ${denom}`;
        const { count, amount: before } = sums.get(key) ?? { count: 0, amount: 0n };
        sums.set(key, { count: count + 1, amount: before + BigInt(amount) });
      }
      const heights = (walks[2] ?? []).map(({ height, tx_index }) => height * 1_000 + tx_index);
      expect(heights).toEqual(heights.toSorted((a, b) => b - a));
      const ofAsset = expected.filter(({ asset_id }) => asset_id === assetId);
      expect([...sums].map(([key, { count, amount }]) => `${key} ${count} ${amount}`).sort()).toEqual(
        ofAsset
          .map((of) => `${of.kind_id} ${of.denom} ${of.distributions_count} ${String(of.total_distributed)}`)
          .sort(),
      );
    }
    await index.api.expectError(`/v1/assets/${'0'.repeat(64)}/distributions`, 404);
    await index.api.expectError('/v1/assets/x/distributions', 400);
  });

  it('that the module holds is what its account has', async () => {
    const context = await at(head);
    const held = new Map<string, bigint>();
    const all = await chainAccruals(head);
    for (const assetId of new Set(all.map(({ asset_id }) => asset_id))) {
      for (const { denom, module_held } of await accrualsOf(context, assetId)) {
        held.set(denom, (held.get(denom) ?? 0n) + BigInt(module_held));
      }
    }
    expect(held.size).toBeGreaterThan(0);
    const { devnet } = index;
    const account = payoutAddress(devnet.app.parameters);
    for (const [denom, amount] of held) {
      expect([denom, balance(devnet.readerAt(head), account, denom)]).toEqual([denom, amount]);
    }
  });
});
