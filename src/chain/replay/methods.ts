import { bytesToHex } from 'strata-kit/bytes';
import { DESCRIPTORS_PATH, type MetaMethod } from '../capture/format.ts';
import { UNKNOWN_QUERY } from '../capture/source.ts';
import { endOfValue, findMember } from '../json-spans.ts';
import { goJson, internalError } from './answers.ts';
import { type ReplayChain, txResultSpans } from './chain.ts';
import type { ParamSpec, Params } from './params.ts';

/** The RPC methods of a CometBFT 0.38 node that a capture can answer. */
export interface Method {
  readonly params: readonly ParamSpec[];
  /** The `result` text. Errors: RpcFault. */
  readonly answer: (chain: ReplayChain, params: Params) => Promise<Uint8Array>;
}

const HEIGHT: ParamSpec = { name: 'height', kind: 'int' };
const GENESIS_CHUNK_BYTES = 16 * 1024 * 1024;
const BLOCKCHAIN_LIMIT = 20;

const asBytes = (text: string): Uint8Array => Buffer.from(text, 'utf8');

/** By name, as in a POST body or a GET path. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['health', { params: [], answer: async () => asBytes('{}') }],
  [
    'net_info',
    {
      params: [],
      answer: async () => asBytes('{"listening":true,"listeners":["Listener(@)"],"n_peers":"0","peers":[]}'),
    },
  ],
  ['status', { params: [], answer: status }],
  ['abci_info', { params: [], answer: abciInfo }],
  ['genesis', { params: [], answer: async (chain) => asBytes(meta(chain, 'genesis')) }],
  ['genesis_chunked', { params: [{ name: 'chunk', kind: 'int' }], answer: genesisChunked }],
  ['validators', { params: [HEIGHT, int('page'), int('per_page')], answer: atHeight('validators') }],
  ['consensus_params', { params: [HEIGHT], answer: atHeight('consensus_params') }],
  [
    'block',
    { params: [HEIGHT], answer: async (chain, params) => (await chain.texts(pick(chain, params))).block },
  ],
  [
    'block_results',
    { params: [HEIGHT], answer: async (chain, params) => (await chain.texts(pick(chain, params))).results },
  ],
  ['header', { params: [HEIGHT], answer: header }],
  ['commit', { params: [HEIGHT], answer: commit }],
  ['blockchain', { params: [int('minHeight'), int('maxHeight')], answer: blockchain }],
  [
    'tx',
    {
      params: [
        { name: 'hash', kind: 'base64Bytes' },
        { name: 'prove', kind: 'bool' },
      ],
      answer: tx,
    },
  ],
  [
    'abci_query',
    {
      params: [
        { name: 'path', kind: 'string' },
        { name: 'data', kind: 'hexBytes' },
        HEIGHT,
        { name: 'prove', kind: 'bool' },
      ],
      answer: abciQuery,
    },
  ],
]);

function int(name: string): ParamSpec {
  return { name, kind: 'int' };
}

/** The height that a request means, as the node's getHeight decides it; none is the head. */
function pick(chain: ReplayChain, params: Params): number {
  const height = params.int('height');
  const head = chain.head();
  if (height === undefined) return head;
  if (height <= 0) throw internalError(`height must be greater than 0, but got ${height}`);
  if (height > head) {
    throw internalError(
      `height ${height} must be less than or equal to the current blockchain height ${head}`,
    );
  }
  if (height < chain.base)
    throw internalError(`height ${height} is not available, lowest height is ${chain.base}`);
  return height;
}

function meta(chain: ReplayChain, method: MetaMethod): string {
  const text = chain.capture.meta.texts.get(method);
  if (text === undefined) throw internalError(`${method} is not in the capture`);
  return text;
}

interface BlockJson {
  readonly block_id: { readonly hash: string };
  readonly block: {
    readonly header: { readonly app_hash: string; readonly time: string };
    readonly data: { readonly txs: readonly string[] | null };
  };
}

async function blockOf(chain: ReplayChain, height: number): Promise<BlockJson> {
  return JSON.parse((await chain.texts(height)).block.toString('utf8')) as BlockJson;
}

async function status(chain: ReplayChain): Promise<Uint8Array> {
  const recorded = JSON.parse(meta(chain, 'status')) as { sync_info: Record<string, unknown> };
  for (const [prefix, height] of [
    ['latest', chain.head()],
    ['earliest', chain.base],
  ] as const) {
    const { block_id, block } = await blockOf(chain, height);
    recorded.sync_info[`${prefix}_block_hash`] = block_id.hash;
    recorded.sync_info[`${prefix}_app_hash`] = block.header.app_hash;
    recorded.sync_info[`${prefix}_block_height`] = String(height);
    recorded.sync_info[`${prefix}_block_time`] = block.header.time;
  }
  return asBytes(goJson(recorded));
}

async function abciInfo(chain: ReplayChain): Promise<Uint8Array> {
  const recorded = JSON.parse(meta(chain, 'abci_info')) as { response: Record<string, unknown> };
  const results = (await chain.texts(chain.head())).results.toString('latin1');
  recorded.response.last_block_height = String(chain.head());
  const appHash = /"app_hash":"([^"]*)"\}$/.exec(results.slice(-200))?.[1];
  if (appHash !== undefined) recorded.response.last_block_app_hash = appHash;
  return asBytes(goJson(recorded));
}

