import { hexToBytes } from '../../core/bytes.ts';
import type { Derivation } from '../../derive/derivation.ts';
import type { BlockFacts, LogFact } from '../../derive/facts.ts';
import { dataAddress, MINT, PAIR_CREATED, SWAP, SYNC, topicAddress, words } from './logs.ts';
import { DEX_MINTS, DEX_PAIRS, DEX_SWAPS, DEX_SYNCS } from './tables.ts';

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
}

/** Pairs of the configured factory, their reserves, swaps and liquidity (modules.md rule 15, logs). */
export const dexDerivation: Derivation<DexState> = {
  module: 'dex',
  tables: [DEX_PAIRS, DEX_SYNCS, DEX_SWAPS, DEX_MINTS],
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
      const pair = {
        pair: `0x${address}`,
        token0: `0x${topicAddress(token0)}`,
        token1: `0x${topicAddress(token1)}`,
      };
      pairs.set(address, pair);
      const { columns } = tables.pairs;
      columns.pair.text(pair.pair);
      columns.token0.text(pair.token0);
      columns.token1.text(pair.token1);
      place(columns, log, block);
      tables.pairs.rows++;
    };

    const synced = ({ pair }: Pair, log: LogFact, block: BlockFacts): void => {
      const [reserve0, reserve1] = words(log);
      if (reserve0 === undefined || reserve1 === undefined) return;
      const { columns } = tables.syncs;
      columns.pair.text(pair);
      place(columns, log, block);
      columns.reserve0.u256be(word(reserve0));
      columns.reserve1.u256be(word(reserve1));
      tables.syncs.rows++;
    };

    const swapped = ({ pair }: Pair, log: LogFact, block: BlockFacts): void => {
      const [in0, in1, out0, out1] = words(log);
      if (in0 === undefined || in1 === undefined || out0 === undefined || out1 === undefined) return;
      const { columns } = tables.swaps;
      columns.pair.text(pair);
      place(columns, log, block);
      columns.sender.text(`0x${topicAddress(log.topics[1])}`);
      columns.recipient.text(`0x${topicAddress(log.topics[2])}`);
      columns.amount0_in.u256be(word(in0));
      columns.amount1_in.u256be(word(in1));
      columns.amount0_out.u256be(word(out0));
      columns.amount1_out.u256be(word(out1));
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
        for (const log of block.logs) {
          const [topic = ''] = log.topics;
          const pair = pairs.get(log.address);
          if (log.address === factory && topic === PAIR_CREATED) created(log, block);
          else if (pair !== undefined) seen.get(topic)?.(pair, log, block);
        }
      },
      endBlock: () => undefined,
      restore: (versions) =>
        versions.rows(DEX_PAIRS, ['pair', 'token0', 'token1'], (row) => {
          const pair = { pair: row.string(), token0: row.string(), token1: row.string() };
          pairs.set(pair.pair.slice(2), pair);
        }),
    };
  },
};

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
