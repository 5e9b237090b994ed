import { asBuffer, utf8ToBytes } from 'strata-kit/bytes';
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

/** Full proto names of events. */
export type DerivedTypes = ReadonlySet<string>;

export const NO_DERIVED_TYPES: DerivedTypes = new Set();

/** `events` is a JSON array of events in the API's key order (event_index, type, …, applied). */
export function markApplied(events: Uint8Array, derivedTypes: DerivedTypes): BodyPart[] {
  const text = asBuffer(events);
  // most texts have no event of a module: one look for the packages' first name tells
  if (!mayBeApplied(text, derivedTypes)) return [events];
  const parts: BodyPart[] = [];
  let copied = 0;
  for (const event of eventSpans(text)) {
    if (!derivedTypes.has(typeOf(text, event.start))) continue;
    const flag = event.end - 1 - APPLIED_FALSE.length;
    if (!text.subarray(flag, event.end - 1).equals(APPLIED_FALSE)) continue;
    parts.push(text.subarray(copied, flag), '"applied":true');
    copied = event.end - 1;
  }
  parts.push(text.subarray(copied));
  return parts;
}

/** Whether an answer's text may have an event of such a type in it. */
export function mayBeApplied(body: Uint8Array, derivedTypes: DerivedTypes): boolean {
  const text = asBuffer(body);
  return anchorsOf(derivedTypes).some((anchor) => text.includes(anchor));
}

const anchorsByTypes = new WeakMap<DerivedTypes, readonly Buffer[]>();

/** What an event's text has in it when its type is one of these: `"type":"aeva.` */
function anchorsOf(derivedTypes: DerivedTypes): readonly Buffer[] {
  const known = anchorsByTypes.get(derivedTypes);
  if (known !== undefined) return known;
  const firstNames = new Set([...derivedTypes].map((type) => type.replace(/\..*$/s, '.')));
  const anchors = [...firstNames].map((name) => Buffer.from(TYPE_KEY + name, 'utf8'));
  anchorsByTypes.set(derivedTypes, anchors);
  return anchors;
}

/** The type is the second key, so what looks like one inside attributes or decoded never counts. */
function typeOf(text: Buffer, start: number): string {
  const from = text.indexOf(COMMA, start) + 1 + TYPE_KEY.length;
  return text.toString('utf8', from, text.indexOf(QUOTE, from));
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
