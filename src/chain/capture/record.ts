import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Clock, systemClock } from 'strata-kit/clock';
import { isStrataError, StrataError } from 'strata-kit/errors';
import type { BlockText } from '../envelope.ts';
import { findMember } from '../json-spans.ts';
import { readBlocks } from '../read-blocks.ts';
import type { BlockSource, RpcCaller } from '../source.ts';
import { captureInvalid } from './capture-invalid.ts';
import {
  DESCRIPTORS_FILE,
  DESCRIPTORS_PATH,
  META_FILE,
  META_METHODS,
  type MetaMethod,
  QUERIES_FILE,
  readMeta,
  readOptional,
} from './format.ts';
import { type CaptureWriter, openCaptureWriter, writeFileByRename } from './writer.ts';

/** The chain's own facts, asked once and kept with the blocks (chain.md section 2). */
export const RECORDED_QUERIES: readonly string[] = [
  '/cosmos.auth.v1beta1.Query/Bech32Prefix',
  '/cosmos.auth.v1beta1.Query/ModuleAccounts',
  '/cosmos.auth.v1beta1.Query/Params',
  '/cosmos.evm.vm.v1.Query/Params',
  '/cosmos.evm.vm.v1.Query/Config',
  '/ethermint.evm.v1.Query/Config',
  '/ethermint.evm.v1.Query/Params',
  '/injective.evm.v1.Query/Params',
  '/cosmos.base.node.v1beta1.Service/Config',
  '/cosmos.staking.v1beta1.Query/Params',
  '/cosmos.bank.v1beta1.Query/DenomsMetadata',
];

const RANGE_HEIGHTS = 50;

export interface RecordOptions {
  readonly source: BlockSource & RpcCaller;
  readonly folder: string;
  /** The first height of a new capture, the node's lowest when undefined; an existing one goes on where it ends. */
  readonly fromHeight: number | undefined;
  readonly toHeight: number;
  readonly onProgress?: (height: number) => void;
  readonly signal?: AbortSignal;
  readonly clock?: Clock;
}

/**
 * Records heights of a live node into a capture folder, or goes on with one. Result texts are stored verbatim.
 * Returns the last height held; that is below toHeight only when the signal aborted.
 * Errors: capture_invalid (another chain, a gap to what is held, heights before it), those of the source.
 */
export async function recordCapture(options: RecordOptions): Promise<number> {
  const { source, signal } = options;
  const clock = options.clock ?? systemClock;
  const folder = resolve(options.folder);
  const { chainId, earliestHeight } = await source.head(signal);
  const fromHeight = options.fromHeight ?? earliestHeight;
  const writer = await openCaptureWriter(folder, chainId, clock);
  try {
    const next = writer.nextHeight();
    if (next !== undefined && fromHeight > next) {
      throw captureInvalid(
        folder,
        `it ends at height ${next - 1}, so recording cannot go on at ${fromHeight}`,
      );
    }
    const first = writer.firstHeight();
    if (first !== undefined && options.fromHeight !== undefined && options.fromHeight < first) {
      throw captureInvalid(
        folder,
        `it begins at height ${first}, so heights from ${options.fromHeight} cannot be added: leave --from out to go on with it`,
      );
    }
    await recordFacts(source, folder, next === undefined ? 0 : next - 1, signal);
    await recordBlocks({ ...options, fromHeight }, writer, clock);
  } finally {
    await writer.close();
  }
  const held = (writer.nextHeight() ?? fromHeight) - 1;
  await writeMeta(folder, (await readMeta(folder)).texts, held);
  return held;
}

async function recordBlocks(
  options: RecordOptions & { readonly fromHeight: number },
  writer: CaptureWriter,
  clock: Clock,
): Promise<void> {
  const { source, toHeight, signal } = options;
  let from = writer.nextHeight() ?? options.fromHeight;
  const ask = (start: number): Promise<BlockText[]> => {
    const blocks = readBlocks(source, start, Math.min(start + RANGE_HEIGHTS - 1, toHeight), signal, clock);
    // a range that was asked ahead and is no longer awaited may fail unseen
    blocks.catch(() => {});
    return blocks;
  };
  let asked = from <= toHeight ? ask(from) : undefined;
  while (asked !== undefined && signal?.aborted !== true) {
    let blocks: BlockText[];
    try {
      blocks = await asked;
    } catch (error) {
      if (isStrataError(error, 'aborted')) return;
      throw error;
    }
    from += blocks.length;
    asked = from <= toHeight ? ask(from) : undefined;
    await writer.append(blocks);
    options.onProgress?.(from - 1);
  }
}

