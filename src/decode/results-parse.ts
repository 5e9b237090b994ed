import { bytesToUtf8, utf8ToBytes } from 'strata-kit/bytes';
import { StrataError } from 'strata-kit/errors';
import { isObject, type JsonMap, objectOf, textOf } from 'strata-kit/json';

/** A block's results printed again in the layout that results-scan.ts reads. */
export interface CompactResults {
  readonly bytes: Uint8Array;
  /** See BlockResults. */
  readonly beginBlockEvents: number;
}

/** A tx's result; the scanner wants the keys in this order. */
export interface CompactResult {
  readonly code: number;
  readonly data: string;
  readonly log: string;
  readonly info: string;
  readonly gas_wanted: string;
  readonly gas_used: string;
  readonly events: readonly object[];
  readonly codespace: string;
}

/** Block-level events, and how many of them are of begin_block_events; -1 where there is no such list. */
export interface CompactBlockEvents {
  readonly events: readonly object[];
  readonly begin: number;
}

/**
 * Brings block_results of any JSON layout into the scanner's: other key order, blanks, missing or null fields, and the
 * begin_block_events / end_block_events of 0.34 (base64 keys and values) and 0.37.
 *
 * Errors: block_malformed when the bytes are no JSON object or not of the shape of results, or a code is no uint32.
 */
export function compactBlockResults(bytes: Uint8Array): CompactResults {
  const parsed = parseObject(bytesToUtf8(bytes), 'block_results');
  checkShape(parsed);
  const old = isOld(parsed);
  const base64 = old && holdsBase64(parsed);
  const txResults = list(parsed.txs_results).map((item) => compactTxResult(item, base64));
  return printCompact(txResults, compactBlockEvents(parsed, old, base64));
}

/** Whether the block-level events are those of 0.34 to 0.37. */
export function isOld(parsed: JsonMap): boolean {
  const { begin_block_events: begin, end_block_events: end } = parsed;
  return (
    Array.isArray(begin) ||
    Array.isArray(end) ||
    (!('finalize_block_events' in parsed) && 'begin_block_events' in parsed)
  );
}

export function compactBlockEvents(parsed: JsonMap, old: boolean, base64: boolean): CompactBlockEvents {
  const begin = list(parsed.begin_block_events);
  const events = old ? [...begin, ...list(parsed.end_block_events)] : list(parsed.finalize_block_events);
  return { events: events.map((event) => compactEvent(event, base64)), begin: old ? begin.length : -1 };
}

/** Text in the scanner's layout. */
export function printCompact(
  txResults: readonly CompactResult[],
  { events, begin }: CompactBlockEvents,
): CompactResults {
  const compact = {
    height: '0',
    txs_results: txResults,
    finalize_block_events: events,
  };
  return { bytes: utf8ToBytes(JSON.stringify(compact)), beginBlockEvents: begin };
}

const LISTS = ['txs_results', 'finalize_block_events', 'begin_block_events', 'end_block_events'];

/** What is no list would read as an empty one. Errors: block_malformed. */
function checkShape(parsed: JsonMap): void {
  for (const key of LISTS) {
    const value = parsed[key];
    if (value === undefined || value === null || Array.isArray(value)) continue;
    throw new StrataError('block_malformed', `${key} of block_results is no list`);
  }
}

/**
 * 0.34 prints keys and values as base64; 0.37 has the same lists with plain text. A block is base64 when each of its
 * attribute keys is canonical base64, which a plain `amount` or `sender` is not, and at least half of them decode to
 * printable text, which plain keys of that shape, such as `type`, do not.
 */
export function holdsBase64(parsed: JsonMap): boolean {
  const events = [
    ...list(parsed.begin_block_events),
    ...list(parsed.end_block_events),
    ...list(parsed.txs_results).flatMap((item) => list(objectOf(item).events)),
  ];
  let keys = 0;
  let printable = 0;
  for (const event of events) {
    for (const attribute of list(objectOf(event).attributes)) {
      const key = textOf(objectOf(attribute).key);
      const decoded = Buffer.from(key, 'base64');
      if (decoded.toString('base64') !== key) return false;
      keys++;
      if (/^[\x20-\x7e]*$/.test(decoded.toString('latin1'))) printable++;
    }
  }
  return printable * 2 >= keys;
}

export function parseObject(text: string, what: string): JsonMap {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) return parsed;
  } catch (error) {
    throw new StrataError('block_malformed', `${what} is not JSON: ${String(error)}`, { cause: error });
  }
  throw new StrataError('block_malformed', `${what} is not a JSON object`);
}

/** The items of an array; none for null, a missing field or another type. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const RESULT_FIELDS = ['code', 'data', 'log', 'gas_wanted', 'gas_used', 'events'] as const;

/** Errors: block_malformed where no field of a result is there, or the code is no uint32. */
export function compactTxResult(item: unknown, base64: boolean): CompactResult {
  const result = objectOf(item);
  if (!RESULT_FIELDS.some((field) => field in result)) {
    throw new StrataError('block_malformed', 'a tx result has none of the fields of one');
  }
  return {
    code: readCode(result.code ?? 0),
    data: textOf(result.data),
    log: textOf(result.log),
    info: '',
    gas_wanted: textOf(result.gas_wanted) || '0',
    gas_used: textOf(result.gas_used) || '0',
    events: list(result.events).map((event) => compactEvent(event, base64)),
    codespace: textOf(result.codespace),
  };
}

/** Errors: block_malformed. */
function readCode(value: unknown): number {
  const code = typeof value === 'string' && value !== '' ? Number(value) : value;
  if (typeof code === 'number' && Number.isInteger(code) && code >= 0 && code <= 0xffff_ffff) return code;
  throw new StrataError('block_malformed', `a tx result has the code ${JSON.stringify(value)}`);
}

function compactEvent(item: unknown, base64: boolean): object {
  const event = objectOf(item);
  const attributes = list(event.attributes).map((entry) => {
    const attribute = objectOf(entry);
    return { key: attributeText(attribute.key, base64), value: attributeText(attribute.value, base64) };
  });
  return { type: textOf(event.type), attributes };
}

/** 0.34 prints bytes: broken UTF-8 in them becomes U+FFFD, as a 0.38 node prints it. */
function attributeText(value: unknown, base64: boolean): string {
  const raw = textOf(value);
  return base64 ? Buffer.from(raw, 'base64').toString('utf8') : raw;
}
