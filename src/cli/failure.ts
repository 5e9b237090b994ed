import { type ErrorCode, isStrataError } from 'strata-kit/errors';

/** How a failed command speaks: one line with the code and what to do, and its exit code. docs/operations.md lists them. */

export const EXIT_OK = 0;
export const EXIT_FAILED = 1;
export const EXIT_CONFIG = 2;
/** Of verify: there was nothing to compare. */
export const EXIT_NOTHING = 3;

/** What to do, one sentence a code; empty where the messages themselves say it. */
export const REMEDIES: Readonly<Record<ErrorCode, string>> = {
  config_invalid: 'See strata --help.',
  store_in_use: '',
  store_newer_schema: '',
  store_older_schema: '',
  store_other_chain: '',
  store_empty: 'Index into it first (strata index), or check --data and --clickhouse.',
  store_not_empty: 'Give an empty --data folder, or another database in --clickhouse.',
  store_damaged: 'docs/operations.md says how to restore one.',
  store_foreign_object: 'docs/operations.md ("Objects that Strata did not make") says what to do.',
  store_query_failed:
    "Look at the database's own message; for a server, check the user's rights and the free disk space.",
  disk_full: 'Make room and start again: it goes on behind the last commit.',
  store_unreachable:
    'Check the URL of --clickhouse (of the app: --database), user and password, and that the server runs.',
  store_busy: 'Ask again in a moment; if it lasts, the API has more queries than the store can answer.',
  process_ended: 'Its own lines above say why.',
  node_unreachable: 'Check the --rpc URLs and the network, or add another node.',
  node_timeout: 'The node is slow or overloaded: add another node to --rpc.',
  node_bad_answer:
    'Check that --rpc is the CometBFT RPC of a node (port 26657), not REST or gRPC, and no caching proxy.',
  node_rpc_error: "Look at the node's own message, or add another node to --rpc.",
  node_lagging: 'Wait until the node has caught up, or add another node to --rpc.',
  results_not_ready:
    'Wait for the next block; if it lasts, give a node that keeps its results (discard_abci_responses = false) to --rpc.',
  chain_id_mismatch: 'Check --rpc or --capture, and --chain-id if it was given.',
  height_pruned: 'Start at the height named with --from, or give an archive node to --rpc.',
  parent_mismatch: 'docs/operations.md ("What goes wrong outside") says how to find out which side is right.',
  block_refused: 'The nodes give wrong blocks: add another node to --rpc, and start again to go on.',
  block_unusable: 'Add another node to --rpc, and start again to go on.',
  sources_exhausted: 'Every node failed: look at the warnings above, check --rpc, and start again to go on.',
  port_in_use: 'Stop what listens there, or give another address (port 0 takes any free one).',
  devnet_home: 'Stop what else uses the folder, give the seed that it was made with, or another --home.',
  devnet_halted: 'Please report this as a bug, with the folder of --home.',
  tx_undecided: 'Sign nothing in its place before it is decided.',
  tx_not_included: 'It may be signed again.',
  capture_invalid: 'Record the capture again, or fetch a whole copy of the folder.',
  backup_invalid: 'Check --from, or take an older backup.',
  block_malformed: 'Add another node to --rpc; if all answer the same, report it as a bug.',
  derive_failed: 'Please report this as a bug, with the chain and the height.',
  proto_malformed: 'The chain gave a broken descriptor: report it as a bug with the chain and its version.',
  bad_request: 'Check the request.',
  not_found: 'Check the request.',
  method_not_allowed: 'Only GET is served.',
  internal: 'Please report this as a bug.',
  aborted: 'Start again to go on.',
};

export interface Failure {
  readonly exitCode: number;
  readonly code: ErrorCode;
  /** One line with what to do for a failure that Strata foresees; the stack for any other. No line feed at the end. */
  readonly message: string;
}

export function describeFailure(error: unknown): Failure {
  if (!isStrataError(error) || error.code === 'internal') {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { exitCode: EXIT_FAILED, code: 'internal', message: detail };
  }
  return {
    exitCode: error.code === 'config_invalid' ? EXIT_CONFIG : EXIT_FAILED,
    code: error.code,
    message: `${asSentence(error.message)} ${REMEDIES[error.code]}`.trimEnd(),
  };
}

function asSentence(message: string): string {
  const line = message.replace(/\s*\n\s*/g, ' ').trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
