import { canonicalEscapes } from './json-text.ts';
import { attributesText, type BlockResults, type EventRecord, type TxResult } from './results.ts';

/**
 * Reads block_results in the compact layout that CometBFT 0.38 prints, by walking the text: no JSON.parse (one core:
 * 29,400 against 6,600 blocks/s for the recorded chain, see docs/performance.md). A bare quote cannot stand inside a
 * JSON string, so literal anchors that start or end with one are safe.
 *
 * Returns undefined at the first deviation from the layout; results-parse.ts then reads the block.
 */
export function scanBlockResults(text: string): BlockResults | undefined {
  try {
    return new Scanner(text.replaceAll(',"index":true}', '}').replaceAll(',"index":false}', '}')).read();
  } catch (error) {
    if (error === DEVIATION) return undefined;
    throw error;
  }
}

const DEVIATION = Symbol('deviation from the compact layout');

const QUOTE = 34;
const COMMA = 44;
const CLOSE_BRACKET = 93;
const BACKSLASH = 92;
const ZERO = 48;
const NINE = 57;

class Scanner {
  readonly #text: string;
  #at = 0;
  /** The next backslash at or behind #at; the text's length when there is none. */
  #backslash: number;
  /** Whether the last string() held an escape. */
  #escaped = false;

  constructor(text: string) {
    this.#text = text;
    this.#backslash = this.#nextBackslash(0);
  }

  read(): BlockResults {
    this.#expect('{"height":"');
    this.#string();
    this.#expect(',"txs_results":');
    const txResults = this.#list(() => this.#txResult());
    this.#expect(',"finalize_block_events":');
    const blockEvents = this.#list(() => this.#event());
    if (!this.#text.startsWith(',"', this.#at) && this.#text[this.#at] !== '}') throw DEVIATION;
    return { txResults, blockEvents };
  }

  #txResult(): TxResult {
    this.#expect('{"code":');
    const code = this.#integer();
    this.#expect(',"data":');
    const data = this.#nullableString();
    this.#expect(',"log":"');
    const log = this.#string();
    this.#expect(',"info":"');
    this.#string();
    this.#expect(',"gas_wanted":"');
    const gasWanted = this.#string();
    this.#expect(',"gas_used":"');
    const gasUsed = this.#string();
    this.#expect(',"events":');
    const events = this.#list(() => this.#event());
    this.#expect(',"codespace":"');
    const codespace = this.#string();
    this.#expect('}');
    return { code, data, log, gasWanted, gasUsed, codespace, events };
  }

  #event(): EventRecord {
    this.#expect('{"type":"');
    const type = this.#string();
    this.#expect(',"attributes":[');
    const start = this.#at - 1;
    const attributes: string[] = [];
    let escaped = false;
    if (this.#text.charCodeAt(this.#at) === CLOSE_BRACKET) {
      this.#at++;
    } else {
      for (;;) {
        this.#expect('{"key":"');
        attributes.push(this.#string());
        escaped ||= this.#escaped;
        this.#expect(',"value":"');
        attributes.push(this.#string());
        escaped ||= this.#escaped;
        this.#expect('}');
        const next = this.#text.charCodeAt(this.#at++);
        if (next === CLOSE_BRACKET) break;
        if (next !== COMMA) throw DEVIATION;
      }
    }
    const end = this.#at;
    this.#expect('}');
    const slice = escaped ? attributesText(attributes) : this.#text.slice(start, end);
    return { type, attributes, attributesText: slice, mode: '' };
  }

  #list<T>(item: () => T): T[] {
    if (this.#text.startsWith('null', this.#at)) {
      this.#at += 4;
      return [];
    }
    this.#expect('[');
    const items: T[] = [];
    if (this.#text.charCodeAt(this.#at) === CLOSE_BRACKET) {
      this.#at++;
      return items;
    }
    for (;;) {
      items.push(item());
      const next = this.#text.charCodeAt(this.#at++);
      if (next === CLOSE_BRACKET) return items;
      if (next !== COMMA) throw DEVIATION;
    }
  }

  #expect(literal: string): void {
    if (!this.#text.startsWith(literal, this.#at)) throw DEVIATION;
    this.#at += literal.length;
  }

  #integer(): number {
    let value = 0;
    const start = this.#at;
    for (;;) {
      const char = this.#text.charCodeAt(this.#at);
      if (!(char >= ZERO && char <= NINE)) break;
      value = value * 10 + (char - ZERO);
      this.#at++;
    }
    if (this.#at === start) throw DEVIATION;
    return value;
  }

  #nullableString(): string {
    if (this.#text.startsWith('null', this.#at)) {
      this.#at += 4;
      return '';
    }
    if (this.#text.charCodeAt(this.#at) !== QUOTE) throw DEVIATION;
    this.#at++;
    return this.#string();
  }

  /** The inside of the string whose opening quote has been read; moves behind its closing quote. */
  #string(): string {
    const start = this.#at;
    let end = this.#text.indexOf('"', start);
    if (this.#backslash < start) this.#backslash = this.#nextBackslash(start);
    if (end < 0) throw DEVIATION;
    this.#escaped = this.#backslash < end;
    if (!this.#escaped) {
      this.#at = end + 1;
      return this.#text.slice(start, end);
    }
    while (this.#isEscapedAt(end)) {
      end = this.#text.indexOf('"', end + 1);
      if (end < 0) throw DEVIATION;
    }
    this.#at = end + 1;
    return canonicalEscapes(this.#text.slice(start, end));
  }

  /** Whether an odd number of backslashes stands before `at`. */
  #isEscapedAt(at: number): boolean {
    let count = 0;
    while (this.#text.charCodeAt(at - 1 - count) === BACKSLASH) count++;
    return count % 2 === 1;
  }

  #nextBackslash(from: number): number {
    const found = this.#text.indexOf('\\', from);
    return found < 0 ? this.#text.length : found;
  }
}
