import type { BlockAt, Derivation } from '../../derive/derivation.ts';
import { on } from '../../derive/derivation.ts';
import { ASSET_CREATED, type AssetCreated } from '../asset/events.ts';
import { dexDerivation } from '../dex/derivation.ts';
import { MINT, SWAP } from '../dex/logs.ts';
import { REPAY } from '../lending-logs.ts';
import { DISTRIBUTED, type Distributed } from '../payout/events.ts';
import { SETTLEMENT_SETTLED } from '../settlement/events.ts';
import { createAccountSet } from './account-set.ts';
import { ACCOUNT_DAYS, NETWORK_COUNTS, NETWORK_DAYS, TOTALS, type Total } from './tables.ts';

const NS_PER_DAY = 86_400_000_000_000n;
/** What a column of amounts holds. Sums of lies stop here. */
const MAX_AMOUNT = (1n << 255n) - 1n;

/**
 * What happened on the chain, counted block by block (answers.md, NetworkStats). An event counts because the chain tells
 * it: also one about a record that its own module does not know, which only is drift where that module derives.
 */
export const networkDerivation: Derivation = {
  module: 'network',
  layer: 'base',
  tables: [NETWORK_COUNTS, NETWORK_DAYS, ACCOUNT_DAYS],
  reads: ['dex'],
  // the faucet is a service account
  dependsOn: ['evm_factory', 'evm_lending_market', 'service_accounts', 'faucet', 'stable_denom'],
  open({ parameters, table, stateOf }) {
    const { lendingMarket } = parameters.evm;
    const services = new Set(parameters.serviceAccounts);
    const dex = stateOf(dexDerivation);
    const counts = table(NETWORK_COUNTS);
    const days = table(NETWORK_DAYS);
    const accountDays = table(ACCOUNT_DAYS);
    const accounts = createAccountSet();
    const totals = Object.fromEntries(TOTALS.map((name) => [name, 0])) as Record<Total, number>;
    let distributedStable = 0n;
    /** Undefined before the first one. */
    let day: number | undefined;
    let active = 0;
    let hasChanged = false;

    const add = (name: Total, count = 1): void => {
      if (count === 0) return;
      totals[name] += count;
      hasChanged = true;
    };

    const byType = new Map<string, (event: unknown) => void>([
      [
        ASSET_CREATED.type,
        (event) => {
          add('assets');
          if (!services.has((event as AssetCreated).issuer)) add('community_assets');
        },
      ],
      [SETTLEMENT_SETTLED.type, () => add('settlements_settled')],
      [
        DISTRIBUTED.type,
        (event) => {
          add('distributions');
          const { denom, amount } = event as Distributed;
          if (denom !== parameters.stableDenom) return;
          distributedStable += amount;
          if (distributedStable > MAX_AMOUNT) distributedStable = MAX_AMOUNT;
        },
      ],
    ]);
    const byTopic = new Map<string, Total>([
      [SWAP, 'swaps'],
      [MINT, 'liquidity_adds'],
    ]);

    /** The day of a block in which something changes. */
    const dayOf = ({ height, timeNs }: BlockAt): number => {
      const next = timeNs < 0n ? 0 : Number(timeNs / NS_PER_DAY);
      if (day !== undefined && next <= day) return day;
      days.append({
        day: next,
        height,
        transactions: totals.transactions,
        active_addresses: active,
        swaps: totals.swaps,
      });
      day = next;
      active = 0;
      return next;
    };

    const visit = (account: string, height: number, today: number): void => {
      const { isNew, isFirstOfDay } = accounts.visit(account, today);
      if (!isFirstOfDay) return;
      active++;
      if (isNew) totals.accounts++;
      hasChanged = true;
      accountDays.append({ account, height, day: today, is_new: isNew });
    };

    return {
      state: undefined,
      // so that these events are read; they are counted in seeEvent
      handlers: [
        on(ASSET_CREATED, () => undefined),
        on(SETTLEMENT_SETTLED, () => undefined),
        on(DISTRIBUTED, () => undefined),
      ],
      wishes: {
        evmTxs: true,
        accounts: true,
        logs: lendingMarket === undefined ? [] : [{ address: lendingMarket, topics: [REPAY] }],
      },
      seeEvent: (event, { type }) => byType.get(type)?.(event),
      seeBlock(block) {
        if (block.txCount === 0 && !hasChanged) return;
        const today = dayOf(block);
        add('transactions', block.txCount);
        add('evm_transactions', block.evmTxCount);
        for (const { address, topics } of block.logs) {
          const [topic = ''] = topics;
          const total = byTopic.get(topic);
          if (total !== undefined && dex.isPair(address)) add(total);
          else if (topic === REPAY && address === lendingMarket) add('loans_repaid');
        }
        // the order of rows is part of the digest
        for (const account of block.accounts.toSorted()) visit(account, block.height, today);
      },
      endBlock({ height, timeNs }) {
        if (!hasChanged) return;
        hasChanged = false;
        counts.append({
          ...totals,
          height,
          time_ns: timeNs,
          day: day ?? 0,
          active_addresses: active,
          distributed_stable: distributedStable,
        });
      },
      async restore(versions) {
        await versions.newest(
          NETWORK_COUNTS,
          ['day', 'active_addresses', 'distributed_stable', ...TOTALS],
          (row) => {
            day = row.day;
            active = row.active_addresses;
            distributedStable = row.distributed_stable;
            for (const name of TOTALS) totals[name] = row[name];
          },
        );
        await versions.latest(ACCOUNT_DAYS, ['account', 'day'], (row) => {
          accounts.visit(row.account, row.day);
        });
      },
    };
  },
};
