import { bytesToBase64 } from 'strata-kit/bytes';
import { SDK } from 'strata-kit/chain-error';
import { txHash } from '../../comet/hashes.ts';
import type { CheckResult, TxResult } from '../../comet/types.ts';
import { internalError } from '../errors.ts';
import { quote } from '../go-json.ts';
import type { Result } from '../method.ts';
import type { Node } from '../node.ts';
import type { Params } from '../params.ts';
import { printTxResult } from '../print-block.ts';
import { perPage } from './heights.ts';

/** Txs on their way into a block. */

/** What one answer of /unconfirmed_txs holds at most, but for a single tx: the bytes of a block. */
const MAX_SHOWN_BYTES = 4_194_304;

export function unconfirmedTxs({ chain }: Node, params: Params): Result {
  const waiting = chain.mempoolTxs(perPage(params.int('limit')));
  let byteLength = 0;
  const txs = waiting.filter((tx, i) => {
    byteLength += tx.length;
    return i === 0 || byteLength <= MAX_SHOWN_BYTES;
  });
  return printUnconfirmed(chain, txs.length, `[${txs.map((tx) => `"${bytesToBase64(tx)}"`).join(',')}]`);
}

export function numUnconfirmedTxs({ chain }: Node): Result {
  return printUnconfirmed(chain, chain.mempoolSize().count, 'null');
}

function printUnconfirmed(chain: Node['chain'], count: number, txs: string): string {
  const size = chain.mempoolSize();
  return `{"n_txs":"${count}","total":"${size.count}","total_bytes":"${size.bytes}","txs":${txs}}`;
}

/** Answers when the tx has been checked. */
export async function broadcastTxSync(node: Node, params: Params): Promise<Result> {
  const { code, log, codespace, hash } = await addTx(node, params.bytes('tx'));
  return printBroadcast(code, log, codespace, hash);
}

/** Answers at once; whether the tx is refused nobody learns. */
export function broadcastTxAsync(node: Node, params: Params): Result {
  const tx = params.bytes('tx');
  addTx(node, tx).catch(node.onError);
  return printBroadcast(0, '', '', txHash(tx));
}

function printBroadcast(code: number, log: string, codespace: string, hash: string): string {
  return `{"code":${code},"data":"","log":${quote(log)},"codespace":${quote(codespace)},"hash":"${hash}"}`;
}

/** Answers when the tx stands in a block, or has been refused. */
export async function broadcastTxCommit(node: Node, params: Params): Promise<Result> {
  const tx = params.bytes('tx');
  const hash = txHash(tx);
  // before the tx is taken, or its block may come first
  const { included, stop } = node.waiter.wait(hash);
  included.catch(() => {});
  try {
    const check = await addTx(node, tx);
    if (check.code !== 0) return printCommitted(check, NO_RESULT, hash, 0);
    const { block, index } = await included;
    return printCommitted(check, block.results[index] ?? NO_RESULT, hash, block.header.height);
  } finally {
    stop();
  }
}

const NO_RESULT: TxResult = {
  code: 0,
  codespace: '',
  log: '',
  data: new Uint8Array(0),
  gasWanted: 0n,
  gasUsed: 0n,
  events: [],
};

function printCommitted(check: CheckResult, result: TxResult, hash: string, height: number): string {
  const checked = printTxResult({ ...NO_RESULT, ...check });
  return `{"check_tx":${checked},"tx_result":${printTxResult(result)},"hash":"${hash}","height":"${height}"}`;
}

/** What the mempool itself refuses, before the app is asked, is an error of the call. */
async function addTx({ chain }: Node, tx: Uint8Array): Promise<CheckResult> {
  let check: CheckResult;
  try {
    check = await chain.addTx(tx);
  } catch (error) {
    throw internalError(error instanceof Error ? error.message : String(error));
  }
  if (check.codespace === 'sdk' && MEMPOOL_CODES.includes(check.code)) throw internalError(check.log);
  return check;
}

/** Known already, or no room. */
const MEMPOOL_CODES: readonly number[] = [SDK.txInMempool, SDK.mempoolFull];
