import { bytesToHex } from '../bytes.ts';
import type { Caller } from '../http/caller.ts';
import { internalError } from './errors.ts';
import { base64OrNull, quote } from './go-json.ts';
import type { BlockHead, Method, Result, RpcChain } from './node.ts';
import type { ParamSpec, Params } from './params.ts';

const height = int('height');
const prove: ParamSpec = { name: 'prove', kind: 'bool' };
/** Of /blockchain. */
const MAX_METAS = 20;
const GENESIS_CHUNK_BYTES = 16 * 1024 * 1024;
const NO_TIME = '0001-01-01T00:00:00Z';
export const NO_BLOCK = '{"block_id":{"hash":"","parts":{"total":0,"hash":""}},"block":null}';

/** What every node answers, by name. Parameters are in the order of CometBFT's routes.go. */
export const READ_METHODS: readonly (readonly [name: string, method: Method])[] = [
  ['health', { params: [], answer: () => '{}' }],
  ['status', { params: [], answer: status }],
  ['net_info', { params: [], answer: () => NET_INFO }],
  ['blockchain', { params: [int('minHeight'), int('maxHeight')], answer: blockchain }],
  ['genesis', { params: [], answer: (chain) => `{"genesis":${chain.genesis()}}` }],
  ['genesis_chunked', { params: [int('chunk')], answer: genesisChunked }],
  ['block', { params: [height], answer: block }],
  ['block_results', { params: [height], answer: blockResults }],
  ['commit', { params: [height], answer: commit }],
  ['header', { params: [height], answer: header }],
  ['tx', { params: [{ name: 'hash', kind: 'bytes' }, prove], answer: tx }],
  ['validators', { params: [height, int('page'), int('per_page')], answer: validators }],
  ['consensus_params', { params: [height], answer: consensusParams }],
  [
    'abci_query',
    {
      params: [{ name: 'path', kind: 'string' }, { name: 'data', kind: 'hex' }, height, prove],
      answer: abciQuery,
    },
  ],
  ['abci_info', { params: [], answer: (chain) => chain.abciInfo() }],
];

/** A node without peers. */
const NET_INFO = '{"listening":true,"listeners":["Listener(@)"],"n_peers":"0","peers":[]}';

export function int(name: string): ParamSpec {
  return { name, kind: 'int' };
}

/** The height that a request means, as a node's getHeight decides; none is `latest`. Errors: RpcError. */
function pickHeight(chain: RpcChain, params: Params, latest = chain.latestHeight()): number {
  const given = params.int('height');
  if (given === undefined) return latest;
  if (given <= 0n) throw internalError(`height must be greater than 0, but got ${given}`);
  if (given > BigInt(latest)) {
    throw internalError(
      `height ${given} must be less than or equal to the current blockchain height ${latest}`,
    );
  }
  const lowest = chain.earliestHeight();
  if (given < BigInt(lowest)) {
    throw internalError(`height ${given} is not available, lowest height is ${lowest}`);
  }
  return Number(given);
}

async function status(chain: RpcChain): Promise<Result> {
  const head = chain.latestHeight();
  const latest = await printSync(chain, 'latest', head);
  const earliest = await printSync(chain, 'earliest', head === 0 ? 0 : chain.earliestHeight());
  const { nodeInfo, validatorInfo } = chain.identity();
  return `{"node_info":${nodeInfo},"sync_info":{${latest},${earliest},"catching_up":false},"validator_info":${validatorInfo}}`;
}

async function printSync(chain: RpcChain, which: 'latest' | 'earliest', at: number): Promise<string> {
  const found = at === 0 ? undefined : await chain.head(at);
  return `"${which}_block_hash":"${found?.hash ?? ''}","${which}_app_hash":"${found?.appHash ?? ''}","${which}_block_height":"${at}","${which}_block_time":"${found?.time ?? NO_TIME}"`;
}

async function block(chain: RpcChain, params: Params): Promise<Result> {
  return (await chain.block(pickHeight(chain, params))) ?? NO_BLOCK;
}

async function blockResults(chain: RpcChain, params: Params): Promise<Result> {
  const at = pickHeight(chain, params);
  const found = await chain.blockResults(at);
  if (found === undefined) throw internalError(`could not find results for height #${at}`);
  return found;
}

