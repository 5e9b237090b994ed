import type { AbciEvent } from 'strata-kit/abci-event';
import type { Codec } from 'strata-kit/codec/codec';
import type { JsonObject } from 'strata-kit/proto-json';

/** Events in the order in which they are emitted. */
export interface EventLog {
  readonly events: AbciEvent[];
  readonly emit: (type: string, fields: JsonObject) => void;
  readonly emitPlain: (type: string, attributes: AbciEvent['attributes']) => void;
}

/** With `rights.EventIssued` standing for `<ns>.rights.v1.EventIssued`. */
export function createEventLog(codec: Codec, namespace: string): EventLog {
  const events: AbciEvent[] = [];
  return {
    events,
    emit(name, fields) {
      const type = typedEventName(namespace, name);
      events.push({ type, attributes: codec.eventAttributes(type, fields) });
    },
    emitPlain: (type, attributes) => {
      events.push({ type, attributes });
    },
  };
}

const names = new Map<string, string>();

function typedEventName(namespace: string, name: string): string {
  const key = `${namespace} ${name}`;
  let type = names.get(key);
  if (type === undefined) {
    const [module, event] = name.split('.');
    type = `${namespace}.${module}.v1.${event}`;
    names.set(key, type);
  }
  return type;
}

/** With one more attribute behind each one's: `msg_index` or `mode`. */
export function withAttribute(events: readonly AbciEvent[], key: string, value: string): AbciEvent[] {
  const last = [key, value] as const;
  return events.map(({ type, attributes }) => ({ type, attributes: [...attributes, last] }));
}

/**
 * A message's events as the SDK's baseapp puts them together: `message` with action, sender and, unless the module has
 * told its own, module; then what was emitted.
 */
export function messageEvents(
  typeUrl: string,
  sender: string | undefined,
  emitted: readonly AbciEvent[],
  messageIndex: number,
): AbciEvent[] {
  const attributes: (readonly [string, string])[] = [['action', typeUrl]];
  if (sender !== undefined) attributes.push(['sender', sender]);
  const isNamed = emitted.some((event) => event.attributes.some(([key]) => key === 'module'));
  const module = typeUrl.split('.')[1];
  if (!isNamed && module !== undefined) attributes.push(['module', module]);
  return withAttribute([{ type: 'message', attributes }, ...emitted], 'msg_index', String(messageIndex));
}
