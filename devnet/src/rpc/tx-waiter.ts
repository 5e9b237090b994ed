import { internalError } from 'strata-kit/rpc/errors';
import { txHash } from '../comet/hashes.ts';
import type { Block, Chain } from '../comet/types.ts';

/** A tx in a block. */
export interface IncludedTx {
  readonly block: Block;
  readonly index: number;
}

/** Waits until txs stand in a block, for broadcast_tx_commit. */
export interface TxWaiter {
  /**
   * Where the tx of that hash (upper-case hex) stands, once it does. `stop` gives the wait up.
   * Errors: RpcError when too many wait; the promise rejects with one at the deadline and at the end.
   */
  wait(hash: string): { readonly included: Promise<IncludedTx>; readonly stop: () => void };
  close(): void;
}

/** CometBFT's rpc.max_subscription_clients, which bounds these too. */
const MAX_WAITERS = 100;

interface Waiter {
  readonly hash: string;
  readonly resolve: (tx: IncludedTx) => void;
  readonly reject: (error: Error) => void;
}

export function createTxWaiter(chain: Chain, timeoutMs: number): TxWaiter {
  const waiters = new Set<Waiter>();
  const forget = chain.onBlock((block) => {
    if (waiters.size === 0) return;
    const places = new Map(block.txs.map((tx, index) => [txHash(tx), index]));
    for (const waiter of waiters) {
      const index = places.get(waiter.hash);
      if (index !== undefined) waiter.resolve({ block, index });
    }
  });

  return {
    wait(hash) {
      if (waiters.size >= MAX_WAITERS) throw internalError(`max_subscription_clients ${MAX_WAITERS} reached`);
      let stop = (): void => {};
      const included = new Promise<IncludedTx>((resolve, reject) => {
        const waiter: Waiter = { hash, resolve, reject };
        const timer = setTimeout(() => {
          reject(internalError('timed out waiting for tx to be included in a block'));
        }, timeoutMs);
        stop = () => {
          clearTimeout(timer);
          waiters.delete(waiter);
        };
        waiters.add(waiter);
      });
      return { included: included.finally(stop), stop };
    },
    close() {
      forget();
      for (const { reject } of waiters) reject(internalError('the node is shutting down'));
    },
  };
}