async function header(chain: RpcChain, params: Params): Promise<Result> {
  return printHeaderResult(await chain.head(pickHeight(chain, params)));
}

export function printHeaderResult(found: BlockHead | undefined): string {
  return `{"header":${found === undefined ? 'null' : found.header}}`;
}

async function commit(chain: RpcChain, params: Params): Promise<Result> {
  const at = pickHeight(chain, params);
  const found = await chain.head(at);
  const seal = await chain.commit(at);
  if (found === undefined || seal === undefined) return 'null';
  const isCanonical = at < chain.latestHeight();
  return `{"signed_header":{"header":${found.header},"commit":${seal}},"canonical":${isCanonical}}`;
}

/** Newest first. */
async function blockchain(chain: RpcChain, params: Params, { client }: Caller): Promise<Result> {
  const head = chain.latestHeight();
  const given = { min: params.int('minHeight') ?? 0n, max: params.int('maxHeight') ?? 0n };
  if (given.min < 0n || given.max < 0n) throw internalError('heights must be non-negative');
  const max = given.max === 0n || given.max > BigInt(head) ? head : Number(given.max);
  const lowest = Math.max(chain.earliestHeight(), max - MAX_METAS + 1);
  const min = given.min > BigInt(lowest) ? given.min : BigInt(lowest);
  if (min > BigInt(max)) throw internalError(`min height ${min} can't be greater than max height ${max}`);
  const metas: string[] = [];
  for (let at = max; at >= Number(min); at--) {
    await chain.step?.(client);
    const found = await chain.head(at);
    if (found !== undefined) metas.push(printMeta(found));
  }
  return `{"last_height":"${head}","block_metas":[${metas.join(',')}]}`;
}

function printMeta({ blockId, sizeBytes, header, txCount }: BlockHead): string {
  return `{"block_id":${blockId},"block_size":"${sizeBytes}","header":${header},"num_txs":"${txCount}"}`;
}

function genesisChunked(chain: RpcChain, params: Params): Result {
  const text = Buffer.from(chain.genesis(), 'utf8');
  const total = Math.ceil(text.length / GENESIS_CHUNK_BYTES);
  const chunk = Number(params.int('chunk') ?? 0n);
  if (chunk < 0 || chunk >= total) throw internalError(`there are ${total - 1} chunks, ${chunk} is invalid`);
  const from = chunk * GENESIS_CHUNK_BYTES;
  return `{"chunk":"${chunk}","total":"${total}","data":"${text.subarray(from, from + GENESIS_CHUNK_BYTES).toString('base64')}"}`;
}

async function tx(chain: RpcChain, params: Params): Promise<Result> {
  refuseProof(params);
  const hash = bytesToHex(params.bytes('hash')).toUpperCase();
  const found = await chain.tx(hash);
  if (found === undefined) throw internalError(`tx (${hash}) not found`);
  return found;
}

export function refuseProof(params: Params): void {
  if (params.flag('prove')) throw internalError('this node gives no proofs');
}

function validators(chain: RpcChain, params: Params): Result {
  return chain.validators(pickHeight(chain, params, chain.decidedHeight()), params);
}

function consensusParams(chain: RpcChain, params: Params): Result {
  return chain.consensusParams(pickHeight(chain, params, chain.decidedHeight()));
}

/** What the app refuses is an answer with a code. */
function abciQuery(chain: RpcChain, params: Params, caller: Caller): Promise<Result> {
  const at = params.int('height') ?? 0n;
  if (at < 0n) throw internalError('height must be non-negative');
  // beyond 2^53 every height is above the head
  const asked = Number(at < 1n << 53n ? at : 1n << 53n);
  return chain.query(params.text('path'), params.bytes('data'), asked, caller);
}

export interface QueryText {
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly value: Uint8Array;
  readonly height: number;
}

export function printQueryAnswer({ code, codespace, log, value, height }: QueryText): string {
  return `{"response":{"code":${code},"log":${quote(log)},"info":"","index":"0","key":null,"value":${base64OrNull(value)},"proofOps":null,"height":"${height}","codespace":${quote(codespace)}}}`;
}
