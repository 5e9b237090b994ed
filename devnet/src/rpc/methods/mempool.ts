import { bytesToBase64 } from 'strata-kit/bytes';
import { SDK } from 'strata-kit/chain-error';
import { internalError } from 'strata-kit/rpc/errors';
import { quote } from 'strata-kit/rpc/go-json';
import { int } from 'strata-kit/rpc/methods';
import type { Method, Result } from 'strata-kit/rpc/node';
import type { ParamSpec, Params } from 'strata-kit/rpc/params';
import { txHash } from '../../comet/hashes.ts';
import type { Chain, CheckResult, TxResult } from '../../comet/types.ts';
import { printTxResult } from '../print-block.ts';
import type { TxWaiter } from '../tx-waiter.ts';
import { perPage } from './pages.ts';

/** Txs on their way into a block. */

/** What one answer of /unconfirmed_txs holds at most, but for a single tx: the bytes of a block. */
const MAX_SHOWN_BYTES = 4_194_304;

const tx: ParamSpec = { name: 'tx', kind: 'bytes' };

export function mempoolMethods(
  chain: Chain,
  waiter: TxWaiter,
  onError: (error: unknown) => void,
): readonly (readonly [name: string, method: Method])[] {
  return [
    [
      'unconfirmed_txs',
      { params: [int('limit')], answer: (_chain, params) => unconfirmedTxs(chain, params) },
    ],
    [
      'num_unconfirmed_txs',
      { params: [], answer: () => printUnconfirmed(chain, chain.mempoolSize().count, 'null') },
    ],
    [
      'broadcast_tx_commit',
      { params: [tx], answer: (_chain, params) => broadcastTxCommit(chain, waiter, params) },
    ],
    ['broadcast_tx_sync', { params: [tx], answer: (_chain, params) => broadcastTxSync(chain, params) }],
    [
      'broadcast_tx_async',
      { params: [tx], answer: (_chain, params) => broadcastTxAsync(chain, params, onError) },
    ],
  ];
}

function unconfirmedTxs(chain: Chain, params: Params): Result {
  const waiting = chain.mempoolTxs(perPage(params.int('limit')));
  let byteLength = 0;
  const txs = waiting.filter((tx, i) => {
    byteLength += tx.length;
    return i === 0 || byteLength <= MAX_SHOWN_BYTES;
  });
  return printUnconfirmed(chain, txs.length, `[${txs.map((tx) => `"${bytesToBase64(tx)}"`).join(',')}]`);
}

function printUnconfirmed(chain: Chain, count: number, txs: string): string {
  const size = chain.mempoolSize();
  return `{"n_txs":"${count}","total":"${size.count}","total_bytes":"${size.bytes}","txs":${txs}}`;
}

/** Answers when the tx has been checked. */
async function broadcastTxSync(chain: Chain, params: Params): Promise<Result> {
  const { code, log, codespace, hash } = await addTx(chain, params.bytes('tx'));
  return printBroadcast(code, log, codespace, hash);
}

/** Answers at once; whether the tx is refused nobody learns. */
function broadcastTxAsync(chain: Chain, params: Params, onError: (error: unknown) => void): Result {
  const tx = params.bytes('tx');
  addTx(chain, tx).catch(onError);
  return printBroadcast(0, '', '', txHash(tx));
}

function printBroadcast(code: number, log: string, codespace: string, hash: string): string {
  return `{"code":${code},"data":"","log":${quote(log)},"codespace":${quote(codespace)},"hash":"${hash}"}`;
}

/** Answers when the tx stands in a block, or has been refused. */
async function broadcastTxCommit(chain: Chain, waiter: TxWaiter, params: Params): Promise<Result> {
  const tx = params.bytes('tx');
  const hash = txHash(tx);
  // before the tx is taken, or its block may come first
  const { included, stop } = waiter.wait(hash);
  included.catch(() => {});
  try {
    const check = await addTx(chain, tx);
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
async function addTx(chain: Chain, tx: Uint8Array): Promise<CheckResult> {
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
