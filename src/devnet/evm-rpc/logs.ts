import { equalBytes } from '../../core/bytes.ts';
import type { Json, JsonObject } from '../json.ts';
import type { Caller } from '../simulation/simulations.ts';
import type { ExecutedLog } from './blocks.ts';
import { CODES, EthereumError, invalidParams } from './errors.ts';
import { word } from './hex.ts';
import { createSlices } from './lane.ts';
import { type EthereumNode, heightOf } from './node.ts';
import { addressParam, hashParam, objectParam } from './params.ts';
import { printLog } from './print.ts';

/** One answer looks through so many blocks and holds so many logs. */
export const LOG_LIMITS = { blocks: 10_000, logs: 10_000 } as const;
const MAX_TOPICS = 4;
const MAX_CHOICES = 1_000;

interface Filter {
  readonly addresses: readonly Uint8Array[];
  /** By place; an empty list takes any. */
  readonly topics: readonly (readonly string[])[];
}

/** eth_getLogs: by a range of blocks or one block's hash. Errors: -32602, -32005 beyond the limits. */
export async function getLogs(
  node: EthereumNode,
  params: readonly Json[],
  { client, signal }: Caller,
): Promise<Json> {
  const request = objectParam(params[0], 'filter');
  const filter = readFilter(request);
  const { from, to } = rangeOf(node, request);
  if (to - from >= LOG_LIMITS.blocks) {
    throw new EthereumError(
      CODES.limit,
      `query exceeds max block range ${LOG_LIMITS.blocks}: ask for fewer blocks at once`,
    );
  }
  const found: JsonObject[] = [];
  const slices = createSlices(node.lane, client);
  for (let height = from; height <= to; height++) {
    await slices.step();
    if (signal?.aborted === true) break;
    const view = node.blocks.at(height);
    for (const executed of view?.txs ?? [])
      for (const log of executed.logs)
        if (view !== undefined && matches(filter, log)) found.push(printLog(view, executed, log));
    if (found.length > LOG_LIMITS.logs)
      throw new EthereumError(CODES.limit, `query returned more than ${LOG_LIMITS.logs} results`);
  }
  return found;
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
  const addresses = listOf(address).map((one) => addressParam(one, 'address'));
  const places = topics === undefined || topics === null ? [] : topics;
  if (!Array.isArray(places) || places.length > MAX_TOPICS) throw invalidParams('exceed max topics');
  return {
    addresses,
    topics: (places as readonly Json[]).map((place) => listOf(place).map((one) => hashParam(one, 'topic'))),
  };
}

function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined || value === null) return [];
  const list = Array.isArray(value) ? (value as readonly Json[]) : [value];
  if (list.length > MAX_CHOICES) throw invalidParams(`exceed max addresses or topics: ${MAX_CHOICES}`);
  return list;
}

function matches({ addresses, topics }: Filter, log: ExecutedLog): boolean {
  if (addresses.length > 0 && !addresses.some((address) => equalBytes(address, log.address))) return false;
  if (topics.length > log.topics.length) return false;
  return topics.every(
    (choices, i) => choices.length === 0 || choices.includes(word(log.topics[i] ?? new Uint8Array())),
  );
}
