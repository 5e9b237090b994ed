import { Literal } from './literal.ts';
import { CLOSE_BRACE, DEVIATION, QUOTE, type ScanSource } from './scan-source.ts';

/**
 * What stands between the values of an event, learned from the events that came before. Events of one type have the
 * same keys in the same order, so that from a value on the next bytes are known up to the value that follows:
 * `","index":true},{"key":"amount","value":"`. They are compared, and what the API prints in their place is written,
 * four bytes at a time; a key is read char by char the first time only. The shapes of a type are a tree.
 */
export class EventShape {
  /** What the node prints from the closing quote before it to where it ends. */
  readonly source: Literal;
  /** What the API prints in its place. */
  readonly printed: Literal;
  /** The key whose value follows, JSON-escaped, canonical; undefined at the end of an event. */
  readonly key: string | undefined;
  /** The first that followed, and so probably what follows again. */
  next: EventShape | undefined;
  /** All others that ever followed, by `source`; the first few are tried before a key is read. */
  readonly #others: EventShape[] = [];
  readonly #bySource = new Map<string, EventShape>();

  constructor(source: string, printed: string, key: string | undefined) {
    this.source = new Literal(source);
    this.printed = new Literal(printed);
    this.key = key;
  }

  /** What follows at source.at, which is a closing quote, when it is not `next`. Errors: DEVIATION. */
  follow(source: ScanSource, learn: ShapeLearner): EventShape {
    const others = this.#others;
    for (let i = 0; i < others.length && i < TRIED; i++) {
      const other = others[i] as EventShape;
      if (source.matches(other.source, source.at)) return other;
    }
    return this.#read(source, learn);
  }

  #read(source: ScanSource, learn: ShapeLearner): EventShape {
    const start = source.at;
    const { printed, key } = readShape(source, this === learn.root);
    const text = source.slice(start, source.at);
    source.at = start;
    let follower = this.#bySource.get(text);
    if (follower === undefined) {
      learn.onShape(text.length);
      follower = new EventShape(text, key === undefined ? printed + learn.tail : printed, key);
      this.#bySource.set(text, follower);
      if (this.next === undefined) this.next = follower;
      else this.#others.push(follower);
    }
    return follower;
  }
}

/** An event has few layouts, but a chain may print another key in every one of them. */
const TRIED = 6;

export interface ShapeLearner {
  /** The shape before the first attribute. */
  readonly root: EventShape;
  /** Printed behind the attributes. */
  readonly tail: string;
  /** Called before a shape is added: a hostile chain may print a new key in every event. */
  readonly onShape: (textBytes: number) => void;
}

const ATTRIBUTES = new Literal('","attributes":[');
const KEY = new Literal('{"key":"');
const VALUE = new Literal(',"value":"');
const INDEX_TRUE = new Literal('","index":true}');
const INDEX_FALSE = new Literal('","index":false}');
const COMMA = 44;
const CLOSE_BRACKET = 93;

/** Reads from the closing quote of the type, or of a value, to behind the opening quote of the next value. */
function readShape(source: ScanSource, isFirst: boolean): { printed: string; key: string | undefined } {
  let printed: string;
  if (isFirst) {
    source.expect(ATTRIBUTES);
    printed = ',"attributes":[';
    if (source.bytes[source.at] === CLOSE_BRACKET) {
      source.at++;
      source.byte(CLOSE_BRACE);
      return { printed: `${printed}]`, key: undefined };
    }
  } else {
    skipIndex(source);
    const next = source.bytes[source.at++];
    if (next === CLOSE_BRACKET) {
      source.byte(CLOSE_BRACE);
      return { printed: '"}]', key: undefined };
    }
    if (next !== COMMA) throw DEVIATION;
    printed = '"},';
  }
  source.expect(KEY);
  const key = source.string();
  source.expect(VALUE);
  return { printed: `${printed}{"key":"${key}","value":"`, key };
}

/** Moves behind `","index":true}`, `","index":false}` or `"}`. */
function skipIndex(source: ScanSource): void {
  if (source.matches(INDEX_TRUE, source.at)) {
    source.at += INDEX_TRUE.length;
  } else if (source.matches(INDEX_FALSE, source.at)) {
    source.at += INDEX_FALSE.length;
  } else {
    source.byte(QUOTE);
    source.byte(CLOSE_BRACE);
  }
}
