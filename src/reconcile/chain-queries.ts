import { isStrataError } from 'strata-kit/errors';
import { isObject } from 'strata-kit/json';
import type { AbciAnswer, BlockSource } from '../chain/source.ts';
import { type DescriptorIndex, indexDescriptors } from '../decode/proto/descriptors.ts';
import { createRegistry, type ProtoRegistry } from '../decode/proto/registry.ts';
import type { QueryJson } from '../modules/export.ts';
import { NotComparable } from '../modules/not-comparable.ts';
import { messageSlices, type SliceLimits } from './message-slices.ts';
import { encodeRequest, type RequestFields } from './request.ts';

/** What a chain says to a query at a height. */
export type QueryAnswer =
  | { readonly kind: 'answer'; readonly json: QueryJson }
  /** It serves the query, and has no such record. */
  | { readonly kind: 'absent' }
  /** It does not serve the query, or not at this height. */
  | { readonly kind: 'unserved'; readonly reason: string };

/** An answer in parts: each has some of the records. Errors of the iteration: NotComparable. */
export type PartedAnswer =
  | { readonly kind: 'answer'; readonly parts: Iterable<QueryJson> }
  | Exclude<QueryAnswer, { readonly kind: 'answer' }>;

/** The chain's own queries as of one height. */
export interface ChainQueries {
  readonly height: number;
  /** `rights`, `Totals`: a query of an asset module. Errors: those of the source when no node can be asked. */
  ask(module: string, method: string, fields: RequestFields): Promise<QueryAnswer>;
  /** The same of a query without fields, for answers that are too large to be read in one go. */
  askInParts(module: string, method: string, limits?: SliceLimits): Promise<PartedAnswer>;
  /** Whether the chain's descriptors have such a query. */
  describes(module: string, method: string): boolean;
  /** As ask, of the bank. */
  askBank(method: string, fields: RequestFields): Promise<QueryAnswer>;
}

export interface ChainQueriesOptions {
  readonly source: Pick<BlockSource, 'abciQuery'>;
  /** As the chain answered them, in the order in which they came: the newest that knows a type counts. */
  readonly descriptorSets: readonly Uint8Array[];
  /** First segment of the modules' packages. */
  readonly namespace: string;
  readonly height: number;
  readonly signal?: AbortSignal | undefined;
  /** Hears of each query that was not served. */
  readonly onUnserved?: (path: string, reason: string) => void;
}

interface Described {
  readonly index: DescriptorIndex;
  readonly registry: ProtoRegistry;
}

export function createChainQueries(options: ChainQueriesOptions): ChainQueries {
  const { source, namespace, height, signal } = options;
  const described: readonly Described[] = options.descriptorSets
    .map((bytes) => ({ index: indexDescriptors(bytes), registry: createRegistry(bytes) }))
    .reverse();

  type Refused = Exclude<QueryAnswer, { readonly kind: 'answer' }>;
  const pathOf = (name: string, method: string): string => `/${name}.Query/${method}`;
  const responseOf = (name: string, method: string): string => `${name}.Query${method}Response`;
  const describedBy = (responseType: string) => described.find(({ registry }) => registry.has(responseType));
  const unserved = (path: string, reason: string): Refused => {
    options.onUnserved?.(path, reason);
    return { kind: 'unserved', reason };
  };

  async function askRaw(
    name: string,
    method: string,
    fields: RequestFields,
  ): Promise<
    { readonly kind: 'raw'; readonly value: Uint8Array; readonly registry: ProtoRegistry } | Refused
  > {
    const path = pathOf(name, method);
    const chosen = describedBy(responseOf(name, method));
    const request = chosen?.index.message(`${name}.Query${method}Request`);
    const data = request === undefined ? undefined : encodeRequest(request, fields);
    if (chosen === undefined || data === undefined) {
      return unserved(path, 'the chain describes no such query');
    }
    const answer = await source.abciQuery(path, data, height, signal).catch(refusalOf);
    if (answer.code !== 0) {
      return /\bcode = NotFound\b/.test(answer.log) ? { kind: 'absent' } : unserved(path, answer.log);
    }
    // some nodes answer as of their newest height whatever they are asked for
    if (answer.height !== 0 && answer.height !== height) {
      return unserved(path, `the node answers as of height ${answer.height}, not ${height}`);
    }
    return { kind: 'raw', value: answer.value, registry: chosen.registry };
  }

  async function askPackage(name: string, method: string, fields: RequestFields): Promise<QueryAnswer> {
    const raw = await askRaw(name, method, fields);
    if (raw.kind !== 'raw') return raw;
    const json = readJson(raw.registry, responseOf(name, method), raw.value);
    return json === undefined ? unserved(pathOf(name, method), BROKEN) : { kind: 'answer', json };
  }

  function packageOf(module: string): string {
    return `${namespace}.${module}.v1`;
  }

  return {
    height,
    ask: (module, method, fields) => askPackage(packageOf(module), method, fields),
    async askInParts(module, method, limits) {
      const raw = await askRaw(packageOf(module), method, {});
      if (raw.kind !== 'raw') return raw;
      const { registry, value } = raw;
      return {
        kind: 'answer',
        parts: readParts(registry, responseOf(packageOf(module), method), value, limits),
      };
    },
    describes: (module, method) => describedBy(responseOf(packageOf(module), method)) !== undefined,
    askBank: (method, fields) => askPackage('cosmos.bank.v1beta1', method, fields),
  };
}

/** A node that will never answer such a request refuses it, as a chain does that does not know it. */
function refusalOf(error: unknown): AbciAnswer {
  if (isStrataError(error, 'node_rpc_error') && !error.retryable) {
    return { code: 1, log: error.message, height: 0, value: new Uint8Array() };
  }
  throw error;
}

const BROKEN = 'the node answers with broken bytes';

function* readParts(
  registry: ProtoRegistry,
  type: string,
  bytes: Uint8Array,
  limits: SliceLimits | undefined,
): Generator<QueryJson> {
  try {
    for (const slice of messageSlices(bytes, limits)) {
      const json = readJson(registry, type, slice);
      if (json === undefined) throw new NotComparable(BROKEN);
      yield json;
    }
  } catch (error) {
    throw isStrataError(error, 'proto_malformed') ? new NotComparable(BROKEN) : error;
  }
}

function readJson(registry: ProtoRegistry, type: string, bytes: Uint8Array): QueryJson | undefined {
  try {
    // the registry's text is one byte a char
    const text = registry.renderMessage(type, bytes) ?? '';
    const json: unknown = JSON.parse(Buffer.from(text, 'latin1').toString('utf8'));
    return isObject(json) ? json : undefined;
  } catch (error) {
    if (isStrataError(error, 'proto_malformed') || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
