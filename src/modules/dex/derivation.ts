import { hexToBytes } from 'strata-kit/bytes';
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

const PLACE = ['height', 'tx_index', 'log_index'];
/** How rows of a pair are sorted. */
const SYNC_ORDER = ['slot', ...PLACE];
const SWAP_ORDER = ['time_ns', ...PLACE];

/** Pairs of the configured factory, their reserves, swaps and liquidity (modules.md rule 15, logs). */
export const dexDerivation: Derivation<DexState> = {
  module: 'dex',
  tables: [DEX_PAIRS, DEX_SYNCS, DEX_SWAPS, DEX_MINTS, DEX_CLOSES],
  views: [DEX_CLOSES],
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
      const { columns } = tables.pairs;
      columns.pair.text(pair.pair);
      columns.token0.text(pair.token0);
      columns.token1.text(pair.token1);
      place(columns, log, block);
      tables.pairs.rows++;
    };

    const synced = (pair: Pair, log: LogFact, block: BlockFacts): void => {
      const [reserve0, reserve1] = words(log);
      if (reserve0 === undefined || reserve1 === undefined) return;
      const { timeNs } = block;
      const sync = { timeNs, reserve0, reserve1 };
      const { last } = pair;
      const isSameSlot = last !== undefined && slotOf(last.timeNs) === slotOf(timeNs);
      const before = isPrice(sync) && isSameSlot ? undefined : last;
      const { columns } = tables.syncs;
      columns.pair.text(pair.pair);
      columns.slot.u32(Number(slotOf(timeNs)));
      place(columns, log, block);
      columns.reserve0.u256be(word(reserve0));
      columns.reserve1.u256be(word(reserve1));
      columns.before_time_ns.i64big(before?.timeNs ?? 0n);
      columns.before_reserve0.u256be(word(before?.reserve0 ?? 0n));
      columns.before_reserve1.u256be(word(before?.reserve1 ?? 0n));
      tables.syncs.rows++;
      if (isPrice(sync)) pair.last = sync;
    };

    const swapped = (pair: Pair, log: LogFact, block: BlockFacts): void => {
      const [in0, in1, out0, out1] = words(log);
      if (in0 === undefined || in1 === undefined || out0 === undefined || out1 === undefined) return;
      pair.volume0 = BigInt.asUintN(256, pair.volume0 + in0 + out0);
      pair.volume1 = BigInt.asUintN(256, pair.volume1 + in1 + out1);
      pair.swaps++;
      const { columns } = tables.swaps;
      columns.pair.text(pair.pair);
      place(columns, log, block);
      columns.sender.text(`0x${topicAddress(log.topics[1])}`);
      columns.recipient.text(`0x${topicAddress(log.topics[2])}`);
      columns.amount0_in.u256be(word(in0));
      columns.amount1_in.u256be(word(in1));
      columns.amount0_out.u256be(word(out0));
      columns.amount1_out.u256be(word(out1));
      columns.volume0.u256be(word(pair.volume0));
      columns.volume1.u256be(word(pair.volume1));
      columns.swaps.u64(pair.swaps);
      tables.swaps.rows++;
    };

    const minted = ({ pair }: Pair, log: LogFact, block: BlockFacts): void => {
      const [amount0, amount1] = words(log);
      if (amount0 === undefined || amount1 === undefined) return;
      const { columns } = tables.mints;
      columns.pair.text(pair);
      place(columns, log, block);
      columns.sender.text(`0x${topicAddress(log.topics[1])}`);
      columns.amount0.u256be(word(amount0));
      columns.amount1.u256be(word(amount1));
      tables.mints.rows++;
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
          const pair = newPair(row.string(), row.string(), row.string());
          pairs.set(pair.pair.slice(2), pair);
        });
        const all = [...pairs.values()].map(({ pair }) => pair);
        const reserves = ['reserve0', 'reserve1', 'before_reserve0', 'before_reserve1'];
        const syncs = ['pair', 'time_ns', 'before_time_ns', ...reserves];
        await versions.lastOfEach(DEX_SYNCS, 'pair', all, SYNC_ORDER, syncs, (row) => {
          const pair = pairs.get(row.string().slice(2));
          const [timeNs, beforeNs] = [row.i64big(), row.i64big()];
          const last = { timeNs, reserve0: row.u256(), reserve1: row.u256() };
          const before = { timeNs: beforeNs, reserve0: row.u256(), reserve1: row.u256() };
          if (pair !== undefined) pair.last = [last, before].find(isPrice);
        });
        await versions.lastOfEach(
          DEX_SWAPS,
          'pair',
          all,
          SWAP_ORDER,
          ['pair', 'volume0', 'volume1', 'swaps'],
          (row) => {
            const pair = pairs.get(row.string().slice(2));
            const sums = { volume0: row.u256(), volume1: row.u256(), swaps: row.u64() };
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

interface PlaceColumns {
  readonly height: { u64(value: number): void };
  readonly tx_index: { u32(value: number): void };
  readonly log_index: { u32(value: number): void };
  readonly time_ns: { i64big(value: bigint): void };
}

function place(columns: PlaceColumns, log: LogFact, { height, timeNs }: BlockFacts): void {
  columns.height.u64(height);
  columns.tx_index.u32(log.txIndex);
  columns.log_index.u32(log.logIndex);
  columns.time_ns.i64big(timeNs);
}

function word(value: bigint): Uint8Array {
  return hexToBytes(value.toString(16).padStart(64, '0')) ?? new Uint8Array(32);
}