async function genesisChunked(chain: ReplayChain, params: Params): Promise<Uint8Array> {
  const text = meta(chain, 'genesis');
  const start = findMember(text, 0, 'genesis') ?? 0;
  const genesis = Buffer.from(text.slice(start, endOfValue(text, start)), 'utf8');
  const total = Math.ceil(genesis.length / GENESIS_CHUNK_BYTES);
  const chunk = params.int('chunk') ?? 0;
  if (chunk < 0 || chunk >= total) throw internalError(`there are ${total - 1} chunks, ${chunk} is invalid`);
  const data = genesis
    .subarray(chunk * GENESIS_CHUNK_BYTES, (chunk + 1) * GENESIS_CHUNK_BYTES)
    .toString('base64');
  return asBytes(`{"chunk":"${chunk}","total":"${total}","data":"${data}"}`);
}

/** What was recorded at one height, answered for any other too. */
function atHeight(method: 'validators' | 'consensus_params'): Method['answer'] {
  return async (chain, params) => {
    const height = pick(chain, params);
    return asBytes(meta(chain, method).replace(/^\{"block_height":"\d+"/, `{"block_height":"${height}"`));
  };
}

/** The text of a value inside the block's result, by its path. */
async function partOfBlock(chain: ReplayChain, height: number, ...path: readonly string[]): Promise<string> {
  const text = (await chain.texts(height)).block.toString('latin1');
  let at = 0;
  for (const key of path) {
    const found = findMember(text, at, key);
    if (found === undefined) throw internalError(`the recorded block ${height} has no ${path.join('.')}`);
    at = found;
  }
  return text.slice(at, endOfValue(text, at));
}

async function header(chain: ReplayChain, params: Params): Promise<Uint8Array> {
  const text = await partOfBlock(chain, pick(chain, params), 'block', 'header');
  return Buffer.from(`{"header":${text}}`, 'latin1');
}

/** A block's commit stands in the next block, so that of the capture's last height is not known. */
async function commit(chain: ReplayChain, params: Params): Promise<Uint8Array> {
  const height = pick(chain, params);
  if (height === chain.last) throw internalError(`the commit of height ${height} is not in the capture`);
  const headerText = await partOfBlock(chain, height, 'block', 'header');
  const commitText = await partOfBlock(chain, height + 1, 'block', 'last_commit');
  const isCanonical = height < chain.head();
  return Buffer.from(
    `{"signed_header":{"header":${headerText},"commit":${commitText}},"canonical":${isCanonical}}`,
    'latin1',
  );
}

/** Newest first, 20 at most. block_size is not recorded and answered as 0. */
async function blockchain(chain: ReplayChain, params: Params): Promise<Uint8Array> {
  const given = { min: params.int('minHeight') ?? 0, max: params.int('maxHeight') ?? 0 };
  if (given.min < 0 || given.max < 0) throw internalError('heights must be non-negative');
  const max = Math.min(given.max === 0 ? chain.head() : given.max, chain.head());
  const min = Math.max(given.min, 1, chain.base, max - BLOCKCHAIN_LIMIT + 1);
  if (min > max) throw internalError(`min height ${min} can't be greater than max height ${max}`);
  const metas: string[] = [];
  for (let height = max; height >= min; height--) {
    const id = await partOfBlock(chain, height, 'block_id');
    const headerText = await partOfBlock(chain, height, 'block', 'header');
    const txCount = (await blockOf(chain, height)).block.data.txs?.length ?? 0;
    metas.push(`{"block_id":${id},"block_size":"0","header":${headerText},"num_txs":"${txCount}"}`);
  }
  return Buffer.from(`{"last_height":"${chain.head()}","block_metas":[${metas.join(',')}]}`, 'latin1');
}

async function tx(chain: ReplayChain, params: Params): Promise<Uint8Array> {
  const hash = params.bytes('hash').toString('hex').toUpperCase();
  const place = await chain.findTx(hash);
  if (place === undefined) throw internalError(`tx (${hash}) not found`);
  const { height, index } = place;
  const results = (await chain.texts(height)).results.toString('latin1');
  const span = txResultSpans(results)[index];
  const bytes = (await blockOf(chain, height)).block.data.txs?.[index];
  if (span === undefined || bytes === undefined) throw internalError(`tx (${hash}) not found`);
  const result = results.slice(span.start, span.end);
  return Buffer.from(
    `{"hash":"${hash}","height":"${height}","index":${index},"tx_result":${result},"tx":"${bytes}"}`,
    'latin1',
  );
}

async function abciQuery(chain: ReplayChain, params: Params): Promise<Uint8Array> {
  const path = params.text('path');
  const data = bytesToHex(params.bytes('data'));
  const height = params.int('height') ?? 0;
  if (height > chain.head()) {
    const log = 'cannot query with height in the future; please provide a valid height: invalid height';
    return printAbci({ code: 26, log, value: null, height: '0', codespace: 'sdk' });
  }
  const { descriptors, queries } = chain.capture;
  if (path === DESCRIPTORS_PATH && data === '' && descriptors !== undefined) {
    const value = Buffer.from(descriptors).toString('base64');
    return printAbci({ code: 0, log: '', value, height: String(chain.head()), codespace: '' });
  }
  const found = queries.find((query) => query.path === path && query.data === data);
  if (found !== undefined) return asBytes(`{"response":${goJson(found.response)}}`);
  return printAbci({ ...UNKNOWN_QUERY, value: null, height: '0' });
}

interface AbciFields {
  readonly code: number;
  readonly log: string;
  readonly value: string | null;
  readonly height: string;
  readonly codespace: string;
}

function printAbci({ code, log, value, height, codespace }: AbciFields): Uint8Array {
  const response = { code, log, info: '', index: '0', key: null, value, proofOps: null, height, codespace };
  return asBytes(`{"response":${goJson(response)}}`);
}
