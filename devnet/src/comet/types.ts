import type { AbciEvent } from 'strata-kit/abci-event';
import type { Caller } from 'strata-kit/http/caller';
import type { JsonObject } from 'strata-kit/proto-json';
import type { KnownAs } from '../app/module.ts';

/** Blocks and results as CometBFT 0.38 holds them. Hashes are upper-case hex, empty text where there is none. */

export interface BlockId {
  readonly hash: string;
  readonly partsTotal: number;
  readonly partsHash: string;
}

export interface Header {
  /** version.block (11) and version.app. */
  readonly blockVersion: number;
  readonly appVersion: number;
  readonly chainId: string;
  readonly height: number;
  readonly timeNs: bigint;
  readonly lastBlockId: BlockId;
  readonly lastCommitHash: string;
  readonly dataHash: string;
  readonly validatorsHash: string;
  readonly nextValidatorsHash: string;
  readonly consensusHash: string;
  /** Of the state after the block before. */
  readonly appHash: string;
  readonly lastResultsHash: string;
  readonly evidenceHash: string;
  /** Of the validator: 20 bytes. */
  readonly proposerAddress: string;
}

/** The one validator's precommit for a block. */
export interface Commit {
  /** 0 in the first block, which has no signatures. */
  readonly height: number;
  readonly blockId: BlockId;
  readonly validatorAddress: string;
  readonly timeNs: bigint;
  /** Ed25519, 64 bytes. */
  readonly signature: Uint8Array;
}

export interface TxResult {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  /** TxMsgData. */
  readonly data: Uint8Array;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  /** With `msg_index` where they come from a message. */
  readonly events: readonly AbciEvent[];
}

export interface Block {
  readonly id: BlockId;
  readonly header: Header;
  readonly txs: readonly Uint8Array[];
  readonly lastCommit: Commit;
  /** Of the block as CometBFT's protobuf. */
  readonly sizeBytes: number;
  readonly results: readonly TxResult[];
  /** With `mode`; PreBlock events would have none. */
  readonly events: readonly AbciEvent[];
  /** Of the state after this block, which the next header holds. */
  readonly nextAppHash: string;
}

export interface Validator {
  readonly address: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly power: number;
}

/** What a mempool says of a tx. */
export interface CheckResult {
  readonly hash: string;
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  /** CPU time that it may take in a block beyond what its gas stands for; 0 unless given. */
  readonly freeWorkNs?: number;
  /** Of a tx that carries another one. */
  readonly known?: KnownAs | undefined;
}

export interface QueryAnswer {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly value: Uint8Array;
  readonly height: number;
}

/** What the JSON-RPC servers ask of the chain. */
export interface Chain {
  readonly chainId: string;
  /** The genesis document: what `/genesis` answers as its member `genesis`. Its consensus_params hold for good. */
  readonly genesis: JsonObject;
  readonly validator: Validator;
  readonly appVersion: number;
  /** As abci_info tells it. */
  readonly binaryVersion: string;
  /** 0 before the first block. */
  latestHeight(): number;
  earliestHeight(): number;
  block(height: number): Block | undefined;
  /** The commit for this block, which the next one holds as its last. */
  commitOf(height: number): Commit | undefined;
  heightOfBlock(hash: string): number | undefined;
  /** The successful inclusion of a tx, else the latest. */
  placeOfTx(hash: string): { readonly height: number; readonly index: number } | undefined;
  mempoolSize(): { readonly count: number; readonly bytes: number };
  /** In the order in which they would be included, `limit` at most. */
  mempoolTxs(limit: number): readonly Uint8Array[];
  /** The waiting tx that carries another one with this hash, such as an Ethereum tx. */
  waitingTx(hash: string): Uint8Array | undefined;
  /** The sequence after those of the sender's waiting txs that carry another one; undefined where none waits. */
  waitingSequence(sender: string): bigint | undefined;
  /** Takes a tx into the mempool, or says why not. */
  addTx(tx: Uint8Array): Promise<CheckResult>;
  /**
   * abci_query: gRPC paths, `/app/simulate`, and `/store/…` refused. Height 0 is the latest. Errors: SimulationStop, where
   * a simulation has no result.
   */
  query(path: string, data: Uint8Array, height: number, caller?: Caller): Promise<QueryAnswer>;
  /** Calls after each block; the answer takes the listener away. */
  onBlock(listener: (block: Block) => void): () => void;
}
