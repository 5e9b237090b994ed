/** Reads a block in ClickHouse's Native format into rows, for tests that look at what a decoder made. */

export type NativeValue = number | bigint | string | Buffer | readonly string[];
export type NativeRow = Readonly<Record<string, NativeValue>>;

/** String columns that hold bytes, not text. */
const BINARY_COLUMNS = new Set(['recipient', 'contract', 'selector', 'data']);

/** Strings come as UTF-8 text, those of BINARY_COLUMNS and FixedString as Buffer, 64-bit integers and wider as bigint. */
export function readNativeRows(block: Uint8Array): NativeRow[] {
  const bytes = Buffer.from(block.buffer, block.byteOffset, block.byteLength);
  let at = 0;
  const varint = (): number => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  };
  const take = (length: number): Buffer => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const text = (): string => take(varint()).toString('utf8');
  const readers: Record<string, () => NativeValue> = {
    UInt8: () => take(1).readUInt8(),
    Int8: () => take(1).readInt8(),
    UInt16: () => take(2).readUInt16LE(),
    UInt32: () => take(4).readUInt32LE(),
    Int32: () => take(4).readInt32LE(),
    UInt64: () => take(8).readBigUInt64LE(),
    Int64: () => take(8).readBigInt64LE(),
    UInt256: () => wide(take(32)),
    Int256: () => BigInt.asIntN(256, wide(take(32))),
    String: text,
  };
  const columnCount = varint();
  const rowCount = varint();
  const rows: Record<string, NativeValue>[] = Array.from({ length: rowCount }, () => ({}));
  for (let column = 0; column < columnCount; column++) {
    const name = text();
    const type = text();
    if (type === 'Array(String)') {
      const ends = rows.map(() => Number(take(8).readBigUInt64LE()));
      rows.forEach((row, i) => {
        row[name] = Array.from({ length: (ends[i] ?? 0) - (ends[i - 1] ?? 0) }, text);
      });
      continue;
    }
    const width = /^FixedString\((\d+)\)$/.exec(type)?.[1];
    const scalar = BINARY_COLUMNS.has(name) ? () => take(varint()) : readers[type];
    const read = width === undefined ? scalar : () => take(Number(width));
    if (read === undefined) throw new Error(`no reader for ${type}`);
    for (const row of rows) row[name] = read();
  }
  if (at !== bytes.length) throw new Error(`${bytes.length - at} bytes left behind the block`);
  return rows;
}

function wide(littleEndian: Buffer): bigint {
  return BigInt(`0x${Buffer.from(littleEndian).reverse().toString('hex')}`);
}
