import { canonicalEscapes } from './json-text.ts';
import { Literal, PADDING, standsAt } from './literal.ts';

/** Where the scanner meets anything but the compact layout. */
export const DEVIATION = Symbol('deviation from the compact layout');

export const QUOTE = 34;
const COMMA = 44;
const ZERO = 48;
const NINE = 57;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
export const CLOSE_BRACE = 125;
const LETTER_N = 110;
const MAX_UINT32 = 0xffff_ffff;
/** Integers of so many digits are exact as numbers. */
const MAX_SAFE_DIGITS = 15;

const ONES = 0x01010101;
const HIGH_BITS = 0x80808080 | 0;
const QUOTES = 0x22222222;
const BACKSLASHES = 0x5c5c5c5c;

/**
 * A mark for every byte of the little-endian word that is a quote or a backslash; the lowest is exact, those above it
 * may be false (Mycroft's test for a zero byte).
 */
export function quotesOrBackslashes(word: number): number {
  const quotes = word ^ QUOTES;
  const slashes = word ^ BACKSLASHES;
  return (((quotes - ONES) & ~quotes) | ((slashes - ONES) & ~slashes)) & HIGH_BITS;
}

/** Which byte of its word the lowest mark stands for: 0 to 3. */
export function firstMarked(marks: number): number {
  return (31 - Math.clz32(marks & -marks)) >> 3;
}

/** Canonical, or DEVIATION where the escapes are not JSON's. */
export function canonicalOrDeviation(inside: string): string {
  try {
    return canonicalEscapes(inside);
  } catch (error) {
    if (error instanceof SyntaxError) throw DEVIATION;
    throw error;
  }
}

const NULL = new Literal('null');

/**
 * A JSON text as bytes, read from front to back, four at a time where it can. A bare quote cannot stand inside a JSON
 * string, so what follows a closing quote is structure. Quotes behind the text end every string that never closes.
 *
 * Every method throws DEVIATION when something else stands at `at`.
 */
export class ScanSource {
  bytes: Buffer = Buffer.alloc(1 << 16);
  view = new DataView(this.bytes.buffer);
  length = 0;
  at = 0;
  /** Whether the last string held an escape. */
  #escaped = false;

  /** The bytes are copied: behind them something has to stand. */
  load(bytes: Uint8Array): void {
    const { length } = bytes;
    if (length + PADDING > this.bytes.length) {
      this.bytes = Buffer.alloc((length + PADDING) * 2);
      this.view = new DataView(this.bytes.buffer);
    }
    this.bytes.set(bytes);
    this.bytes.fill(QUOTE, length, length + PADDING);
    this.length = length;
    this.at = 0;
  }

  expect(expected: Literal): void {
    if (!this.matches(expected, this.at)) throw DEVIATION;
    this.at += expected.length;
  }

  /** Whether the literal, of four bytes at least, stands at `at`. */
  matches(literal: Literal, at: number): boolean {
    return at + literal.length <= this.length && standsAt(literal, this.view, at);
  }

  /** Latin1, as it stands there. */
  slice(start: number, end: number): string {
    return end === start ? '' : this.bytes.toString('latin1', start, end);
  }

  byte(expected: number): void {
    if (this.bytes[this.at++] !== expected) throw DEVIATION;
  }

  /** False for null and for an empty list, which are read whole. */
  openList(): boolean {
    const first = this.bytes[this.at];
    if (first === LETTER_N) {
      this.expect(NULL);
      return false;
    }
    this.byte(OPEN_BRACKET);
    if (this.bytes[this.at] !== CLOSE_BRACKET) return true;
    this.at++;
    return false;
  }

  nextItem(): boolean {
    const next = this.bytes[this.at++];
    if (next === COMMA) return true;
    if (next === CLOSE_BRACKET) return false;
    throw DEVIATION;
  }

  /** A bare uint32. */
  uint32(): number {
    let value = 0;
    const start = this.at;
    for (;;) {
      const char = this.bytes[this.at] as number;
      if (!(char >= ZERO && char <= NINE)) break;
      value = value * 10 + (char - ZERO);
      this.at++;
    }
    if (this.at === start || value > MAX_UINT32) throw DEVIATION;
    return value;
  }

  /** An integer as the text of a string whose opening quote has been read; 0 for any other text. */
  integerText(): bigint {
    const { bytes } = this;
    let at = this.at;
    let value = 0;
    for (; at - this.at < MAX_SAFE_DIGITS; at++) {
      const char = bytes[at] as number;
      if (!(char >= ZERO && char <= NINE)) break;
      value = value * 10 + (char - ZERO);
    }
    if (at > this.at && bytes[at] === QUOTE) {
      this.at = at + 1;
      return BigInt(value);
    }
    const text = this.string();
    return /^-?\d+$/.test(text) ? BigInt(text) : 0n;
  }

  nullableString(): string {
    if (this.bytes[this.at] === QUOTE) {
      this.at++;
      return this.string();
    }
    this.expect(NULL);
    return '';
  }

  /** The inside of the string whose opening quote has been read, canonical; moves behind its closing quote. */
  string(): string {
    const start = this.at;
    this.skipString();
    const inside = this.slice(start, this.at - 1);
    return this.#escaped ? canonicalOrDeviation(inside) : inside;
  }

  /** Moves behind the closing quote. */
  skipString(): void {
    const { view, bytes } = this;
    let at = this.at;
    let escaped = false;
    for (;;) {
      const marks = quotesOrBackslashes(view.getInt32(at, true));
      if (marks === 0) {
        at += 4;
        continue;
      }
      at += firstMarked(marks);
      if (bytes[at] === BACKSLASH) {
        escaped = true;
        at += 2;
        continue;
      }
      break;
    }
    if (at >= this.length) throw DEVIATION;
    this.at = at + 1;
    this.#escaped = escaped;
  }
}
