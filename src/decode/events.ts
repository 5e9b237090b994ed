import { unescapeCanonical } from './json-text.ts';
import type { ProtoRegistry } from './proto/registry.ts';
import type { EventRecord } from './results.ts';

/** One event as the API and the tables need it. Texts are latin1. */
export interface DecodedEvent {
  readonly record: EventRecord;
  readonly msgIndex: number;
  readonly mode: '' | 'BeginBlock' | 'EndBlock';
  /** Proto-JSON of a typed event, undefined for others. */
  readonly decoded: string | undefined;
}

/** Renders events; keeps which types are typed events, since a chain has few types and many events. */
export class EventDecoder {
  readonly #registry: ProtoRegistry;
  readonly #typed = new Map<string, boolean>();

  constructor(registry: ProtoRegistry) {
    this.#registry = registry;
  }

  decode(record: EventRecord, isBlockLevel: boolean): DecodedEvent {
    const attributes = record.attributes;
    const last = attributes.length - 2;
    const lastKey = last >= 0 ? attributes[last] : undefined;
    let msgIndex = -1;
    let mode = record.mode;
    let own = attributes.length;
    if (!isBlockLevel && lastKey === 'msg_index') {
      const value = attributes[last + 1] as string;
      if (/^\d{1,9}$/.test(value)) {
        msgIndex = Number(value);
        own = last;
      }
    } else if (isBlockLevel && lastKey === 'mode') {
      const value = attributes[last + 1];
      if (value === 'BeginBlock' || value === 'EndBlock') {
        mode = value;
        own = last;
      }
    }
    const decoded = this.#isTyped(record.type) ? this.#render(record, own) : undefined;
    return { record, msgIndex, mode, decoded };
  }

  #isTyped(type: string): boolean {
    const known = this.#typed.get(type);
    if (known !== undefined) return known;
    const typed: boolean = type.includes('.') && this.#registry.has(type);
    this.#typed.set(type, typed);
    return typed;
  }

  #render(record: EventRecord, own: number): string | undefined {
    const attributes: { key: string; value: string }[] = [];
    for (let i = 0; i < own; i += 2) {
      attributes.push({
        key: unescapeCanonical(record.attributes[i] as string),
        value: unescapeCanonical(record.attributes[i + 1] as string),
      });
    }
    return this.#registry.renderTypedEvent(record.type, attributes);
  }
}

/** The API's Event (api.md section 2) as JSON text; `applied` is decided when read. */
export function eventText(event: DecodedEvent, eventIndex: number): string {
  const msgIndex = event.msgIndex < 0 ? 'null' : event.msgIndex;
  const mode = event.mode === '' ? '' : `"mode":"${event.mode}",`;
  return `{"event_index":${eventIndex},"type":"${event.record.type}","msg_index":${msgIndex},${mode}"attributes":${event.record.attributesText},"decoded":${event.decoded ?? 'null'},"applied":false}`;
}
