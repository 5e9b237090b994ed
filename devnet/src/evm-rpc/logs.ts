import type { Caller } from 'strata-kit/http/caller';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import { CODES, EthereumError, invalidParams } from './errors.ts';
import { data } from './hex.ts';
import { type EthereumNode, heightOf } from './node.ts';
import { addressParam, hashParam, objectParam } from './params.ts';
import { printLog } from './print.ts';
import type { ExecutedLog } from './response.ts';

/** One answer looks through so many blocks and holds so many logs. */
export const LOG_LIMITS = { blocks: 10_000, logs: 10_000 } as const;
const MAX_TOPICS = 4;
const MAX_CHOICES = 1_000;

interface Filter {
  /** 0x-hex in lower case, as all here; undefined takes any. */
  readonly addresses: ReadonlySet<string> | undefined;
  /** By place; undefined takes any. */
  readonly topics: readonly (ReadonlySet<string> | undefined)[];
}

/** eth_getLogs: by a range of blocks or one block's hash. Errors: -32602, -32005 beyond the limits. */
export async function* getLogs(
  node: EthereumNode,
  params: readonly Json[],
  { client, signal }: Caller,
): AsyncGenerator<string> {
  const request = objectParam(params[0], 'filter');
  const filter = readFilter(request);
  const { from, to } = rangeOf(node, request);
  if (to - from >= LOG_LIMITS.blocks) {
    throw new EthereumError(
      CODES.limit,
      `query exceeds max block range ${LOG_LIMITS.blocks}: ask for fewer blocks at once`,
    );
  }
  let count = 0;
  yield '[';
  for (let height = from; height <= to; height++) {
    await node.lane.step(client);
    if (signal?.aborted === true) return;
    const view = await node.blocks.at(height, client);
    if (view === undefined) continue;
    for (const executed of view.txs) {
      for (const log of executed.logs()) {
        await node.lane.step(client);
        if (!matches(filter, log)) continue;
        count += 1;
        if (count > LOG_LIMITS.logs)
          throw new EthereumError(CODES.limit, `query returned more than ${LOG_LIMITS.logs} results`);
        yield (count === 1 ? '' : ',') + printLog(view, executed, log);
      }
    }
  }
  yield ']';
}

function rangeOf(node: EthereumNode, { blockHash, fromBlock, toBlock }: JsonObject) {
  const { chain } = node;
  if (blockHash !== undefined && blockHash !== null) {
    if ((fromBlock ?? null) !== null || (toBlock ?? null) !== null)
      throw invalidParams('cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other');
    const height = heightOf(node, { blockHash });
    return { from: height, to: height };
  }
  const from = Math.max(heightOf(node, fromBlock), chain.earliestHeight());
  const to = Math.min(heightOf(node, toBlock), chain.latestHeight());
  if (heightOf(node, fromBlock) > heightOf(node, toBlock)) throw invalidParams('invalid block range params');
  return { from, to };
}

function readFilter({ address, topics }: JsonObject): Filter {
  const addresses = choicesOf(address, (one) => data(addressParam(one, 'address')));
  const places = topics === undefined || topics === null ? [] : topics;
  if (!Array.isArray(places) || places.length > MAX_TOPICS) throw invalidParams('exceed max topics');
  return {
    addresses,
    topics: (places as readonly Json[]).map((place) => choicesOf(place, (one) => hashParam(one, 'topic'))),
  };
}

/** One value or a list; undefined where any will do. */
function choicesOf(value: Json | undefined, read: (one: Json) => string): ReadonlySet<string> | undefined {
  if (value === undefined || value === null) return undefined;
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  if (list.length > MAX_CHOICES) throw invalidParams(`exceed max addresses or topics: ${MAX_CHOICES}`);
  return list.length === 0 ? undefined : new Set(list.map(read));
}

function matches({ addresses, topics }: Filter, log: ExecutedLog): boolean {
  if (addresses?.has(log.address) === false) return false;
  if (topics.length > log.topics.length) return false;
  return topics.every((choices, i) => choices?.has(log.topics[i] ?? '') !== false);
}
