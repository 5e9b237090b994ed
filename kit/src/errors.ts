/**
 * Errors are data. Every failure that Strata foresees is a StrataError with a stable code; one place per
 * process (src/pipeline for indexing, src/api for requests, src/cli for start-up) decides what each does:
 * retry, stop with a reason, or answer.
 */
export type ErrorCode =
  // configuration and start-up: the process stops with exit code 2
  | 'config_invalid'
  // store: the process stops and names what to do
  | 'store_in_use'
  | 'store_newer_schema'
  | 'store_older_schema'
  | 'store_other_chain'
  | 'store_empty'
  | 'store_not_empty'
  | 'store_damaged'
  // the store or a backup holds a table, view or file that Strata did not make; nothing was loaded
  | 'store_foreign_object'
  | 'store_query_failed'
  | 'store_unreachable'
  // the disk of the store, of its spool or of the ClickHouse server has no room left
  | 'disk_full'
  // store: too many queries wait for one session; the caller may try again
  | 'store_busy'
  // serve --processes: the processes end, since one of them does not stay up
  | 'process_ended'
  // source, retryable on the same or another node
  | 'node_unreachable'
  | 'node_timeout'
  | 'node_bad_answer'
  | 'node_rpc_error'
  | 'node_lagging'
  | 'results_not_ready'
  // source: blocks that can be read and are wrong; asked for again, final once every attempt brought such
  | 'block_refused'
  // source: every node gives a block that cannot be used; it may be kept as it is (--accept-bad-blocks)
  | 'block_unusable'
  // source, final: the process stops with the reason
  | 'chain_id_mismatch'
  | 'height_pruned'
  | 'parent_mismatch'
  | 'sources_exhausted'
  // a listener's address is in use
  | 'port_in_use'
  // devnet: the folder's chain cannot go on, or no further block can be made
  | 'devnet_home'
  | 'devnet_halted'
  // strata tx: a signed tx was sent, and it is not certain whether a block holds it or will
  | 'tx_undecided'
  // strata tx: no block holds a signed tx, and none will
  | 'tx_not_included'
  // captures
  | 'capture_invalid'
  // backups
  | 'backup_invalid'
  // a block whose outer shape cannot be read at all
  | 'block_malformed'
  // a module's derivation ran into what it does not foresee: a defect, and nothing of the block is kept
  | 'derive_failed'
  // protobuf bytes that are not what their descriptor says; the message is kept in base64
  | 'proto_malformed'
  // API requests
  | 'bad_request'
  | 'not_found'
  | 'method_not_allowed'
  | 'internal'
  // shutting down
  | 'aborted';

export interface ErrorFacts {
  readonly retryable?: boolean;
  readonly height?: number;
  readonly txIndex?: number;
  /** For height_pruned: the lowest height that the node still has. */
  readonly lowestHeight?: number;
  readonly node?: string;
  readonly cause?: unknown;
}

export class StrataError extends Error {
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly height: number | undefined;
  readonly txIndex: number | undefined;
  readonly lowestHeight: number | undefined;
  readonly node: string | undefined;

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = 'StrataError';
    this.code = code;
    this.retryable = facts.retryable ?? false;
    this.height = facts.height;
    this.txIndex = facts.txIndex;
    this.lowestHeight = facts.lowestHeight;
    this.node = facts.node;
  }
}

export function isStrataError(error: unknown, code?: ErrorCode): error is StrataError {
  return error instanceof StrataError && (code === undefined || error.code === code);
}

/** The plain form that crosses a thread boundary (structured clone drops the class). */
export interface ErrorRecord extends ErrorFacts {
  readonly code: ErrorCode;
  readonly message: string;
}

export function toErrorRecord(error: unknown): ErrorRecord {
  if (error instanceof StrataError) {
    return {
      code: error.code,
      message: error.message,
      retryable: error.retryable,
      ...(error.height === undefined ? {} : { height: error.height }),
      ...(error.txIndex === undefined ? {} : { txIndex: error.txIndex }),
      ...(error.lowestHeight === undefined ? {} : { lowestHeight: error.lowestHeight }),
      ...(error.node === undefined ? {} : { node: error.node }),
    };
  }
  return {
    code: 'internal',
    message: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

export function fromErrorRecord(record: ErrorRecord): StrataError {
  return new StrataError(record.code, record.message, record);
}
