import { sha256 } from 'strata-kit/hash';
import type { GrowingBytes, TableBuilder } from './native.ts';

/**
 * One SHA-256 over the rows that were appended to the tables since the last call. The encoding is, table by table, the
 * row count as u64 LE, then each column's values as Native holds them (array lengths as u32 before them). It depends on
 * the rows alone. `scratch` is overwritten.
 */
export function digestSinceMark(tables: readonly TableBuilder[], scratch: GrowingBytes): Uint8Array {
  scratch.length = 0;
  for (const table of tables) {
    const rows = table.takeRowsSinceMark();
    const at = scratch.extend(8);
    scratch.view.setUint32(at, rows, true);
    scratch.view.setUint32(at + 4, 0);
    if (rows > 0) for (const column of table.list) column.takeSinceMark(scratch);
  }
  return sha256(scratch.bytes.subarray(0, scratch.length));
}
