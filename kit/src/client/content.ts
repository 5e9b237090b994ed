import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { equalBytes } from '../bytes.ts';

/** What a signature covers of a TxRaw. The signatures themselves another may write in other bytes, with another hash. */
export interface TxBody {
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
}

/** Undefined for bytes that are no TxRaw. */
export function contentOf(tx: Uint8Array): TxBody | undefined {
  let bodyBytes: Uint8Array = new Uint8Array(0);
  let authInfoBytes: Uint8Array = new Uint8Array(0);
  try {
    const reader = new BinaryReader(tx);
    while (reader.pos < reader.len) {
      const [field, type] = reader.tag();
      if (type === WireType.LengthDelimited && field === 1) bodyBytes = reader.bytes();
      else if (type === WireType.LengthDelimited && field === 2) authInfoBytes = reader.bytes();
      else reader.skip(type);
    }
  } catch {
    // a block may hold any bytes
    return undefined;
  }
  return { bodyBytes, authInfoBytes };
}

/** Whether both are the same tx, whatever their signatures look like: its signer and sequence are part of it. */
export function hasSameContent(a: TxBody, b: TxBody): boolean {
  return equalBytes(a.bodyBytes, b.bodyBytes) && equalBytes(a.authInfoBytes, b.authInfoBytes);
}
