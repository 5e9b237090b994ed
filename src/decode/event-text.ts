import type { EventShape, ShapeLearner } from './event-shapes.ts';
import { type Literal, PADDING, standsAt } from './literal.ts';
import {
  canonicalOrDeviation,
  DEVIATION,
  firstMarked,
  quotesOrBackslashes,
  type ScanSource,
} from './scan-source.ts';

const BACKSLASH = 92;
const ZERO = 48;
const LETTER_U = 117;

/**
 * The API's JSON text of a block's events under construction, as bytes, and where the values of the event printed last
 * stand in it. Values are copied from the node's own text, four bytes at a time, while they are read: what is printed
 * is canonical, so that later readers need not look at the source again.
 */
export class EventText {
  bytes: Buffer = Buffer.alloc(1 << 16);
  #view = new DataView(this.bytes.buffer);
  length = 0;
  /** Of the event printed last. */
  attributeCount = 0;
  readonly #shapes: EventShape[] = [];
  #values: Int32Array<ArrayBuffer> = new Int32Array(128);

  /** Room for `count` more bytes: callers of byte, literal, decimal and copyAttributes ask for it first. */
  reserve(count: number): void {
    const needed = this.length + count + PADDING;
    if (needed <= this.bytes.length) return;
    const grown = Buffer.alloc(Math.max(needed, this.bytes.length * 2));
    grown.set(this.bytes);
    this.bytes = grown;
    this.#view = new DataView(grown.buffer);
  }

  byte(byte: number): void {
    this.bytes[this.length++] = byte;
  }

  literal(text: Literal): void {
    const source = text.view;
    const target = this.#view;
    const at = this.length;
    const { length } = text;
    for (let i = 0; i < length; i += 4) target.setInt32(at + i, source.getInt32(i, true), true);
    this.length = at + length;
  }

  /** Latin1. Reserves its own room. */
  text(text: string): void {
    this.reserve(text.length);
    this.length += this.bytes.write(text, this.length, 'latin1');
  }

  /** A non-negative integer. */
  decimal(value: number): void {
    if (value < 10) {
      this.byte(48 + value);
    } else if (value < 100) {
      const tens = (value / 10) | 0;
      this.byte(48 + tens);
      this.byte(48 + value - tens * 10);
    } else {
      this.length += this.bytes.write(String(value), this.length, 'latin1');
    }
  }

  /**
   * Copies the attributes of an event, from the closing quote of its type to behind its end; what the node prints of
   * `index` is left out. Room for the rest of the source must be there: what is printed of attributes is no longer, but
   * for the tail. Errors: DEVIATION.
   */
  copyAttributes(source: ScanSource, learn: ShapeLearner): void {
    let count = 0;
    let shape = learn.root;
    for (;;) {
      let { next } = shape;
      if (next === undefined || !source.matches(next.source, source.at)) next = shape.follow(source, learn);
      source.at += next.source.length;
      this.literal(next.printed);
      if (next.key === undefined) break;
      const start = this.length;
      this.#copyString(source);
      if (count * 2 === this.#values.length) this.#values = grown(this.#values);
      this.#values[count * 2] = start;
      this.#values[count * 2 + 1] = this.length;
      this.#shapes[count] = next;
      count++;
      shape = next;
    }
    this.attributeCount = count;
  }

  /** Copies the inside of a string; source.at ends on its closing quote. */
  #copyString(source: ScanSource): void {
    const from = source.view;
    const to = this.#view;
    const start = this.length;
    let { at } = source;
    let end = start;
    let isOdd = false;
    for (;;) {
      const four = from.getInt32(at, true);
      to.setInt32(end, four, true);
      const marks = quotesOrBackslashes(four);
      if (marks === 0) {
        at += 4;
        end += 4;
        continue;
      }
      const before = firstMarked(marks);
      at += before;
      end += before;
      if (((four >>> (before * 8)) & 0xff) !== BACKSLASH) break;
      isOdd ||= !isCanonicalEscape(source.bytes, at);
      to.setInt16(end, from.getInt16(at, true), true);
      at += 2;
      end += 2;
    }
    if (at >= source.length) throw DEVIATION;
    source.at = at;
    this.length = end;
    if (isOdd) this.#makeCanonical(start);
  }

  /** Prints the escapes of what follows `start` as JSON.stringify does; that is never longer. */
  #makeCanonical(start: number): void {
    const inside = this.bytes.toString('latin1', start, this.length);
    const canonical = canonicalOrDeviation(inside);
    if (canonical.length > inside.length) throw DEVIATION;
    this.length = start + this.bytes.write(canonical, start, 'latin1');
  }

  /** Whether the literal, of four bytes at least, stands at `at`. */
  matches(literal: Literal, at: number): boolean {
    return standsAt(literal, this.#view, at);
  }

  valueStart(attribute: number): number {
    return this.#values[attribute * 2] as number;
  }

  valueEnd(attribute: number): number {
    return this.#values[attribute * 2 + 1] as number;
  }

  /** JSON-escaped, canonical. */
  key(attribute: number): string {
    return (this.#shapes[attribute] as EventShape).key ?? '';
  }

  /** JSON-escaped, canonical. */
  value(attribute: number): string {
    return this.bytes.toString('latin1', this.valueStart(attribute), this.valueEnd(attribute));
  }

  /** Whether the value holds an escape. */
  isEscaped(attribute: number): boolean {
    const end = this.valueEnd(attribute);
    for (let at = this.valueStart(attribute); at < end; at++) if (this.bytes[at] === BACKSLASH) return true;
    return false;
  }

  /** The first attribute with this key, −1 when there is none. */
  find(key: string): number {
    for (let attribute = 0; attribute < this.attributeCount; attribute++) {
      if (this.key(attribute) === key) return attribute;
    }
    return -1;
  }
}

/** Whether the escape at `at` is one that JSON.stringify prints itself. */
function isCanonicalEscape(bytes: Uint8Array, at: number): boolean {
  const kind = bytes[at + 1] as number;
  if (kind !== LETTER_U) return IS_SHORT_ESCAPE[kind] === 1;
  if (bytes[at + 2] !== ZERO || bytes[at + 3] !== ZERO) return false;
  const high = bytes[at + 4];
  const low = bytes[at + 5] as number;
  if (high === ZERO + 1) return IS_LOWER_HEX[low] === 1;
  // those below 0x10 that have a short form print it
  return high === ZERO && IS_LOWER_HEX[low] === 1 && IS_SHORT_CONTROL[low] !== 1;
}

function charSet(chars: string): Uint8Array {
  const set = new Uint8Array(256);
  for (const char of chars) set[char.charCodeAt(0)] = 1;
  return set;
}

const IS_SHORT_ESCAPE = charSet('"\\bfnrt');
const IS_LOWER_HEX = charSet('0123456789abcdef');
/** \b, \t, \n, \f and \r as the last digit of \u0008 … \u000d. */
const IS_SHORT_CONTROL = charSet('89acd');

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
