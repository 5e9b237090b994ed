import { GrowingBytes } from '../core/native.ts';
import { type MessageDescriptor, TYPE_STRING, TYPE_UINT32 } from '../decode/proto/descriptors.ts';

/** A request's fields: texts and uint32s, which is all that the queries here take. */
export type RequestFields = Readonly<Record<string, string | number>>;

/** The protobuf bytes of a request; undefined where the chain's message has no such field, or one of another type. */
export function encodeRequest(message: MessageDescriptor, fields: RequestFields): Uint8Array | undefined {
  const bytes = new GrowingBytes();
  for (const [name, value] of Object.entries(fields)) {
    const field = message.fields.find((each) => each.name === name);
    const type = typeof value === 'string' ? TYPE_STRING : TYPE_UINT32;
    if (field === undefined || field.type !== type || field.repeated) return undefined;
    if (typeof value === 'string') {
      const text = Buffer.from(value, 'utf8');
      bytes.varint(field.number * 8 + 2);
      bytes.varint(text.length);
      bytes.append(text, 0, text.length);
    } else {
      bytes.varint(field.number * 8);
      bytes.varint(value);
    }
  }
  return bytes.bytes.subarray(0, bytes.length);
}
