import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { walkObject } from '../json-spans.ts';
import { captureInvalid } from './capture-invalid.ts';
import { MAX_DESCRIPTORS_BYTES, unpackPart } from './unpack.ts';

/**
 * A capture is a folder: meta.json, descriptors.pb.gz, abci-queries.json and blocks.jsonl.gz with one line
 * `{"height":N,"block":{…},"block_results":{…}}` a height. Captures that Strata writes hold the lines in several
 * gzip members (zcat reads them as one) and blocks.index.json tells where each member is.
 */
export const META_FILE = 'meta.json';
export const DESCRIPTORS_FILE = 'descriptors.pb.gz';
export const QUERIES_FILE = 'abci-queries.json';
export const BLOCKS_FILE = 'blocks.jsonl.gz';
export const INDEX_FILE = 'blocks.index.json';

/** The query whose answer is descriptors.pb.gz. */
export const DESCRIPTORS_PATH = '/cosmos.reflection.v1.ReflectionService/FileDescriptors';

/** Members of meta.json that are a node's `result` texts, by the name of the RPC method. */
export const META_METHODS = ['status', 'abci_info', 'genesis', 'validators', 'consensus_params'] as const;
export type MetaMethod = (typeof META_METHODS)[number];

export interface CaptureMeta {
  readonly chainId: string;
  readonly appVersion: string;
  readonly softwareVersion: string;
  readonly head: number;
  /** The `result` texts as the node printed them. */
  readonly texts: ReadonlyMap<MetaMethod, string>;
}

/** One entry of abci-queries.json; `response` is the node's, with `value` in base64 or null. */
export interface RecordedQuery {
  readonly path: string;
  /** Hex. */
  readonly data: string;
  readonly height: string;
  readonly response: AbciResponse;
}

export interface AbciResponse {
  readonly code: number;
  readonly log: string;
  readonly value: string | null;
  readonly height: string;
}

/** Where one gzip member of blocks.jsonl.gz is, in bytes. */
export interface IndexMember {
  readonly fromHeight: number;
  readonly toHeight: number;
  readonly offset: number;
  readonly length: number;
}

/** Errors: capture_invalid. */
export async function readMeta(folder: string): Promise<CaptureMeta> {
  const text = (await readRequired(folder, META_FILE)).toString('utf8');
  const texts = new Map<MetaMethod, string>();
  let meta: MetaJson;
  try {
    meta = JSON.parse(text) as MetaJson;
    walkObject(text, 0, (key, { start, end }) => {
      const method = META_METHODS.find((name) => name === key);
      if (method !== undefined) texts.set(method, text.slice(start, end));
    });
  } catch (error) {
    throw captureInvalid(folder, `${META_FILE} is no JSON object`, error);
  }
  const chainId = meta.status?.node_info?.network;
  if (typeof chainId !== 'string' || chainId === '') {
    throw captureInvalid(folder, `${META_FILE} has no status.node_info.network`);
  }
  if (!Number.isSafeInteger(meta.head)) throw captureInvalid(folder, `${META_FILE} has no integer "head"`);
  return {
    chainId,
    appVersion: meta.status?.node_info?.protocol_version?.app ?? '0',
    softwareVersion: meta.abci_info?.response?.version ?? '',
    head: meta.head as number,
    texts,
  };
}

interface MetaJson {
  readonly status?: {
    readonly node_info?: {
      readonly network?: unknown;
      readonly protocol_version?: { readonly app?: string };
    };
  };
  readonly abci_info?: { readonly response?: { readonly version?: string } };
  readonly head?: unknown;
}

/** Empty when the capture has none. Errors: capture_invalid. */
export async function readQueries(folder: string): Promise<readonly RecordedQuery[]> {
  const bytes = await readOptional(folder, QUERIES_FILE);
  if (bytes === undefined) return [];
  try {
    const queries = JSON.parse(bytes.toString('utf8')) as RecordedQuery[];
    if (queries.every(({ path, response }) => typeof path === 'string' && typeof response === 'object'))
      return queries;
  } catch (error) {
    throw captureInvalid(folder, `${QUERIES_FILE} is no JSON`, error);
  }
  throw captureInvalid(folder, `${QUERIES_FILE} has an entry without path or response`);
}

/** FileDescriptorSet bytes, undefined when the capture has none. Errors: capture_invalid. */
export async function readDescriptors(folder: string): Promise<Uint8Array | undefined> {
  const bytes = await readOptional(folder, DESCRIPTORS_FILE);
  if (bytes === undefined) return undefined;
  return unpackPart(folder, DESCRIPTORS_FILE, bytes, MAX_DESCRIPTORS_BYTES);
}

/** The index is one JSON object with a line for each member, so that a member is appended without the others. */
const INDEX_HEAD = '{"members":[\n';
export const INDEX_TAIL = '\n]}\n';

export function printIndex(members: readonly IndexMember[]): string {
  return `${INDEX_HEAD}${members.map((member) => JSON.stringify(member)).join(',\n')}${INDEX_TAIL}`;
}

/**
 * Undefined when the capture has no index. A last line that was being written when its process was killed is left out.
 * Errors: capture_invalid.
 */
export async function readIndex(folder: string): Promise<readonly IndexMember[] | undefined> {
  const bytes = await readOptional(folder, INDEX_FILE);
  if (bytes === undefined) return undefined;
  const members = parseIndex(bytes.toString('utf8'));
  if (members === undefined) throw captureInvalid(folder, `${INDEX_FILE} is no JSON with a list "members"`);
  members.forEach((member, i) => {
    const before = members[i - 1];
    const isNext =
      before === undefined
        ? member.offset === 0
        : member.fromHeight === before.toHeight + 1 && member.offset === before.offset + before.length;
    if (!isNext || !(member.toHeight >= member.fromHeight) || !(member.length > 0)) {
      throw captureInvalid(folder, `${INDEX_FILE} leaves a gap at height ${member.fromHeight}`);
    }
  });
  return members;
}

function parseIndex(text: string): readonly IndexMember[] | undefined {
  const members = (parseJson(text) as { members?: unknown } | undefined)?.members;
  if (Array.isArray(members)) return members as readonly IndexMember[];
  if (!text.startsWith(INDEX_HEAD)) return undefined;
  const whole: IndexMember[] = [];
  for (const line of text.slice(INDEX_HEAD.length).split('\n')) {
    const member = parseJson(line.replace(/,$/, ''));
    if (member === undefined) break;
    whole.push(member as IndexMember);
  }
  return whole;
}

/** Undefined for what is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export async function readOptional(folder: string, file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(join(folder, file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw captureInvalid(folder, `${file} cannot be read`, error);
  }
}

async function readRequired(folder: string, file: string): Promise<Buffer> {
  const bytes = await readOptional(folder, file);
  if (bytes === undefined) throw captureInvalid(folder, `it has no ${file}`);
  return bytes;
}
