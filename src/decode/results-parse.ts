import { latin1ToUtf8, utf8ToLatin1 } from '../core/bytes.ts';
import { StrataError } from '../core/errors.ts';
import { attributesText, type BlockResults, type EventRecord, type TxResult } from './results.ts';

/**
 * Reads block_results in any JSON layout, through JSON.parse: other key order, blanks, missing or null fields, and
 * 0.34's begin_block_events / end_block_events with base64 keys and values. The reference for results-scan.ts.
 *
 * Errors: block_malformed when the text is no JSON object.
 */
export function parseBlockResults(text: string): BlockResults {
  const parsed = parseObject(text, 'block_results');
  const finalize = parsed.finalize_block_events;
  const begin = parsed.begin_block_events;
  const end = parsed.end_block_events;
  const old =
    Array.isArray(begin) || Array.isArray(end) || (finalize === undefined && 'begin_block_events' in parsed);
  const base64 = old && holdsBase64(parsed);
  const txResults = list(parsed.txs_results).map((item) => readTxResult(item, base64));
  const blockEvents = old
    ? [
        ...list(begin).map((event) => readEvent(event, base64, 'BeginBlock')),
        ...list(end).map((event) => readEvent(event, base64, 'EndBlock')),
      ]
    : list(finalize).map((event) => readEvent(event, false, ''));
  return { txResults, blockEvents };
}

/**
 * 0.34 prints keys and values as base64; 0.37 has the same lists with plain text. A block is base64 when each of its
 * attribute keys is canonical base64, which a plain `amount` or `sender` is not, and at least half of them decode to
 * printable text, which plain keys of that shape, such as `type`, do not.
 */
function holdsBase64(parsed: Json): boolean {
  const events = [
    ...list(parsed.begin_block_events),
    ...list(parsed.end_block_events),
    ...list(parsed.txs_results).flatMap((item) => (isObject(item) ? list(item.events) : [])),
  ];
  let keys = 0;
  let printable = 0;
  for (const event of events) {
    for (const attribute of isObject(event) ? list(event.attributes) : []) {
      const key = isObject(attribute) ? text(attribute.key) : '';
      const decoded = Buffer.from(key, 'base64');
      if (decoded.toString('base64') !== key) return false;
      keys++;
      if (/^[\x20-\x7e]*$/.test(decoded.toString('latin1'))) printable++;
    }
  }
  return printable * 2 >= keys;
}

type Json = { readonly [key: string]: unknown };

export function parseObject(latin1: string, what: string): Json {
  try {
    const parsed: unknown = JSON.parse(latin1ToUtf8(latin1));
    if (isObject(parsed)) return parsed;
  } catch (error) {
    throw new StrataError('block_malformed', `${what} is not JSON: ${String(error)}`, { cause: error });
  }
  throw new StrataError('block_malformed', `${what} is not a JSON object`);
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of an array; none for null, a missing field or another type. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function readTxResult(item: unknown, base64: boolean): TxResult {
  const result = isObject(item) ? item : {};
  return {
    code: Number(result.code ?? 0),
    data: text(result.data),
    log: escaped(text(result.log)),
    gasWanted: text(result.gas_wanted) || '0',
    gasUsed: text(result.gas_used) || '0',
    codespace: escaped(text(result.codespace)),
    events: list(result.events).map((event) => readEvent(event, base64, '')),
  };
}

function readEvent(item: unknown, base64: boolean, mode: EventRecord['mode']): EventRecord {
  const event = isObject(item) ? item : {};
  const attributes: string[] = [];
  for (const entry of list(event.attributes)) {
    const attribute = isObject(entry) ? entry : {};
    attributes.push(attributeText(attribute.key, base64), attributeText(attribute.value, base64));
  }
  return { type: escaped(text(event.type)), attributes, attributesText: attributesText(attributes), mode };
}

/** 0.34 prints bytes: broken UTF-8 in them becomes U+FFFD, as a 0.38 node prints it. */
function attributeText(value: unknown, base64: boolean): string {
  const raw = text(value);
  return escaped(base64 ? Buffer.from(raw, 'base64').toString('utf8') : raw);
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

function escaped(value: string): string {
  return utf8ToLatin1(JSON.stringify(value).slice(1, -1));
}
