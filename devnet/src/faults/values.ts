import type { AbciEvent } from 'strata-kit/abci-event';
import type { Codec } from 'strata-kit/codec/codec';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import type { Block, Chain, QueryAnswer } from '../comet/types.ts';
import type { Fault } from './names.ts';
import { viewOf } from './view.ts';

/** Numbers that are one too great: in events, and in the answers that reconciliation asks for. */

/** What events say of the state after them; of amounts that were moved none. */
const POST_VALUES =
  /(_after|^new_index|^carry_scaled|^supply|^nonce|^remaining_units|^cumulative_paid|^returned)$/;

/** By module and method, the field that is wrong when none is named. */
const ANSWERED: readonly (readonly [module: string, method: string, field: string])[] = [
  ['asset', 'NextNonce', 'next_nonce'],
  ['rights', 'Totals', 'supply'],
  ['payout', 'Accruals', 'total_distributed'],
  ['bridge', 'Route', 'outbound'],
  ['bridge', 'Actual', 'actual'],
];

function isWithin({ from = 1, to = Number.POSITIVE_INFINITY }: Fault, height: number): boolean {
  return height >= from && height <= to;
}

/** In each block of its heights, the first event with such a value is wrong. No hash of CometBFT covers events. */
export function withEventValues(chain: Chain, fault: Fault, namespace: string): Chain {
  const isValue = matcher(fault, namespace);

  function wrong(block: Block): Block {
    if (!isWithin(fault, block.header.height)) return block;
    const wrongly = firstOnly<AbciEvent>((event) => wrongEvent(event, isValue));
    const results = block.results.map((result) =>
      result.code === 0 ? { ...result, events: result.events.map(wrongly) } : result,
    );
    return { ...block, results, events: block.events.map(wrongly) };
  }

  return viewOf(chain, {
    block(height) {
      const block = chain.block(height);
      return block === undefined ? undefined : wrong(block);
    },
    onBlock: (listener) => chain.onBlock((block) => listener(wrong(block))),
  });
}

type ValueTest = (type: string, key: string) => boolean;

function matcher({ field }: Fault, namespace: string): ValueTest {
  if (field === undefined) {
    return (type, key) => type.startsWith(`${namespace}.`) && POST_VALUES.test(key);
  }
  const [module, event, name] = field;
  return (type, key) => type === `${namespace}.${module}.v1.${event}` && key === name;
}

/** Undefined where there is no such value. */
function wrongEvent({ type, attributes }: AbciEvent, isValue: ValueTest): AbciEvent | undefined {
  const at = attributes.findIndex(([key, value]) => isValue(type, key) && /^"?\d+"?$/.test(value));
  const [key, value] = attributes[at] ?? [];
  if (key === undefined || value === undefined) return undefined;
  return { type, attributes: attributes.with(at, [key, value.replace(/\d+/, plusOne)]) };
}

function plusOne(digits: string): string {
  return String(BigInt(digits) + 1n);
}

/** Changes the first that `change` knows how to. */
function firstOnly<T>(change: (value: T) => T | undefined): (value: T) => T {
  let isDone = false;
  return (value) => {
    const changed = isDone ? undefined : change(value);
    if (changed === undefined) return value;
    isDone = true;
    return changed;
  };
}

/** Answers about the heights of the fault are wrong. */
export function withQueryValues(chain: Chain, fault: Fault, codec: Codec): Chain {
  const fields = new Map(
    (fault.field === undefined ? ANSWERED : [fault.field]).map(([module, method, field]) => [
      `/${codec.namespace}.${module}.v1.Query/${method}`,
      field,
    ]),
  );

  function wrong(path: string, answer: QueryAnswer): QueryAnswer {
    const field = fields.get(path);
    const type = codec.method(path)?.response;
    if (field === undefined || type === undefined || answer.code !== 0) return answer;
    if (!isWithin(fault, answer.height)) return answer;
    const message = wrongField(codec.decode(type, answer.value), field);
    return message === undefined ? answer : { ...answer, value: codec.encode(type, message as JsonObject) };
  }

  return viewOf(chain, {
    query: async (path, data, height, caller) => wrong(path, await chain.query(path, data, height, caller)),
  });
}

/** The value with the first such field one greater; undefined without one. */
function wrongField(value: Json, field: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const entries: readonly (readonly [string, Json])[] = Object.entries(value);
  for (const [key, part] of entries) {
    const isIt = key === field && (typeof part === 'string' || typeof part === 'number');
    const changed = isIt ? wrongNumber(part) : wrongField(part, field);
    if (changed === undefined) continue;
    return Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
  }
  return undefined;
}

function wrongNumber(value: string | number): Json | undefined {
  if (typeof value === 'number') return value + 1;
  return /^\d+$/.test(value) ? plusOne(value) : undefined;
}
