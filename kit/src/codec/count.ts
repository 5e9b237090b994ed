import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';

type Resolve = (typeUrl: string) => DescMessage | undefined;

/** Deeper ones are refused when they are decoded. */
const MAX_DEPTH = 100;
const ANY = 'google.protobuf.Any';
const fieldsByNumber = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>();

/**
 * Fields of a message and of all that it holds, Any values among them: what decoding takes grows with them, and one may have
 * no more than two bytes. Stops above `most`. Bytes that are no message count up to their defect.
 */
export function countFields(desc: DescMessage, bytes: Uint8Array, resolve: Resolve, most: number): number {
  let count = 0;

  function walk(type: DescMessage, part: Uint8Array, depth: number): void {
    const reader = new BinaryReader(part);
    let typeUrl = '';
    while (reader.pos < reader.len && count <= most) {
      const [number, wireType] = reader.tag();
      count += 1;
      const field = fieldOf(type, number);
      if (wireType !== WireType.LengthDelimited || field === undefined) {
        reader.skip(wireType, number);
        continue;
      }
      const value = reader.bytes();
      if (type.typeName === ANY && number === 1) typeUrl = Buffer.from(value).toString('utf8');
      const inner = type.typeName === ANY && number === 2 ? resolve(typeUrl) : field.message;
      if (inner !== undefined && depth < MAX_DEPTH) walk(inner, value, depth + 1);
      else if (isPacked(field)) count += value.length;
    }
  }

  try {
    walk(desc, bytes, 1);
  } catch (error) {
    // the reader's own: decoding these bytes will report what is wrong with them
    if (!(error instanceof Error)) throw error;
  }
  return count;
}

function fieldOf(type: DescMessage, number: number): DescField | undefined {
  let fields = fieldsByNumber.get(type);
  if (fields === undefined) {
    fields = new Map(type.fields.map((field) => [field.number, field]));
    fieldsByNumber.set(type, fields);
  }
  return fields.get(number);
}

/** Numbers of a list may share one field: then each has a byte at least. */
function isPacked(field: DescField): boolean {
  if (field.fieldKind !== 'list' || field.listKind === 'message') return false;
  return (
    field.listKind === 'enum' || (field.scalar !== ScalarType.STRING && field.scalar !== ScalarType.BYTES)
  );
}
