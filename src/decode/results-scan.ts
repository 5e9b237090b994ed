import { EventSpans } from './event-spans.ts';
import { canonicalEscapes } from './json-text.ts';
import type { BlockResults, TxResult } from './results.ts';

/**
 * Reads block_results in the compact layout that CometBFT 0.38 prints, in one walk over its bytes and without
 * JSON.parse. A bare quote cannot stand inside a JSON string, so what follows a closing quote is structure.
 *
 * One scanner a decoder: its buffers are reused, and what it returned is gone when it reads the next block.
 */
export interface ResultsScanner {
  /** Undefined at the first deviation from the layout: results-parse.ts prints such a block in it first. */
  scan(text: string): BlockResults | undefined;
}

export function createResultsScanner(): ResultsScanner {
  const scanner = new Scanner();
  return {
    scan(text) {
      try {
        return scanner.read(text);
      } catch (error) {
        if (error === DEVIATION) return undefined;
        throw error;
      }
    },
  };
}

const DEVIATION = Symbol('deviation from the compact layout');

const QUOTE = 34;
const COMMA = 44;
const CLOSE_BRACKET = 93;
const BACKSLASH = 92;
const CLOSE_BRACE = 125;
const ZERO = 48;
const NINE = 57;

const literal = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const HEIGHT = literal('{"height":"');
const TXS_RESULTS = literal(',"txs_results":');
const BLOCK_EVENTS = literal(',"finalize_block_events":');
const CODE = literal('{"code":');
const DATA = literal(',"data":');
const LOG = literal(',"log":"');
const INFO = literal(',"info":"');
const GAS_WANTED = literal(',"gas_wanted":"');
const GAS_USED = literal(',"gas_used":"');
const EVENTS = literal(',"events":');
const CODESPACE = literal(',"codespace":"');
const TYPE = literal('{"type":"');
const ATTRIBUTES = literal(',"attributes":[');
const KEY = literal('{"key":"');
const VALUE = literal(',"value":"');
const INDEX_TRUE = literal(',"index":true}');
const INDEX_FALSE = literal(',"index":false}');
const NULL = literal('null');

class Scanner {
  readonly #spans = new EventSpans();
  #buffer = Buffer.alloc(1 << 16);
  #bytes: Uint8Array = this.#buffer;
  #text = '';
  #at = 0;
  /** Whether the last string held an escape. */
  #escaped = false;

