import { goJson } from './go-json.ts';
import type { EventName, SocketEvent } from './node.ts';

type Tags = ReadonlyMap<string, readonly string[]>;

/** `value` is JSON text; `tags` are what queries are held against. */
export function socketEvent(name: EventName, value: string, tags: Tags): SocketEvent {
  return {
    text: `"data":{"type":"tendermint/event/${name}","value":${value}},"events":${goJson(Object.fromEntries(tags))}`,
    matches: (conditions) =>
      conditions.every(({ key, value: wanted }) => tags.get(key)?.includes(wanted) === true),
  };
}

/** `type.key` to its values. */
export function tagsOf(
  name: EventName,
  events: readonly {
    readonly type: string;
    readonly attributes: readonly (readonly [key: string, value: string])[];
  }[],
): Map<string, string[]> {
  const tags = new Map<string, string[]>([['tm.event', [name]]]);
  for (const { type, attributes } of events) {
    for (const [key, value] of attributes) {
      const tag = `${type}.${key}`;
      const values = tags.get(tag);
      if (values === undefined) tags.set(tag, [value]);
      else values.push(value);
    }
  }
  return tags;
}
