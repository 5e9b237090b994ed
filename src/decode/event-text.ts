import {
  CLOSE_BRACE,
  canonicalOrDeviation,
  DEVIATION,
  firstMarked,
  QUOTE,
  quotesOrBackslashes,
  type ScanSource,
} from './scan-source.ts';

const BACKSLASH = 92;
const COMMA = 44;
const CLOSE_BRACKET = 93;
const LETTER_F = 102;
const LETTER_T = 116;

/** Four chars as a little-endian word. */
const word = (text: string): number => Buffer.from(text, 'latin1').readInt32LE();

// {"key":" and ","value":" and ","index":true} and ","index":false} as words, the last of each overlapping
const KEY = [word('{"ke'), word('y":"')] as const;
const VALUE = [word('","v'), word('alue'), word('e":"')] as const;
const INDEX = [word('","i'), word('ndex'), word('":tr'), word('true'), word('":fa'), word('alse')] as const;

/** Bytes behind the text that may be written: a word. */
const PADDING = 8;

/** Positions an attribute takes: where its key and value start and end in the printed text, between their quotes. */
const POSITIONS = 4;

/** Bytes that are written again and again, ready to be copied four at a time. */
export class Literal {
  readonly length: number;
  readonly view: DataView;

  constructor(text: string) {
    this.length = text.length;
    const bytes = new Uint8Array(text.length + PADDING);
    bytes.set(Buffer.from(text, 'latin1'));
    this.view = new DataView(bytes.buffer);
  }
}

/**
 * The API's JSON text of a block's events under construction, as bytes, and where the attributes of the event printed
 * last stand in it. Attributes are copied from the node's own text, four bytes at a time, while they are read: what is
 * printed is canonical, so that later readers need not look at the source again.
 */
export class EventText {
  bytes: Buffer = Buffer.alloc(1 << 16);
  #view = new DataView(this.bytes.buffer);
  length = 0;
  attributeCount = 0;
  /** A block's empty bloom, which has 256 escapes, comes again in the next. */
  #lastCanonical = '';
  #attributes: Int32Array<ArrayBuffer> = new Int32Array(64 * POSITIONS);

