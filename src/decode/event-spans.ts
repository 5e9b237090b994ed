import { canonicalEscapes, unescapeCanonical } from './json-text.ts';

/** Positions an attribute takes: where its key and value start and end in the text, between their quotes. */
const POSITIONS = 4;
const INITIAL_EVENTS = 1 << 10;

/**
 * The events of one block as positions in its text: an event costs a few integers instead of objects and strings
 * (60,649 events and 181,000 attributes in the recorded chain's 501 blocks). Indexes run over the whole block.
 */
export class EventSpans {
  /** The block's results, latin1. */
  text = '';
  /** The same, as bytes. */
  bytes: Uint8Array = new Uint8Array(0);
  count = 0;
  #attributeCount = 0;
  /** Start and end of each event's type, and the index of its first attribute. */
  #events: Int32Array<ArrayBuffer> = new Int32Array(INITIAL_EVENTS * 3);
  #attributes: Int32Array<ArrayBuffer> = new Int32Array(INITIAL_EVENTS * 4 * POSITIONS);
  /** Whether key or value hold an escape. */
  #escaped = new Uint8Array(INITIAL_EVENTS * 4);

  reset(text: string, bytes: Uint8Array): void {
    this.text = text;
    this.bytes = bytes;
    this.count = 0;
    this.#attributeCount = 0;
  }

  addEvent(typeStart: number, typeEnd: number): void {
    const at = this.count * 3;
    if (at + 3 > this.#events.length) this.#events = grown(this.#events);
    this.#events[at] = typeStart;
    this.#events[at + 1] = typeEnd;
    this.#events[at + 2] = this.#attributeCount;
    this.count++;
  }

  /** Belongs to the event added last. */
  addAttribute(
    keyStart: number,
    keyEnd: number,
    valueStart: number,
    valueEnd: number,
    escaped: boolean,
  ): void {
    const at = this.#attributeCount * POSITIONS;
    if (at + POSITIONS > this.#attributes.length) {
      this.#attributes = grown(this.#attributes);
      const flags = new Uint8Array(this.#attributes.length / POSITIONS);
      flags.set(this.#escaped);
      this.#escaped = flags;
    }
    this.#attributes[at] = keyStart;
    this.#attributes[at + 1] = keyEnd;
    this.#attributes[at + 2] = valueStart;
    this.#attributes[at + 3] = valueEnd;
    this.#escaped[this.#attributeCount] = escaped ? 1 : 0;
    this.#attributeCount++;
  }

  typeStart(event: number): number {
    return this.#events[event * 3] as number;
  }

  typeEnd(event: number): number {
    return this.#events[event * 3 + 1] as number;
  }

  /** JSON-escaped, canonical. */
  type(event: number): string {
    const text = this.text.slice(this.typeStart(event), this.typeEnd(event));
    return text.includes('\\') ? canonicalEscapes(text) : text;
  }

  firstAttribute(event: number): number {
    return this.#events[event * 3 + 2] as number;
  }

  endAttribute(event: number): number {
    return event + 1 < this.count ? (this.#events[event * 3 + 5] as number) : this.#attributeCount;
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

  isEscaped(attribute: number): boolean {
    return this.#escaped[attribute] === 1;
  }

  hasKey(attribute: number, key: string): boolean {
    const start = this.keyStart(attribute);
    return this.keyEnd(attribute) - start === key.length && this.text.startsWith(key, start);
  }

  /** JSON-escaped, canonical. */
  key(attribute: number): string {
    const text = this.text.slice(this.keyStart(attribute), this.keyEnd(attribute));
    return this.isEscaped(attribute) ? canonicalEscapes(text) : text;
  }

  /** JSON-escaped, canonical. */
  value(attribute: number): string {
    const text = this.text.slice(this.valueStart(attribute), this.valueEnd(attribute));
    return this.isEscaped(attribute) ? canonicalEscapes(text) : text;
  }

  /** The value of the event's first attribute with this key, unescaped; undefined when it has none. */
  find(event: number, key: string): string | undefined {
    const end = this.endAttribute(event);
    for (let attribute = this.firstAttribute(event); attribute < end; attribute++) {
      if (this.hasKey(attribute, key)) return unescapeCanonical(this.value(attribute));
    }
    return undefined;
  }

  /** Every value of the key, unescaped. */
  findAll(event: number, key: string): string[] {
    const values: string[] = [];
    const end = this.endAttribute(event);
    for (let attribute = this.firstAttribute(event); attribute < end; attribute++) {
      if (this.hasKey(attribute, key)) values.push(unescapeCanonical(this.value(attribute)));
    }
    return values;
  }
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}
