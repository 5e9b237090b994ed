import { writeVarint } from '../core/native.ts';
import type { EventSpans } from './event-spans.ts';
import type { ProtoRegistry } from './proto/registry.ts';

/** What Strata needs to know of an event type. A chain has few types and many events: each is looked up once. */
export interface EventType {
  /** JSON-escaped, latin1. */
  readonly name: string;
  /** The name as a Native string: length and bytes. */
  readonly native: Uint8Array;
  /** `,"type":"NAME","msg_index":` as the API prints it. */
  readonly printed: Uint8Array;
  /** Whether its attributes are the fields of a known message. */
  readonly isTyped: boolean;
  /** Whether it is named like a message that no descriptor has: the chain may have newer ones. */
  readonly isUnknown: boolean;
  readonly isTransfer: boolean;
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

/** Types come from the chain: a hostile one may print a new type in every event. */
const MAX_TYPES = 10_000;

export class EventTypes {
  readonly #registry: ProtoRegistry;
  readonly #known = new Map<string, EventType>();

  /** By a cheap hash of the name's bytes; a slot holds the last type that came by. */
  readonly #slots: (EventType | undefined)[] = new Array(SLOTS).fill(undefined);

  constructor(registry: ProtoRegistry) {
    this.#registry = registry;
  }

  /** The type of an event, without making a string of its name where it came by before. */
  at(spans: EventSpans, event: number): EventType {
    const { bytes } = spans;
    const start = spans.typeStart(event);
    const length = spans.typeEnd(event) - start;
    const slot = hashOf(bytes, start, length);
    const candidate = this.#slots[slot];
    if (candidate !== undefined && isNamed(candidate, bytes, start, length)) return candidate;
    const type = this.of(spans.type(event));
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
    const type: EventType = {
      name,
      printed: Buffer.from(`,"type":"${name}","msg_index":`, 'latin1'),
      native: native.subarray(0, start + name.length),
      isTyped: name.includes('.') && isMessage,
      isUnknown: !isMessage && MESSAGE_NAME.test(name),
      isTransfer: name === 'transfer',
      bankKeys: Object.hasOwn(BANK_KEYS, name) ? (BANK_KEYS[name] ?? []) : [],
    };
    if (this.#known.size >= MAX_TYPES) this.#known.clear();
    this.#known.set(name, type);
    return type;
  }
}
