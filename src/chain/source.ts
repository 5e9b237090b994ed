/** The port between a chain and the indexer: raw bytes of height ranges in, nothing parsed. */

/** What a source knows of its chain, asked anew at each call. */
export interface ChainHead {
  readonly chainId: string;
  readonly earliestHeight: number;
  readonly latestHeight: number;
  /** The app's protocol version, which headers carry as version.app; `0` where the chain never set one. */
  readonly appVersion: string;
  /** The version of the node's binary (abci_info), e.g. `v0.6.0`: it changes with every upgrade. */
  readonly softwareVersion?: string;
}

/**
 * One response body that holds blocks, as the wire or the disk gave it.
 * - `rpc`: a JSON-RPC answer (a batch array, or one object) to requests whose ids are
 *   `2 * (height - fromHeight)` for `block` and `2 * (height - fromHeight) + 1` for `block_results`,
 *   fromHeight being the RawBody's own.
 * - `capture`: lines `{"height":N,"block":{…},"block_results":{…}}`, one a height, in height order.
 */
export interface RawBody {
  readonly layout: 'rpc' | 'capture';
  readonly fromHeight: number;
  readonly toHeight: number;
  readonly bytes: Uint8Array;
}

/** Heights fromHeight..toHeight, both included; bodies are in height order and leave no gap. */
export interface RawRange {
  readonly fromHeight: number;
  readonly toHeight: number;
  readonly bodies: readonly RawBody[];
  readonly byteLength: number;
  /** Which node or folder answered, for reports and failover. */
  readonly origin: string;
}

export interface FetchOptions {
  /** A node's error objects in place of results are part of the bytes. Otherwise another node is asked, or the same one again. */
  readonly keepsRefusals?: boolean;
}

/** An answer of abci_query: `value` is raw protobuf, empty when the node sent null. */
export interface AbciAnswer {
  readonly code: number;
  readonly log: string;
  readonly height: number;
  readonly value: Uint8Array;
}

export interface BlockSource {
  /** For logs: the URLs or the folder. */
  readonly name: string;

  /** The text of the genesis where the source has it at hand, as a capture does; nodes are asked by RpcCaller. */
  readonly genesis?: string | undefined;

  /** Errors: node_unreachable, node_timeout once every node has failed. */
  head(signal?: AbortSignal): Promise<ChainHead>;

  /**
   * Of several nodes: those of this chain count from now on, instead of the chain of most. False, and nothing changes,
   * where there is no such node.
   */
  expectChain?(chainId: string): boolean;

  /**
   * The bytes of a height range, each body over memory of its own, so that it can be transferred. Retries,
   * back-off and failover happen inside; an error that leaves is final for this call: height_pruned,
   * node_lagging (above every node's head), chain_id_mismatch, sources_exhausted, aborted.
   */
  fetch(
    fromHeight: number,
    toHeight: number,
    signal?: AbortSignal,
    options?: FetchOptions,
  ): Promise<RawRange>;

  /** How many heights on their way at once keep the source busy; undefined: few. */
  wantedHeights?(): number;

  /**
   * The bytes of a range that fetch returned could not be used (an error object inside a batch, a block of
   * another height or chain, truncated JSON). The source marks the origin's health; the caller fetches again.
   * Errors: capture_invalid from a capture, where fetching again gives the same bytes.
   */
  reportBad(range: RawRange, reason: Error): void;

  /** Raw abci_query. Errors like head(); a code other than 0 is an answer, not an error. */
  abciQuery(path: string, data: Uint8Array, height?: number, signal?: AbortSignal): Promise<AbciAnswer>;

  /**
   * Resolves when the chain may have a block above `height`, or after `timeoutMs`. A hint only: the caller
   * asks head() for the truth.
   */
  waitForHeightAbove(height: number, timeoutMs: number, signal?: AbortSignal): Promise<void>;

  close(): Promise<void>;
}

/** A source that is a node: any other RPC method, for what only recording and start-up ask. */
export interface RpcCaller {
  /**
   * The `result` text as the node printed it. `attemptsPerNode`: as the source's own unless given. Errors like
   * BlockSource.head; node_rpc_error when it refuses.
   */
  call(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal?: AbortSignal,
    attemptsPerNode?: number,
  ): Promise<string>;
}

export function isRpcCaller(source: BlockSource): source is BlockSource & RpcCaller {
  return 'call' in source;
}
