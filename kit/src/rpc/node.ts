import type { Caller } from '../http/caller.ts';
import type { Condition } from './conditions.ts';
import type { ParamSpec, Params } from './params.ts';

/** The text of an answer's `result`. */
export type Result = string | Uint8Array;
type Later<T> = T | Promise<T>;

/** What a CometBFT node knows of its chain, as the texts that it prints. A height that is not there is undefined. */
export interface RpcChain {
  /** 0 before the first block. */
  latestHeight(): number;
  /** The highest whose validators and parameters are known: on a running chain those of the next block. */
  decidedHeight(): number;
  /** The lowest that the node still has. */
  earliestHeight(): number;
  /** The result of /block. */
  block(height: number): Later<Result | undefined>;
  /** The result of /block_results. */
  blockResults(height: number): Later<Result | undefined>;
  head(height: number): Later<BlockHead | undefined>;
  /** The commit for this block, which the next block holds as its last. */
  commit(height: number): Later<string | undefined>;
  /** The result of /tx, by a hash in upper-case hex: of its successful inclusion, else of the latest. */
  tx(hash: string): Later<Result | undefined>;
  /** The genesis document. */
  genesis(): string;
  /** The members `node_info` and `validator_info` of /status. */
  identity(): { readonly nodeInfo: string; readonly validatorInfo: string };
  /** The result of /abci_info. */
  abciInfo(): Later<string>;
  /** The result of /validators. */
  validators(height: number, params: Params): string;
  /** The result of /consensus_params. */
  consensusParams(height: number): string;
  /** The result of /abci_query; height 0 is the latest. `printQueryAnswer` makes it. */
  query(path: string, data: Uint8Array, height: number, caller: Caller): Promise<string>;
  /** Awaited between two steps of the work for a client: other work may go ahead. */
  step?(client: string): Promise<void> | undefined;
}

/** What methods other than /block show of a block. */
export interface BlockHead {
  readonly blockId: string;
  readonly header: string;
  readonly hash: string;
  readonly appHash: string;
  readonly time: string;
  readonly sizeBytes: number;
  readonly txCount: number;
}

export interface Method {
  readonly params: readonly ParamSpec[];
  /** Errors: RpcError. */
  readonly answer: (chain: RpcChain, params: Params, caller: Caller) => Later<Result>;
}

export type EventName = 'NewBlock' | 'NewBlockHeader' | 'Tx';

/** What a block says to subscribers: one NewBlock, one NewBlockHeader, and a Tx for each tx. */
export interface SocketEvent {
  /** `"data":{…},"events":{…}`: the end of the message's result. */
  readonly text: string;
  matches(conditions: readonly Condition[]): boolean;
}

/** The events of one name in their order. */
export type BlockEvents = (name: EventName) => readonly SocketEvent[];

/** What the server serves. */
export interface RpcNode {
  readonly chain: RpcChain;
  readonly methods: ReadonlyMap<string, Method>;
  /** Calls with the events of each new block; the answer takes the listener away. */
  onEvents(listener: (events: BlockEvents) => void): () => void;
  /** Hears of what no answer says. */
  onError(error: unknown): void;
  /** Ends what waits for an answer. */
  close(): void;
}
