import type { Method } from './method.ts';
import { abciQuery } from './methods/abci.ts';
import * as blocks from './methods/blocks.ts';
import * as info from './methods/info.ts';
import * as mempool from './methods/mempool.ts';
import * as txs from './methods/txs.ts';
import type { ParamSpec } from './params.ts';

const height: ParamSpec = { name: 'height', kind: 'int' };
const hash: ParamSpec = { name: 'hash', kind: 'bytes' };
const prove: ParamSpec = { name: 'prove', kind: 'bool' };
const tx: ParamSpec = { name: 'tx', kind: 'bytes' };
const paging: readonly ParamSpec[] = [
  { name: 'page', kind: 'int' },
  { name: 'per_page', kind: 'int' },
];

/** By name, as in a body's `method` or a URL's path. Parameters stand in the order of CometBFT's routes.go. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['health', { params: [], answer: () => '{}' }],
  ['status', { params: [], answer: info.status }],
  ['net_info', { params: [], answer: info.netInfo }],
  ['blockchain', { params: [int('minHeight'), int('maxHeight')], answer: blocks.blockchain }],
  ['genesis', { params: [], answer: info.genesis }],
  ['genesis_chunked', { params: [int('chunk')], answer: info.genesisChunked }],
  ['block', { params: [height], answer: blocks.block }],
  ['block_by_hash', { params: [hash], answer: blocks.blockByHash }],
  ['block_results', { params: [height], answer: blocks.blockResults }],
  ['commit', { params: [height], answer: blocks.commit }],
  ['header', { params: [height], answer: blocks.header }],
  ['header_by_hash', { params: [hash], answer: blocks.headerByHash }],
  ['tx', { params: [hash, prove], answer: txs.txByHash }],
  [
    'tx_search',
    {
      params: [{ name: 'query', kind: 'string' }, prove, ...paging, { name: 'order_by', kind: 'string' }],
      answer: txs.txSearch,
    },
  ],
  ['validators', { params: [height, ...paging], answer: blocks.validators }],
  ['consensus_params', { params: [height], answer: info.consensusParams }],
  ['unconfirmed_txs', { params: [int('limit')], answer: mempool.unconfirmedTxs }],
  ['num_unconfirmed_txs', { params: [], answer: mempool.numUnconfirmedTxs }],
  ['broadcast_tx_commit', { params: [tx], answer: mempool.broadcastTxCommit }],
  ['broadcast_tx_sync', { params: [tx], answer: mempool.broadcastTxSync }],
  ['broadcast_tx_async', { params: [tx], answer: mempool.broadcastTxAsync }],
  [
    'abci_query',
    {
      params: [{ name: 'path', kind: 'string' }, { name: 'data', kind: 'hex' }, height, prove],
      answer: abciQuery,
    },
  ],
  ['abci_info', { params: [], answer: info.abciInfo }],
]);

function int(name: string): ParamSpec {
  return { name, kind: 'int' };
}
