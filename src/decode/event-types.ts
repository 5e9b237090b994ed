import { writeVarint } from '../core/native.ts';
import { EventShape, type ShapeLearner } from './event-shapes.ts';
import { Literal } from './literal.ts';
import type { ProtoRegistry } from './proto/registry.ts';
import { canonicalOrDeviation } from './scan-source.ts';

/** What Strata needs to know of an event type. A chain has few types and many events: each is looked up once. */
export interface EventType {
  /** JSON-escaped, latin1. */
  readonly name: string;
  /** The name as a Native string: length and bytes. */
  readonly native: Uint8Array;
  /** `{"type":"NAME` as the node prints it. */
  readonly source: Literal;
  /** `,"type":"NAME","msg_index":` as the API prints it. */
  readonly printed: Literal;
  /** What is known of its attributes. */
  readonly shapes: ShapeLearner;
  /** The type of the event that came after one of this type last, and so probably comes again. */
  next: EventType | undefined;
  /** Whether its attributes are the fields of a known message. */
  readonly isTyped: boolean;
  /** Whether it is an event of the asset modules, so that the accounts in its fields are its subjects. */
  readonly hasSubjects: boolean;
  /** Whether it is named like a message that no descriptor has: the chain may have newer ones. */
  readonly isUnknown: boolean;
  readonly isTransfer: boolean;
  /** Old ethermint chains tell EVM logs in events of this type. */
  readonly isTxLog: boolean;
  /** Attribute keys that name the spender or the receiver of a bank movement. */
  readonly bankKeys: readonly string[];
}

const BANK_KEYS: Readonly<Record<string, readonly string[]>> = {
  coin_spent: ['spender'],
  coin_received: ['receiver'],
  transfer: ['recipient', 'sender'],
};

/** A full name as chains give theirs: packages in lower case, then a message, as `cosmos.group.v1.EventVote`. */
const MESSAGE_NAME = /^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*\.[A-Z][A-Za-z0-9_]*$/;

const SLOTS = 1_024;

function hashOf(bytes: Uint8Array, start: number, length: number): number {
  const first = bytes[start] as number;
  const middle = bytes[start + (length >> 1)] as number;
  const last = bytes[start + length - 1] as number;
  return (length + first * 31 + middle * 131 + last * 521) & (SLOTS - 1);
}

/** A name whose escapes are not canonical compares unequal and is looked up by its text. */
function isNamed(type: EventType, bytes: Uint8Array, start: number, length: number): boolean {
  const { name } = type;
  if (name.length !== length) return false;
  for (let i = 0; i < length; i++) if (name.charCodeAt(i) !== bytes[start + i]) return false;
  return true;
}

/** Types and keys come from the chain, which may print new ones in every event: what was learned is dropped then. */
export const MAX_LEARNED_BYTES = 32_000_000;
/** About what a type or a shape takes beside its texts, of which it has three. */
const ENTRY_BYTES = 800;
const TEXTS = 3;

const UNTYPED_TAIL = ',"decoded":null,"applied":false}';

export class EventTypes {
  readonly #registry: ProtoRegistry;
  readonly #namespace: string;
  readonly #known = new Map<string, EventType>();

  /** By a cheap hash of the name's bytes; a slot holds the last type that came by. */
  readonly #slots: (EventType | undefined)[] = new Array(SLOTS).fill(undefined);
  #learnedBytes = 0;
  #generation = 0;

  /** `namespace`: see DecodeContext. */
  constructor(registry: ProtoRegistry, namespace = '') {
    this.#registry = registry;
    this.#namespace = namespace;
  }

  /** The type named at start..end, without making a string of its name where it came by before. Errors: DEVIATION. */
  at(bytes: Buffer, start: number, end: number): EventType {
    const length = end - start;
    const slot = hashOf(bytes, start, length);
    const candidate = this.#slots[slot];
    if (candidate !== undefined && isNamed(candidate, bytes, start, length)) return candidate;
    const name = bytes.toString('latin1', start, end);
    const type = this.of(name.includes('\\') ? canonicalOrDeviation(name) : name);
    this.#slots[slot] = type;
    return type;
  }

  of(name: string): EventType {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const native = Buffer.alloc(name.length + 10);
    const start = writeVarint(native, 0, name.length);
    native.write(name, start, 'latin1');
    const isMessage = this.#registry.has(name);
    const isTyped = name.includes('.') && isMessage;
    const type: EventType = {
      name,
      printed: new Literal(`,"type":"${name}","msg_index":`),
      native: native.subarray(0, start + name.length),
      source: new Literal(`{"type":"${name}`),
      shapes: {
        root: new EventShape('', '', ''),
        tail: isTyped ? '' : UNTYPED_TAIL,
        onShape: (bytes) => this.#count(bytes),
      },
      next: undefined,
      isTyped,
      hasSubjects: isTyped && this.#namespace !== '' && name.startsWith(`${this.#namespace}.`),
      isUnknown: !isMessage && MESSAGE_NAME.test(name),
      isTransfer: name === 'transfer',
      isTxLog: name === 'tx_log',
      bankKeys: Object.hasOwn(BANK_KEYS, name) ? (BANK_KEYS[name] ?? []) : [],
    };
    this.#count(name.length);
    this.#known.set(name, type);
    return type;
  }

  /** An estimate, at most MAX_LEARNED_BYTES. */
  get learnedBytes(): number {
    return this.#learnedBytes;
  }

  /** Another number once everything was dropped: types from before must not be used for further events. */
  get generation(): number {
    return this.#generation;
  }

  #count(textBytes: number): void {
    const bytes = ENTRY_BYTES + TEXTS * textBytes;
    if (this.#learnedBytes + bytes > MAX_LEARNED_BYTES) {
      this.#known.clear();
      this.#slots.fill(undefined);
      this.#learnedBytes = 0;
      this.#generation++;
    }
    this.#learnedBytes = Math.min(MAX_LEARNED_BYTES, this.#learnedBytes + bytes);
  }
}
