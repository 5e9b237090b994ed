import type { Derivation } from '../../derive/derivation.ts';
import type { BlockFacts, LogFact } from '../../derive/facts.ts';
import { slotOf } from './chart.ts';
import { dataAddress, MINT, PAIR_CREATED, SWAP, SYNC, topicAddress, words } from './logs.ts';
import { DEX_CLOSES, DEX_MINTS, DEX_PAIRS, DEX_SWAPS, DEX_SYNCS } from './tables.ts';

/** What other modules see: the configured factory's pairs. */
export interface DexState {
  /** Of 40 lower-case hex digits. */
  isPair(address: string): boolean;
}

interface Pair {
  /** 0x and 40 hex digits each. */
  readonly pair: string;
  readonly token0: string;
  readonly token1: string;
  /** The last Sync of two reserves. */
  last: Sync | undefined;
  /** As in DEX_SWAPS. */
  volume0: bigint;
  volume1: bigint;
  swaps: number;
}

interface Sync {
  readonly timeNs: bigint;
  readonly reserve0: bigint;
  readonly reserve1: bigint;
}

const PLACE = ['height', 'tx_index', 'log_index'] as const;
/** How rows of a pair are sorted. */
const SYNC_ORDER = ['slot', ...PLACE] as const;
const SWAP_ORDER = ['time_ns', ...PLACE] as const;

