import { LRUCache } from 'lru-cache';
import { SDK } from 'strata-kit/chain-error';
import type { App } from '../app/app.ts';
import type { KnownAs } from '../app/module.ts';
import { createQueue } from '../app/queue.ts';
import { txHash } from './hashes.ts';
import type { CheckResult, TxResult } from './types.ts';

/** Txs that wait for a block, in the order in which they came: so those of one sender are in that of their sequences. */
export interface Mempool {
  /** Takes a tx, or says why not: what the ante refuses, sdk/19 (known), sdk/20 (full), sdk/21 (too large). */
  add(tx: Uint8Array): Promise<CheckResult>;
  /** The first ones that fit, also by the work that their gas does not pay for. */
  reap(maxBytes: number, maxGas: bigint): readonly Uint8Array[];
  size(): { readonly count: number; readonly bytes: number };
  txs(limit: number): readonly Uint8Array[];
  /** By `KnownAs.hash`. */
  find(hash: string): Uint8Array | undefined;
  /** After those of the sender's txs; undefined where none of them waits. */
  nextSequence(sender: string): bigint | undefined;
  /** Nothing is taken in while `task` runs: for the making of a block, which ends with `update`. */
  exclusive<T>(task: () => Promise<T>): Promise<T>;
  /** After a block: takes its txs away and looks anew at those that stay. */
  update(txs: readonly Uint8Array[], results: readonly TxResult[]): Promise<void>;
}

export interface MempoolOptions {
  readonly app: App;
  readonly maxTxs: number;
  readonly maxBytes: number;
  /** What became invalid by a block, and why. */
  readonly onDrop?: (dropped: CheckResult) => void;
}

interface Waiting {
  readonly bytes: Uint8Array;
  readonly gasWanted: bigint;
  readonly freeWorkNs: number;
  readonly known: KnownAs | undefined;
}

/**
 * Work of a block that no gas pays for: 166 txs that run contracts. With the work that 40 million gas stands for, a block takes
 * about 3 s at most. Only the proposer counts it, so it changes no result of any block.
 */
const MOST_FREE_WORK_NS = 1_000_000_000;

/** Hashes that were seen of late, as CometBFT's own cache has it. */
const SEEN_TXS = 10_000;

export function createMempool({ app, maxTxs, maxBytes, onDrop }: MempoolOptions): Mempool {
  const queue = createQueue();
  const waiting = new Map<string, Waiting>();
  const known = createKnownTxs();
  const seen = new LRUCache<string, true>({ max: SEEN_TXS });
  let bytesWaiting = 0;

  function refuse(hash: string, code: number, log: string): CheckResult {
    return { hash, code, codespace: 'sdk', log, gasWanted: 0n, gasUsed: 0n };
  }

  function take(hash: string): void {
    const found = waiting.get(hash);
    if (found === undefined) return;
    waiting.delete(hash);
    known.remove(found);
    bytesWaiting -= found.bytes.length;
  }

  async function add(bytes: Uint8Array): Promise<CheckResult> {
    const hash = txHash(bytes);
    if (waiting.size >= maxTxs || bytesWaiting + bytes.length > maxBytes) {
      const log = `mempool is full: number of txs ${waiting.size} (max: ${maxTxs}), total txs bytes ${bytesWaiting} (max: ${maxBytes})`;
      return refuse(hash, SDK.mempoolFull, log);
    }
    if (waiting.has(hash) || seen.has(hash))
      return refuse(hash, SDK.txInMempool, 'tx already exists in cache');
    seen.set(hash, true);
    const checked = await app.checkTx(bytes);
    if (checked.code !== 0) {
      seen.delete(hash);
      return checked;
    }
    const { gasWanted, freeWorkNs = 0 } = checked;
    const tx = { bytes, gasWanted, freeWorkNs, known: checked.known };
    waiting.set(hash, tx);
    known.add(tx);
    bytesWaiting += bytes.length;
    return checked;
  }

  return {
    add(bytes) {
      // those whose check waits count too, or many at once would pass the bound
      if (queue.size > maxTxs) {
        const log = `mempool is full: number of txs ${queue.size} (max: ${maxTxs}), total txs bytes ${bytesWaiting} (max: ${maxBytes})`;
        return Promise.resolve(refuse(txHash(bytes), SDK.mempoolFull, log));
      }
      return queue.run(() => add(bytes));
    },
    reap(mostBytes, mostGas) {
      const txs: Uint8Array[] = [];
      let bytes = 0;
      let gas = 0n;
      let freeWorkNs = 0;
      for (const tx of waiting.values()) {
        bytes += tx.bytes.length;
        gas += tx.gasWanted;
        freeWorkNs += tx.freeWorkNs;
        if (bytes > mostBytes || gas > mostGas || freeWorkNs > MOST_FREE_WORK_NS) break;
        txs.push(tx.bytes);
      }
      return txs;
    },
    size: () => ({ count: waiting.size, bytes: bytesWaiting }),
    txs: (limit) => [...waiting.values()].slice(0, limit).map(({ bytes }) => bytes),
    find: known.find,
    nextSequence: known.nextSequence,
    exclusive: (task) => queue.run(task),
    async update(txs, results) {
      for (const [i, bytes] of txs.entries()) {
        const hash = txHash(bytes);
        take(hash);
        // a failed tx may come again
        if (results[i]?.code === 0) seen.set(hash, true);
        else seen.delete(hash);
      }
      for (const [hash, { bytes }] of [...waiting]) {
        const checked = await app.checkTx(bytes, 'recheck');
        if (checked.code === 0) continue;
        take(hash);
        seen.delete(hash);
        onDrop?.(checked);
      }
    },
  };
}

/** Waiting txs by what they carry, so that nobody looks through all of them. */
function createKnownTxs() {
  const byHash = new Map<string, Uint8Array>();
  const sequences = new Map<string, Set<bigint>>();
  return {
    add({ known, bytes }: Waiting): void {
      if (known === undefined) return;
      byHash.set(known.hash, bytes);
      const ofSender = sequences.get(known.sender) ?? new Set<bigint>();
      sequences.set(known.sender, ofSender.add(known.sequence));
    },
    remove({ known }: Waiting): void {
      if (known === undefined) return;
      byHash.delete(known.hash);
      const ofSender = sequences.get(known.sender);
      ofSender?.delete(known.sequence);
      if (ofSender?.size === 0) sequences.delete(known.sender);
    },
    find: (hash: string) => byHash.get(hash),
    nextSequence(sender: string): bigint | undefined {
      let next: bigint | undefined;
      for (const sequence of sequences.get(sender) ?? [])
        if (next === undefined || sequence >= next) next = sequence + 1n;
      return next;
    },
  };
}