  /** Room for `count` more bytes and a word behind them: callers of the writing methods below ask for it first. */
  reserve(count: number): void {
    const needed = this.length + count + PADDING;
    if (needed <= this.bytes.length) return;
    const grown = Buffer.alloc(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.length);
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
   * Copies the attributes of an event, from behind `"attributes":[` up to its closing bracket, as
   * `{"key":"…","value":"…"}` with commas; what the node prints of `index` is left out. Moves `source` behind the
   * bracket. Errors: DEVIATION.
   */
  copyAttributes(source: ScanSource): void {
    this.attributeCount = 0;
    const { view, bytes } = source;
    if (bytes[source.at] === CLOSE_BRACKET) {
      source.at++;
      return;
    }
    for (;;) {
      let at = source.at;
      if (view.getInt32(at, true) !== KEY[0] || view.getInt32(at + 4, true) !== KEY[1]) throw DEVIATION;
      const target = this.#view;
      target.setInt32(this.length, KEY[0], true);
      target.setInt32(this.length + 4, KEY[1], true);
      this.length += 8;
      const keyStart = this.length;
      at = this.#copyString(source, at + 8);
      const keyEnd = this.length;
      if (
        view.getInt32(at, true) !== VALUE[0] ||
        view.getInt32(at + 4, true) !== VALUE[1] ||
        view.getInt32(at + 7, true) !== VALUE[2]
      ) {
        throw DEVIATION;
      }
      target.setInt32(keyEnd, VALUE[0], true);
      target.setInt32(keyEnd + 4, VALUE[1], true);
      target.setInt32(keyEnd + 7, VALUE[2], true);
      this.length = keyEnd + 11;
      const valueStart = this.length;
      at = this.#copyString(source, at + 11);
      this.#note(keyStart, keyEnd, valueStart, this.length);
      this.byte(QUOTE);
      this.byte(CLOSE_BRACE);
      at = behindIndex(source, at);
      const next = bytes[at];
      source.at = at + 1;
      if (next === COMMA) {
        this.byte(COMMA);
        continue;
      }
      if (next !== CLOSE_BRACKET) throw DEVIATION;
      return;
    }
  }

  /** Copies the inside of a string and returns where its closing quote stands in the source. */
  #copyString(source: ScanSource, start: number): number {
    const from = source.view;
    const to = this.#view;
    const first = this.length;
    let at = start;
    let end = first;
    let escaped = false;
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
      if (source.bytes[at] !== BACKSLASH) break;
      escaped = true;
      to.setInt16(end, from.getInt16(at, true), true);
      at += 2;
      end += 2;
    }
    if (at >= source.length) throw DEVIATION;
    this.length = end;
    if (escaped) this.#makeCanonical(first);
    return at;
  }

  /** Prints the escapes of what follows `start` as JSON.stringify does; that is never longer. */
  #makeCanonical(start: number): void {
    const inside = this.bytes.toString('latin1', start, this.length);
    if (inside === this.#lastCanonical) return;
    const canonical = canonicalOrDeviation(inside);
    this.#lastCanonical = canonical;
    if (canonical === inside) return;
    if (canonical.length > inside.length) throw DEVIATION;
    this.length = start + this.bytes.write(canonical, start, 'latin1');
  }

  #note(keyStart: number, keyEnd: number, valueStart: number, valueEnd: number): void {
    const at = this.attributeCount * POSITIONS;
    if (at + POSITIONS > this.#attributes.length) {
      const grown = new Int32Array(this.#attributes.length * 2);
      grown.set(this.#attributes);
      this.#attributes = grown;
    }
    this.#attributes[at] = keyStart;
    this.#attributes[at + 1] = keyEnd;
    this.#attributes[at + 2] = valueStart;
    this.#attributes[at + 3] = valueEnd;
    this.attributeCount++;
  }

  keyStart(attribute: number): number {
    return this.#attributes[attribute * POSITIONS] as number;
  }

  keyEnd(attribute: number): number {
    return this.#attributes[attribute * POSITIONS + 1] as number;
  }

  valueStart(attribute: number): number {
    return this.#attributes[attribute * POSITIONS + 2] as number;
  }

  valueEnd(attribute: number): number {
    return this.#attributes[attribute * POSITIONS + 3] as number;
  }

  hasKey(attribute: number, key: string): boolean {
    const start = this.keyStart(attribute);
    const { length } = key;
    if (this.keyEnd(attribute) - start !== length) return false;
    for (let i = 0; i < length; i++) if (this.bytes[start + i] !== key.charCodeAt(i)) return false;
    return true;
  }

  /** JSON-escaped, canonical. */
  key(attribute: number): string {
    return this.bytes.toString('latin1', this.keyStart(attribute), this.keyEnd(attribute));
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
      if (this.hasKey(attribute, key)) return attribute;
    }
    return -1;
  }
}

/** The position behind `","index":true}`, `","index":false}` or `"}`, which stand at a value's closing quote. */
function behindIndex({ view, bytes }: ScanSource, at: number): number {
  const first = view.getInt32(at, true);
  if (first !== INDEX[0]) {
    if (bytes[at + 1] === CLOSE_BRACE) return at + 2;
    throw DEVIATION;
  }
  if (view.getInt32(at + 4, true) !== INDEX[1]) throw DEVIATION;
  const isTrue = bytes[at + 10] === LETTER_T;
  if (!isTrue && bytes[at + 10] !== LETTER_F) throw DEVIATION;
  const third = view.getInt32(at + 8, true);
  const fourth = view.getInt32(at + (isTrue ? 10 : 11), true);
  const end = at + (isTrue ? 14 : 15);
  if (
    third !== (isTrue ? INDEX[2] : INDEX[4]) ||
    fourth !== (isTrue ? INDEX[3] : INDEX[5]) ||
    bytes[end] !== CLOSE_BRACE
  ) {
    throw DEVIATION;
  }
  return end + 1;
}