  read(text: string): BlockResults {
    this.#load(text);
    this.#expect(HEIGHT);
    this.#string();
    this.#expect(TXS_RESULTS);
    const txResults: TxResult[] = [];
    if (this.#openList()) {
      do txResults.push(this.#txResult());
      while (this.#nextItem());
    }
    this.#expect(BLOCK_EVENTS);
    const firstBlockEvent = this.#spans.count;
    this.#events();
    const next = this.#bytes[this.#at];
    if (next !== COMMA && next !== CLOSE_BRACE) throw DEVIATION;
    return {
      spans: this.#spans,
      txResults,
      firstBlockEvent,
      endBlockEvent: this.#spans.count,
      beginBlockEvents: -1,
    };
  }

  /** The text as bytes, with a quote behind them that ends every string. */
  #load(text: string): void {
    const length = text.length;
    if (length + 1 > this.#buffer.length) this.#buffer = Buffer.allocUnsafe((length + 1) * 2);
    this.#buffer.write(text, 0, length, 'latin1');
    this.#buffer[length] = QUOTE;
    this.#bytes = this.#buffer;
    this.#text = text;
    this.#at = 0;
    this.#spans.reset(text, this.#buffer);
  }

  #txResult(): TxResult {
    this.#expect(CODE);
    const code = this.#integer();
    this.#expect(DATA);
    const data = this.#nullableString();
    this.#expect(LOG);
    const log = this.#string();
    this.#expect(INFO);
    this.#string();
    this.#expect(GAS_WANTED);
    const gasWanted = this.#string();
    this.#expect(GAS_USED);
    const gasUsed = this.#string();
    this.#expect(EVENTS);
    const firstEvent = this.#spans.count;
    this.#events();
    const endEvent = this.#spans.count;
    this.#expect(CODESPACE);
    const codespace = this.#string();
    if (this.#bytes[this.#at++] !== CLOSE_BRACE) throw DEVIATION;
    return { code, data, log, gasWanted, gasUsed, codespace, firstEvent, endEvent };
  }

  #events(): void {
    if (!this.#openList()) return;
    do this.#event();
    while (this.#nextItem());
  }

  #event(): void {
    this.#expect(TYPE);
    const typeStart = this.#at;
    this.#skipString();
    this.#spans.addEvent(typeStart, this.#at - 1);
    this.#expect(ATTRIBUTES);
    if (this.#bytes[this.#at] === CLOSE_BRACKET) {
      this.#at++;
    } else {
      do this.#attribute();
      while (this.#nextItem());
    }
    if (this.#bytes[this.#at++] !== CLOSE_BRACE) throw DEVIATION;
  }

  #attribute(): void {
    this.#expect(KEY);
    const keyStart = this.#at;
    this.#skipString();
    const keyEnd = this.#at - 1;
    const keyEscaped = this.#escaped;
    this.#expect(VALUE);
    const valueStart = this.#at;
    this.#skipString();
    this.#spans.addAttribute(keyStart, keyEnd, valueStart, this.#at - 1, keyEscaped || this.#escaped);
    if (this.#bytes[this.#at] === CLOSE_BRACE) {
      this.#at++;
      return;
    }
    // ,"index":t… or ,"index":f…
    this.#expect(this.#bytes[this.#at + 9] === 102 ? INDEX_FALSE : INDEX_TRUE);
  }

  /** False for null and for an empty list, which are read whole. */
  #openList(): boolean {
    const first = this.#bytes[this.#at];
    if (first === 110) {
      this.#expect(NULL);
      return false;
    }
    if (first !== 91) throw DEVIATION;
    this.#at++;
    if (this.#bytes[this.#at] !== CLOSE_BRACKET) return true;
    this.#at++;
    return false;
  }

  #nextItem(): boolean {
    const next = this.#bytes[this.#at++];
    if (next === COMMA) return true;
    if (next === CLOSE_BRACKET) return false;
    throw DEVIATION;
  }

  #expect(expected: Uint8Array): void {
    const bytes = this.#bytes;
    const at = this.#at;
    const length = expected.length;
    for (let i = 0; i < length; i++) if (bytes[at + i] !== expected[i]) throw DEVIATION;
    this.#at = at + length;
  }

  #integer(): number {
    let value = 0;
    const start = this.#at;
    for (;;) {
      const char = this.#bytes[this.#at] as number;
      if (!(char >= ZERO && char <= NINE)) break;
      value = value * 10 + (char - ZERO);
      this.#at++;
    }
    if (this.#at === start) throw DEVIATION;
    return value;
  }

  #nullableString(): string {
    if (this.#bytes[this.#at] === QUOTE) {
      this.#at++;
      return this.#string();
    }
    this.#expect(NULL);
    return '';
  }

  /** The inside of the string whose opening quote has been read, canonical; moves behind its closing quote. */
  #string(): string {
    const start = this.#at;
    this.#skipString();
    const inside = this.#text.slice(start, this.#at - 1);
    return this.#escaped ? canonicalEscapes(inside) : inside;
  }

  /** Moves behind the closing quote; the sentinel behind the text ends what never closes. */
  #skipString(): void {
    const bytes = this.#bytes;
    let at = this.#at;
    let escaped = false;
    for (;;) {
      const byte = bytes[at++] as number;
      if (byte === QUOTE) break;
      if (byte !== BACKSLASH) continue;
      escaped = true;
      at++;
    }
    if (at > this.#text.length) throw DEVIATION;
    this.#at = at;
    this.#escaped = escaped;
  }
}