/** Pairs of the configured factory, their reserves, swaps and liquidity (modules.md rule 15, logs). */
export const dexDerivation: Derivation<DexState> = {
  module: 'dex',
  layer: 'base',
  tables: [DEX_PAIRS, DEX_SYNCS, DEX_SWAPS, DEX_MINTS, DEX_CLOSES],
  reads: [],
  dependsOn: ['evm_factory'],
  open({ parameters, table }) {
    const { factory } = parameters.evm;
    const pairs = new Map<string, Pair>();
    const tables = {
      pairs: table(DEX_PAIRS),
      syncs: table(DEX_SYNCS),
      swaps: table(DEX_SWAPS),
      mints: table(DEX_MINTS),
    };

    const created = (log: LogFact, block: BlockFacts): void => {
      const address = dataAddress(log, 0);
      if (address === undefined || log.topics.length < 3 || pairs.has(address)) return;
      const [, token0, token1] = log.topics;
      const pair = newPair(`0x${address}`, `0x${topicAddress(token0)}`, `0x${topicAddress(token1)}`);
      pairs.set(address, pair);
      tables.pairs.append({
        pair: pair.pair,
        token0: pair.token0,
        token1: pair.token1,
        ...placeOf(log, block),
      });
    };

    const synced = (pair: Pair, log: LogFact, block: BlockFacts): void => {
      const [reserve0, reserve1] = words(log);
      if (reserve0 === undefined || reserve1 === undefined) return;
      const { timeNs } = block;
      const sync = { timeNs, reserve0, reserve1 };
      const { last } = pair;
      const isSameSlot = last !== undefined && slotOf(last.timeNs) === slotOf(timeNs);
      const before = isPrice(sync) && isSameSlot ? undefined : last;
      tables.syncs.append({
        pair: pair.pair,
        slot: Number(slotOf(timeNs)),
        ...placeOf(log, block),
        reserve0,
        reserve1,
        before_time_ns: before?.timeNs ?? 0n,
        before_reserve0: before?.reserve0 ?? 0n,
        before_reserve1: before?.reserve1 ?? 0n,
      });
      if (isPrice(sync)) pair.last = sync;
    };

    const swapped = (pair: Pair, log: LogFact, block: BlockFacts): void => {
      const [in0, in1, out0, out1] = words(log);
      if (in0 === undefined || in1 === undefined || out0 === undefined || out1 === undefined) return;
      pair.volume0 = BigInt.asUintN(256, pair.volume0 + in0 + out0);
      pair.volume1 = BigInt.asUintN(256, pair.volume1 + in1 + out1);
      pair.swaps++;
      tables.swaps.append({
        pair: pair.pair,
        ...placeOf(log, block),
        sender: `0x${topicAddress(log.topics[1])}`,
        recipient: `0x${topicAddress(log.topics[2])}`,
        amount0_in: in0,
        amount1_in: in1,
        amount0_out: out0,
        amount1_out: out1,
        volume0: pair.volume0,
        volume1: pair.volume1,
        swaps: pair.swaps,
      });
    };

    const minted = ({ pair }: Pair, log: LogFact, block: BlockFacts): void => {
      const [amount0, amount1] = words(log);
      if (amount0 === undefined || amount1 === undefined) return;
      tables.mints.append({
        pair,
        ...placeOf(log, block),
        sender: `0x${topicAddress(log.topics[1])}`,
        amount0,
        amount1,
      });
    };

    const seen = new Map([
      [SYNC, synced],
      [SWAP, swapped],
      [MINT, minted],
    ]);

    return {
      state: { isPair: (address) => pairs.has(address) },
      handlers: [],
      wishes:
        factory === undefined
          ? {}
          : {
              logs: [
                { address: factory, topics: [], children: { told: PAIR_CREATED, topics: [...seen.keys()] } },
              ],
            },
      seeBlock(block) {
        let before: LogFact | undefined;
        for (const told of block.logs) {
          const [topic = ''] = told.topics;
          const pair = pairs.get(told.address);
          const isCreated = told.address === factory && topic === PAIR_CREATED;
          const see = seen.get(topic);
          if (!isCreated && (pair === undefined || see === undefined)) continue;
          const log = inOrder(told, before);
          before = log;
          if (isCreated) created(log, block);
          else if (pair !== undefined) see?.(pair, log, block);
        }
      },
      endBlock: () => undefined,
      async restore(versions) {
        await versions.rows(DEX_PAIRS, ['pair', 'token0', 'token1'], (row) => {
          const pair = newPair(row.pair, row.token0, row.token1);
          pairs.set(pair.pair.slice(2), pair);
        });
        const all = [...pairs.values()].map(({ pair }) => pair);
        const reserves = ['reserve0', 'reserve1', 'before_reserve0', 'before_reserve1'] as const;
        const syncs = ['pair', 'time_ns', 'before_time_ns', ...reserves] as const;
        await versions.lastOfEach(DEX_SYNCS, 'pair', all, SYNC_ORDER, syncs, (row) => {
          const pair = pairs.get(row.pair.slice(2));
          const last = { timeNs: row.time_ns, reserve0: row.reserve0, reserve1: row.reserve1 };
          const before = {
            timeNs: row.before_time_ns,
            reserve0: row.before_reserve0,
            reserve1: row.before_reserve1,
          };
          if (pair !== undefined) pair.last = [last, before].find(isPrice);
        });
        await versions.lastOfEach(
          DEX_SWAPS,
          'pair',
          all,
          SWAP_ORDER,
          ['pair', 'volume0', 'volume1', 'swaps'],
          (row) => {
            const pair = pairs.get(row.pair.slice(2));
            const sums = { volume0: row.volume0, volume1: row.volume1, swaps: row.swaps };
            if (pair !== undefined) Object.assign(pair, sums);
          },
        );
      },
    };
  },
};

function newPair(pair: string, token0: string, token1: string): Pair {
  return { pair, token0, token1, last: undefined, volume0: 0n, volume1: 0n, swaps: 0 };
}

function isPrice({ reserve0, reserve1 }: Sync): boolean {
  return reserve0 > 0n && reserve1 > 0n;
}

/** Rows are ordered by tx and log index, also where a node counts logs anew with each message of a tx. */
function inOrder(log: LogFact, before: LogFact | undefined): LogFact {
  if (before?.txIndex !== log.txIndex || log.logIndex > before.logIndex) return log;
  return { ...log, logIndex: before.logIndex + 1 };
}

function placeOf({ txIndex, logIndex }: LogFact, { height, timeNs }: BlockFacts) {
  return { height, tx_index: txIndex, log_index: logIndex, time_ns: timeNs };
}
