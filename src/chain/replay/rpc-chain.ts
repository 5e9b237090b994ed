import { bytesToHex } from 'strata-kit/bytes';
import { internalError } from 'strata-kit/rpc/errors';
import { goJson } from 'strata-kit/rpc/go-json';
import { printQueryAnswer } from 'strata-kit/rpc/methods';
import type { BlockHead, RpcChain } from 'strata-kit/rpc/node';
import { DESCRIPTORS_PATH, type MetaMethod } from '../capture/format.ts';
import { UNKNOWN_QUERY } from '../capture/source.ts';
import { endOfValue, findMember, walkArray } from '../json-spans.ts';
import { type ReplayChain, txResultSpans } from './chain.ts';

/** A capture as texts. Errors of its members: RpcError for what was not recorded. */
export function rpcChain(chain: ReplayChain): RpcChain {
  const meta = (method: MetaMethod): string => {
    const text = chain.capture.meta.texts.get(method);
    if (text === undefined) throw internalError(`${method} is not in the capture`);
    return text;
  };
  const blockText = async (height: number): Promise<string> =>
    (await chain.texts(height)).block.toString('utf8');
  // what was recorded at one height is answered for any other too
  const atHeight = (method: 'validators' | 'consensus_params', height: number): string =>
    meta(method).replace(/^\{"block_height":"\d+"/, `{"block_height":"${height}"`);

  return {
    latestHeight: () => chain.head(),
    decidedHeight: () => chain.head(),
    earliestHeight: () => chain.base,
    block: async (height) => (await chain.texts(height)).block,
    blockResults: async (height) => (await chain.texts(height)).results,
    head: async (height) => headOf(await blockText(height), height),
    async commit(height) {
      if (height === chain.last) throw internalError(`the commit of height ${height} is not in the capture`);
      return part(await blockText(height + 1), height + 1, 'block', 'last_commit');
    },
    tx: (hash) => txText(chain, hash),
    genesis() {
      const text = meta('genesis');
      const start = findMember(text, 0, 'genesis') ?? 0;
      return text.slice(start, endOfValue(text, start));
    },
    identity() {
      const recorded = JSON.parse(meta('status')) as { node_info: unknown; validator_info: unknown };
      return { nodeInfo: goJson(recorded.node_info), validatorInfo: goJson(recorded.validator_info) };
    },
    async abciInfo() {
      const recorded = JSON.parse(meta('abci_info')) as { response: Record<string, unknown> };
      const results = (await chain.texts(chain.head())).results.toString('latin1');
      recorded.response.last_block_height = String(chain.head());
      const appHash = /"app_hash":"([^"]*)"\}$/.exec(results.slice(-200))?.[1];
      if (appHash !== undefined) recorded.response.last_block_app_hash = appHash;
      return goJson(recorded);
    },
    validators: (height) => atHeight('validators', height),
    consensusParams: (height) => atHeight('consensus_params', height),
    query: async (path, data, height) => answerQuery(chain, path, bytesToHex(data), height),
  };
}

/** The text of a value in a block's result, by its path. */
function part(text: string, height: number, ...path: readonly string[]): string {
  let at = 0;
  for (const key of path) {
    const found = findMember(text, at, key);
    if (found === undefined) throw internalError(`the recorded block ${height} has no ${path.join('.')}`);
    at = found;
  }
  return text.slice(at, endOfValue(text, at));
}

/** A block's size is not recorded. */
function headOf(text: string, height: number): BlockHead {
  const blockId = part(text, height, 'block_id');
  const header = part(text, height, 'block', 'header');
  const txs = part(text, height, 'block', 'data', 'txs');
  let txCount = 0;
  if (txs.startsWith('[')) {
    walkArray(txs, 0, (start) => {
      txCount++;
      return endOfValue(txs, start);
    });
  }
  const { hash } = JSON.parse(blockId) as { readonly hash: string };
  const { app_hash: appHash, time } = JSON.parse(header) as {
    readonly app_hash: string;
    readonly time: string;
  };
  return { blockId, header, hash, appHash, time, sizeBytes: 0, txCount };
}

async function txText(chain: ReplayChain, hash: string): Promise<Uint8Array | undefined> {
  const place = await chain.findTx(hash);
  if (place === undefined) return undefined;
  const { height, index } = place;
  const texts = await chain.texts(height);
  const results = texts.results.toString('latin1');
  const span = txResultSpans(results)[index];
  const { block } = JSON.parse(texts.block.toString('utf8')) as {
    block: { data: { txs: readonly string[] | null } };
  };
  const bytes = block.data.txs?.[index];
  if (span === undefined || bytes === undefined) return undefined;
  const result = results.slice(span.start, span.end);
  return Buffer.from(
    `{"hash":"${hash}","height":"${height}","index":${index},"tx_result":${result},"tx":"${bytes}"}`,
    'latin1',
  );
}

function answerQuery(chain: ReplayChain, path: string, data: string, height: number): string {
  const nothing = { value: new Uint8Array(0), height: 0 };
  if (height > chain.head()) {
    const log = 'cannot query with height in the future; please provide a valid height: invalid height';
    return printQueryAnswer({ code: 26, log, codespace: 'sdk', ...nothing });
  }
  const { descriptors, queries } = chain.capture;
  if (path === DESCRIPTORS_PATH && data === '' && descriptors !== undefined) {
    return printQueryAnswer({ code: 0, log: '', value: descriptors, height: chain.head(), codespace: '' });
  }
  const found = queries.find((query) => query.path === path && query.data === data);
  return found === undefined
    ? printQueryAnswer({ ...UNKNOWN_QUERY, ...nothing })
    : `{"response":${goJson(found.response)}}`;
}
