import { bytesToUtf8, utf8ToBytes } from '../core/bytes.ts';
import { StrataError } from '../core/errors.ts';
import { isObject, type JsonMap, objectOf, textOf } from '../core/json.ts';

/** A block's results printed again in the layout that results-scan.ts reads. */
export interface CompactResults {
  readonly bytes: Uint8Array;
  /** See BlockResults. */
  readonly beginBlockEvents: number;
}

/**
 * Brings block_results of any JSON layout into the scanner's: other key order, blanks, missing or null fields, and the
 * begin_block_events / end_block_events of 0.34 (base64 keys and values) and 0.37.
 *
 * Errors: block_malformed when the bytes are no JSON object, or a code is no uint32.
 */
export function compactBlockResults(bytes: Uint8Array): CompactResults {
  const parsed = parseObject(bytesToUtf8(bytes), 'block_results');
  const begin = parsed.begin_block_events;
  const end = parsed.end_block_events;
  const old =
    Array.isArray(begin) ||
    Array.isArray(end) ||
    (!('finalize_block_events' in parsed) && 'begin_block_events' in parsed);
  const base64 = old && holdsBase64(parsed);
  const txResults = list(parsed.txs_results).map((item) => compactTxResult(item, base64));
  const blockEvents = old ? [...list(begin), ...list(end)] : list(parsed.finalize_block_events);
  const compact = {
    height: '0',
    txs_results: txResults,
    finalize_block_events: blockEvents.map((event) => compactEvent(event, base64)),
  };
  return { bytes: utf8ToBytes(JSON.stringify(compact)), beginBlockEvents: old ? list(begin).length : -1 };
}

/**
 * 0.34 prints keys and values as base64; 0.37 has the same lists with plain text. A block is base64 when each of its
 * attribute keys is canonical base64, which a plain `amount` or `sender` is not, and at least half of them decode to
 * printable text, which plain keys of that shape, such as `type`, do not.
 */
function holdsBase64(parsed: JsonMap): boolean {
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

function compactTxResult(item: unknown, base64: boolean): object {
  const result = objectOf(item);
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
