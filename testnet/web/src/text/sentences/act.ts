import type { Fields } from './fields.ts';
import type { Part, Sentence } from './sentence.ts';

/** What a message does: somebody, a verb in both its forms, and what it is about. */
export interface Act {
  readonly who: Part;
  /** `transferred` */
  readonly did: string;
  /** `transfer`, of what failed: `tried to transfer` */
  readonly toDo: string;
  /** Begins with what comes after the verb and its space. */
  readonly what: Sentence;
  /** Said at its end where it was done. */
  readonly after?: string;
}

/** A typed event, its type without the chain's namespace: `rights.v1.EventTransferred`. */
export interface ToldEvent {
  readonly type: string;
  readonly fields: Fields;
}

/** By a message's type without the namespace. `events` are the typed ones that this message caused. */
export type Acts = Readonly<Record<string, (message: Fields, events: readonly ToldEvent[]) => Act>>;

/** By an event's type without the namespace. */
export type Happenings = Readonly<Record<string, (event: Fields) => Sentence>>;

export function eventOf(events: readonly ToldEvent[], type: string): Fields | undefined {
  return events.find((event) => event.type === type)?.fields;
}

/** `/aeva.rights.v1.MsgTransfer` or `aeva.rights.v1.EventIssued` without its first segment. */
export function withoutNamespace(type: string): string {
  return type.replace(/^\/?[^.]*\./, '');
}
