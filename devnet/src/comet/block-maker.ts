import { hexToBytes } from 'strata-kit/bytes';
import type { App } from '../app/app.ts';
import type { AppHash } from '../state/app-hash.ts';
import type { BlockClock } from './clock.ts';
import {
  blockIdOf,
  commitHash,
  consensusHash,
  dataHash,
  EMPTY_HASH,
  hashOfResults,
  txHash,
  validatorsHash,
} from './hashes.ts';
import type { Mempool } from './mempool.ts';
import type { BlockStore } from './store.ts';
import type { Block, BlockId, Header } from './types.ts';
import { NO_COMMIT, type Signer } from './validator.ts';

/** Makes blocks, one on the other. */
export interface BlockMaker {
  make(given?: GivenBlock): Promise<Block>;
}

/** What a block is made of instead of what waits and what the clock says. */
export interface GivenBlock {
  /** Ahead of those of the mempool, unchecked as a proposer may put them. */
  readonly first?: readonly Uint8Array[];
  /** These alone. */
  readonly txs?: readonly Uint8Array[];
  readonly timeNs?: bigint;
}

export interface BlockMakerParts {
  readonly app: App;
  readonly appHash: AppHash;
  readonly store: BlockStore;
  readonly mempool: Mempool;
  readonly signer: Signer;
  readonly clock: BlockClock;
  readonly chainId: string;
  readonly appVersion: number;
  readonly maxBytes: number;
  readonly maxGas: number;
}

/** Room for header and commit. */
const FRAME_BYTES = 2_048;
const BLOCK_VERSION = 11;
const NO_ID: BlockId = { hash: '', partsTotal: 0, partsHash: '' };

export function createBlockMaker(parts: BlockMakerParts): BlockMaker {
  const { app, appHash, store, mempool, signer, clock, chainId, maxBytes, maxGas } = parts;
  const validators = validatorsHash([signer.validator]);
  const consensus = consensusHash(maxBytes, maxGas);
  const proposer = hexToBytes(signer.validator.address) as Uint8Array;

  function headerOn(
    parent: Block | undefined,
    timeNs: bigint,
    lastCommitHash: string,
    txs: readonly Uint8Array[],
  ): Header {
    return {
      blockVersion: BLOCK_VERSION,
      appVersion: parts.appVersion,
      chainId,
      height: (parent?.header.height ?? 0) + 1,
      timeNs,
      lastBlockId: parent?.id ?? NO_ID,
      lastCommitHash,
      dataHash: dataHash(txs),
      validatorsHash: validators,
      nextValidatorsHash: validators,
      consensusHash: consensus,
      appHash: parent?.nextAppHash ?? appHash.current(),
      lastResultsHash: parent === undefined ? EMPTY_HASH : hashOfResults(parent.results),
      evidenceHash: EMPTY_HASH,
      proposerAddress: signer.validator.address,
    };
  }

  /** What the validator signs for the parent; its time is the time of the block on it (BFT time). */
  function commitFor(parent: Block, timeNs: bigint | undefined) {
    const { height } = parent.header;
    const known = store.commitOf(height);
    if (known !== undefined && (timeNs === undefined || timeNs === known.timeNs)) return known;
    if (timeNs !== undefined && timeNs <= parent.header.timeNs)
      throw new Error(`block ${height + 1} must be later than the one before`);
    return signer.commit(chainId, height, parent.id, timeNs ?? clock.next(height + 1, parent.header.timeNs));
  }

  function reap(first: readonly Uint8Array[]): readonly Uint8Array[] {
    const taken = new Set(first.map(txHash));
    const bytes = first.reduce((sum, tx) => sum + tx.length, 0);
    const txs = mempool.reap(maxBytes - FRAME_BYTES - bytes, BigInt(maxGas));
    return taken.size === 0 ? txs : txs.filter((tx) => !taken.has(txHash(tx)));
  }

  return {
    make: (given = {}) =>
      mempool.exclusive(async () => {
        const parent = store.block(store.latestHeight());
        const lastCommit = parent === undefined ? NO_COMMIT : commitFor(parent, given.timeNs);
        const timeNs =
          parent === undefined ? (given.timeNs ?? clock.next(1, clock.genesisTimeNs)) : lastCommit.timeNs;
        const txs = given.txs ?? [...(given.first ?? []), ...reap(given.first ?? [])];
        const header = headerOn(parent, timeNs, commitHash(lastCommit), txs);
        const { id, sizeBytes } = blockIdOf(header, txs, lastCommit);
        const { height } = header;
        const moment = { height, timeNs, blockHash: hexToBytes(id.hash) as Uint8Array, proposer };
        const nextTimeNs = clock.next(height + 1, timeNs);
        const block = await app.finalizeBlock({ ...moment, txs }, ({ results, events, changes }): Block => {
          const made = {
            id,
            header,
            txs,
            lastCommit,
            sizeBytes,
            results,
            events,
            nextAppHash: appHash.apply(changes),
          };
          store.append(made, signer.commit(chainId, height, id, nextTimeNs), changes);
          app.setHead(moment);
          return made;
        });
        await mempool.update(txs, block.results);
        return block;
      }),
  };
}
