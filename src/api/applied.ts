import { asBuffer, utf8ToBytes } from '../core/bytes.ts';
import type { BodyPart } from './route.ts';

/**
 * Stored events end with `"applied":false}`; an event of a type that a module derives is answered as true
 * (api.md, Event.applied). The texts are spliced, never parsed: rows need no rewrite when a module joins.
 */

const APPLIED_FALSE = utf8ToBytes('"applied":false');
const TYPE_KEY = '"type":"';
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const COMMA = 0x2c;
const EVENT_DEPTH = 2;

/** `events` is a JSON array of events in the API's key order (event_index, type, …, applied). */
export function markApplied(events: Uint8Array, derivedTypePrefixes: readonly string[]): BodyPart[] {
  const text = asBuffer(events);
  const anchors = derivedTypePrefixes
    .map((prefix) => Buffer.from(TYPE_KEY + prefix, 'utf8'))
    .filter((anchor) => text.includes(anchor));
  if (anchors.length === 0) return [events];
  const parts: BodyPart[] = [];
  let copied = 0;
  for (const event of eventSpans(text)) {
    if (!isDerived(text, event.start, anchors)) continue;
    const flag = event.end - 1 - APPLIED_FALSE.length;
    if (!text.subarray(flag, event.end - 1).equals(APPLIED_FALSE)) continue;
    parts.push(text.subarray(copied, flag), '"applied":true');
    copied = event.end - 1;
  }
  parts.push(text.subarray(copied));
  return parts;
}

/** The type is the second key, so an anchor inside attributes or decoded never counts. */
function isDerived(text: Buffer, start: number, anchors: readonly Buffer[]): boolean {
  const typeAt = text.indexOf(COMMA, start) + 1;
  return anchors.some((anchor) => text.subarray(typeAt, typeAt + anchor.length).equals(anchor));
}

/** Byte spans [start, end) of the array's objects. */
function* eventSpans(text: Buffer): Generator<{ readonly start: number; readonly end: number }> {
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte === QUOTE) {
      at = closingQuote(text, at);
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1;
      if (depth === EVENT_DEPTH) start = at;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      if (depth === EVENT_DEPTH) yield { start, end: at + 1 };
      depth -= 1;
    }
  }
}

function closingQuote(text: Buffer, openingQuote: number): number {
  for (let at = openingQuote + 1; at < text.length; at++) {
    if (text[at] === BACKSLASH) at += 1;
    else if (text[at] === QUOTE) return at;
  }
  return text.length;
}
