/** Just enough of protobuf's wire format for the few small answers that start-up reads. */

export interface ProtoField {
  readonly field: number;
  /** Varints and fixed integers; 0 for length-delimited fields. */
  readonly integer: bigint;
  /** Length-delimited fields; empty for others. */
  readonly bytes: Uint8Array;
}

const EMPTY = new Uint8Array();

/** The fields of one message in wire order. Errors: RangeError when the bytes are no message. */
export function readProtoFields(message: Uint8Array): readonly ProtoField[] {
  const fields: ProtoField[] = [];
  let at = 0;

  function varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = message[at++];
      if (byte === undefined) throw new RangeError('the message ends inside an integer');
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new RangeError('an integer is too long');
  }

  function take(byteLength: number): Uint8Array {
    if (at + byteLength > message.length) throw new RangeError('the message ends inside a field');
    at += byteLength;
    return message.subarray(at - byteLength, at);
  }

  while (at < message.length) {
    const tag = Number(varint());
    const field = tag >>> 3;
    switch (tag & 7) {
      case 0:
        fields.push({ field, integer: varint(), bytes: EMPTY });
        break;
      case 1:
        fields.push({ field, integer: littleEndian(take(8)), bytes: EMPTY });
        break;
      case 2:
        fields.push({ field, integer: 0n, bytes: take(Number(varint())) });
        break;
      case 5:
        fields.push({ field, integer: littleEndian(take(4)), bytes: EMPTY });
        break;
      default:
        throw new RangeError(`wire type ${tag & 7} is unknown`);
    }
  }
  return fields;
}

/** The last length-delimited value of a field, as protobuf reads a repeated singular field. */
export function protoBytes(message: Uint8Array, field: number): Uint8Array | undefined {
  return readProtoFields(message).findLast((found) => found.field === field)?.bytes;
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