/** Writes meta.json, with this head, the descriptors and the chain's own facts. Errors: those of the source. */
export async function recordFacts(
  source: Pick<BlockSource, 'abciQuery'> & RpcCaller,
  folder: string,
  head: number,
  signal?: AbortSignal,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await recordMeta(source, folder, head, signal);
  const descriptors = await source.abciQuery(DESCRIPTORS_PATH, new Uint8Array(), 0, signal);
  if (descriptors.code === 0) {
    await writeFileByRename(folder, DESCRIPTORS_FILE, await promisify(gzip)(descriptors.value));
  }
  const answers: string[] = [];
  for (const path of RECORDED_QUERIES) {
    const result = await source.call('abci_query', { path, data: '', height: '0', prove: false }, signal);
    const start = findMember(result, 0, 'response');
    if (start === undefined) throw new StrataError('node_bad_answer', `abci_query ${path} has no response`);
    const response = result.slice(start, result.lastIndexOf('}'));
    answers.push(`{"path":${JSON.stringify(path)},"data":"","height":"0","response":${response}}`);
  }
  await writeFileByRename(folder, QUERIES_FILE, `[\n${answers.join(',\n')}\n]\n`);
}

async function recordMeta(
  source: RpcCaller,
  folder: string,
  head: number,
  signal?: AbortSignal,
): Promise<void> {
  const known = (await readOptional(folder, META_FILE)) === undefined ? undefined : await readMeta(folder);
  const texts = new Map<MetaMethod, string>();
  for (const method of META_METHODS) {
    // the genesis never changes and may be large
    const kept = method === 'genesis' ? known?.texts.get('genesis') : undefined;
    const text = kept ?? (await askOptional(source, method, signal));
    if (text !== undefined) texts.set(method, text);
  }
  await writeMeta(folder, texts, head);
}

async function writeMeta(
  folder: string,
  texts: ReadonlyMap<MetaMethod, string>,
  head: number,
): Promise<void> {
  const lines = [...texts].map(([method, text]) => `"${method}":${text}`);
  await writeFileByRename(folder, META_FILE, `{${[...lines, `"head":${head}`].join(',\n')}}\n`);
}

/** Public nodes refuse some of these; a capture needs only who they are. */
async function askOptional(
  source: RpcCaller,
  method: MetaMethod,
  signal?: AbortSignal,
): Promise<string | undefined> {
  try {
    return await askMeta(source, method, signal);
  } catch (error) {
    const isNeeded = method === 'status' || method === 'abci_info';
    if (isNeeded || !isStrataError(error, 'node_rpc_error')) throw error;
    return undefined;
  }
}

async function askMeta(source: RpcCaller, method: MetaMethod, signal?: AbortSignal): Promise<string> {
  const params = method === 'validators' ? { per_page: '100' } : {};
  try {
    return await source.call(method, params, signal);
  } catch (error) {
    const isTooLarge =
      method === 'genesis' && /genesis_chunked/.test(error instanceof Error ? error.message : '');
    if (!isTooLarge) throw error;
    return askGenesisChunks(source, signal);
  }
}

async function askGenesisChunks(source: RpcCaller, signal?: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  for (let chunk = 0, total = 1; chunk < total; chunk++) {
    const answer = JSON.parse(await source.call('genesis_chunked', { chunk: String(chunk) }, signal)) as {
      readonly total: string | number;
      readonly data: string;
    };
    total = Number(answer.total);
    chunks.push(Buffer.from(answer.data, 'base64'));
  }
  return `{"genesis":${Buffer.concat(chunks).toString('utf8').trim()}}`;
}
