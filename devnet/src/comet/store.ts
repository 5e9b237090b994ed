import { LRUCache } from 'lru-cache';
import type { JsonObject } from 'strata-kit/proto-json';
import { HomeError } from '../home-error.ts';
import { createHistory, type History } from '../state/history.ts';
import type { Kv, KvBatch } from '../state/kv.ts';
import { type Change, numberKey, type Reader } from '../state/state.ts';
import type { Texts } from '../state/texts.ts';
import { blockWeight } from './block-weight.ts';
import { txHash } from './hashes.ts';
import type { Block, Commit } from './types.ts';

/** What the chain keeps: its genesis, blocks with results, where txs stand, and the state at every kept height. */
export interface BlockStore {
  /** Undefined in a new store. */
  readonly genesis: JsonObject | undefined;
  readonly history: History;
  latestHeight(): number;
  earliestHeight(): number;
  block(height: number): Block | undefined;
  commitOf(height: number): Commit | undefined;
  heightOfBlock(hash: string): number | undefined;
  placeOfTx(hash: string): { readonly height: number; readonly index: number } | undefined;
  begin(genesis: JsonObject, changes: readonly Change[]): void;
  /** The next block with the commit for it and what it changed: all in one transaction. */
  append(block: Block, commit: Commit, changes: readonly Change[]): void;
  readerAt(height: number): Reader;
  /** The same as it is stored; undefined where the height is not kept any more. */
  textsAt(height: number): Texts | undefined;
  close(): Promise<void>;
}

interface TxPlace {
  readonly height: number;
  readonly index: number;
  readonly isSuccess: boolean;
}

interface StoredBlock {
  readonly block: Block;
  readonly commit: Commit;
}

const GENESIS = 'm\0genesis';
/** Blocks that are asked for again and again. */
const READ_BLOCKS = 256;
/** What they hold together: the largest have some 15 MB. */
const READ_BYTES = 128_000_000;

export interface StoreOptions {
  /** How many heights; undefined for all. */
  readonly keep: number | undefined;
  /** False: blocks alone, and no state at any height. */
  readonly keepsStates?: boolean;
}

export function openBlockStore(kv: Kv, { keep, keepsStates = true }: StoreOptions): BlockStore {
  const history = createHistory(kv, {
    remembersChanges: keep !== undefined,
    keepsNewest: kv.isKept,
    keepsVersions: keepsStates,
  });
  const read = new LRUCache<number, StoredBlock>({
    max: READ_BLOCKS,
    maxSize: READ_BYTES,
    sizeCalculation: ({ block }) => blockWeight(block),
  });
  let genesis = kv.get(GENESIS) as JsonObject | undefined;
  let latest = heightOf(kv.last('b\0', 'b\x01'));
  let earliest = heightOf(first(kv, 'b\0', 'b\x01'));

  function stored(height: number): StoredBlock | undefined {
    const known = read.get(height);
    if (known !== undefined) return known;
    const found = kv.get(blockKey(height)) as StoredBlock | undefined;
    if (found !== undefined) read.set(height, found);
    return found;
  }

  function forget(batch: KvBatch, height: number): void {
    const old = stored(height);
    if (old === undefined) return;
    batch.remove(blockKey(height));
    batch.remove(`n\0${old.block.id.hash}`);
    for (const tx of old.block.txs) {
      const key = `t\0${txHash(tx)}`;
      if ((kv.get(key) as TxPlace | undefined)?.height === height) batch.remove(key);
    }
    read.delete(height);
  }

  return {
    get genesis() {
      return genesis;
    },
    history,
    latestHeight: () => latest,
    earliestHeight: () => earliest,
    block: (height) => stored(height)?.block,
    commitOf: (height) => stored(height + 1)?.block.lastCommit ?? stored(height)?.commit,
    heightOfBlock: (hash) => kv.get(`n\0${hash}`) as number | undefined,
    placeOfTx(hash) {
      const place = kv.get(`t\0${hash}`) as TxPlace | undefined;
      return place === undefined ? undefined : { height: place.height, index: place.index };
    },
    begin(document, changes) {
      kv.write((batch) => {
        batch.put(GENESIS, document);
        history.add(batch, 0, changes);
      });
      genesis = document;
    },
    append(block, commit, changes) {
      const { height } = block.header;
      if (height !== latest + 1) throw new Error(`block ${height} does not follow ${latest}`);
      const lowest = keep === undefined ? 1 : Math.max(1, height - keep + 1);
      kv.write((batch) => {
        if (kv.get(blockKey(height)) !== undefined)
          throw new HomeError(`another process has made block ${height} of this chain`);
        batch.put(blockKey(height), { block, commit } satisfies StoredBlock);
        batch.put(`n\0${block.id.hash}`, height);
        for (const [index, tx] of block.txs.entries()) {
          const key = `t\0${txHash(tx)}`;
          const isSuccess = block.results[index]?.code === 0;
          const before = kv.get(key) as TxPlace | undefined;
          if (isSuccess || before?.isSuccess !== true)
            batch.put(key, { height, index, isSuccess } satisfies TxPlace);
        }
        history.add(batch, height, changes);
      });
      read.set(height, { block, commit });
      latest = height;
      if (earliest === 0) earliest = 1;
      // a store may come to a smaller number than it was filled with
      if (earliest < lowest) {
        const from = earliest;
        kv.write((batch) => {
          for (let old = from; old < lowest; old++) {
            forget(batch, old);
            history.forgetBefore(batch, old + 1);
          }
        });
        earliest = lowest;
      }
    },
    readerAt: (height) => history.readerAt(height),
    textsAt: (height) => (height >= earliest || earliest <= 1 ? history.textsAt(height) : undefined),
    close: () => kv.close(),
  };
}

function blockKey(height: number): string {
  return `b\0${numberKey(height)}`;
}

function heightOf(entry: readonly [string, unknown] | undefined): number {
  return entry === undefined ? 0 : Number(entry[0].slice(2));
}

function first(kv: Kv, from: string, to: string): readonly [string, unknown] | undefined {
  for (const entry of kv.range(from, to)) return entry;
  return undefined;
}
