import { writeVarint } from '../core/native.ts';
import type { ProtoRegistry } from './proto/registry.ts';

/** What Strata needs to know of an event type. A chain has few types and many events: each is looked up once. */
export interface EventType {
  /** JSON-escaped, latin1. */
  readonly name: string;
  /** The name as a Native string: length and bytes. */
  readonly native: Uint8Array;
  /** Whether its attributes are the fields of a known message. */
  readonly isTyped: boolean;
  readonly isTransfer: boolean;
  /** Attribute keys that name the spender or the receiver of a bank movement. */
  readonly bankKeys: readonly string[];
}

const BANK_KEYS: Readonly<Record<string, readonly string[]>> = {
  coin_spent: ['spender'],
  coin_received: ['receiver'],
  transfer: ['recipient', 'sender'],
};

/** Types come from the chain: a hostile one may print a new type in every event. */
const MAX_TYPES = 10_000;

export class EventTypes {
  readonly #registry: ProtoRegistry;
  readonly #known = new Map<string, EventType>();

  constructor(registry: ProtoRegistry) {
    this.#registry = registry;
  }

  of(name: string): EventType {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const native = Buffer.alloc(name.length + 10);
    const start = writeVarint(native, 0, name.length);
    native.write(name, start, 'latin1');
    const type: EventType = {
      name,
      native: native.subarray(0, start + name.length),
      isTyped: name.includes('.') && this.#registry.has(name),
      isTransfer: name === 'transfer',
      bankKeys: Object.hasOwn(BANK_KEYS, name) ? (BANK_KEYS[name] ?? []) : [],
    };
    if (this.#known.size >= MAX_TYPES) this.#known.clear();
    this.#known.set(name, type);
    return type;
  }
}
