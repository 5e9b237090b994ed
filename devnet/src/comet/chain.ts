import { SDK } from 'strata-kit/chain-error';
import type { Caller } from 'strata-kit/http/caller';
import type { App } from '../app/app.ts';
import { createQuerying } from '../app/query.ts';
import { NOBODY, type Simulations } from '../simulation/simulations.ts';
import type { Mempool } from './mempool.ts';
import type { BlockStore } from './store.ts';
import type { Block, Chain, QueryAnswer, Validator } from './types.ts';

export interface ChainParts {
  readonly app: App;
  readonly store: BlockStore;
  readonly mempool: Mempool;
  readonly validator: Validator;
  readonly appVersion: number;
  readonly binaryVersion: string;
  readonly keepsStates: boolean;
  readonly simulations: Simulations;
  /** Of queries that read much. */
  readonly walks: Simulations;
}

/** The chain as its servers see it, and who tells them of new blocks. */
export function createChain(parts: ChainParts): {
  readonly chain: Chain;
  readonly announce: (block: Block) => void;
} {
  const { app, store, mempool } = parts;
  const listeners = new Set<(block: Block) => void>();
  const querying = createQuerying(app, parts.simulations, parts.walks, { version: parts.binaryVersion });
  const { genesis } = store;
  if (genesis === undefined) throw new Error('a chain without a genesis');

  async function query(
    path: string,
    data: Uint8Array,
    height: number,
    caller: Caller = NOBODY,
  ): Promise<QueryAnswer> {
    const latest = store.latestHeight();
    const at = height === 0 ? latest : height;
    const refused = (code: number, log: string): QueryAnswer => ({
      code,
      codespace: 'sdk',
      log,
      value: new Uint8Array(0),
      height: at,
    });
    if (at < 0)
      return refused(
        SDK.invalidRequest,
        'cannot query with height < 0; please provide a valid height: invalid request',
      );
    if (at > latest) {
      return refused(
        SDK.invalidHeight,
        'cannot query with height in the future; please provide a valid height: invalid height',
      );
    }
    const timeNs = store.block(at)?.header.timeNs;
    const texts = parts.keepsStates ? store.textsAt(at) : undefined;
    if (texts === undefined || at < store.earliestHeight() || (timeNs === undefined && at > 0)) {
      return refused(
        SDK.invalidRequest,
        `failed to load state at height ${at}; version does not exist (latest height: ${latest}): invalid request`,
      );
    }
    const { parameters } = app;
    const view = {
      texts,
      at: { height: at, timeNs: timeNs ?? app.head().timeNs, parameters },
    };
    return querying(path, data, view, caller);
  }

  return {
    chain: {
      chainId: app.parameters.chainId,
      genesis,
      validator: parts.validator,
      appVersion: parts.appVersion,
      binaryVersion: parts.binaryVersion,
      latestHeight: store.latestHeight,
      earliestHeight: store.earliestHeight,
      block: store.block,
      commitOf: store.commitOf,
      heightOfBlock: store.heightOfBlock,
      placeOfTx: store.placeOfTx,
      mempoolSize: mempool.size,
      mempoolTxs: mempool.txs,
      waitingTx: mempool.find,
      waitingSequence: mempool.nextSequence,
      addTx: mempool.add,
      query,
      onBlock(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
    },
    announce: (block) => {
      for (const listener of listeners) listener(block);
    },
  };
}
