import { asOf } from '../api/as-of.ts';
import type { CandidateFinder } from '../api/candidates.ts';
import type { DerivedTable } from '../core/table.ts';
import { uintLiteral } from '../store/sql.ts';
import { RECORD_ID_END } from './record-json.ts';

/** Finds the numbered record of a table (column `id`) for /v1/lookup/{q}. */
export function recordCandidates(type: string, table: DerivedTable): CandidateFinder {
  return {
    kind: 'integer',
    async find(shape, { snapshot, query }) {
      if (shape.kind !== 'integer' || shape.value >= RECORD_ID_END) return [];
      const where = `${asOf(snapshot, table)} AND id = ${uintLiteral(shape.value)}`;
      const rows = await query(`SELECT toUInt8(1) FROM ${table.name} WHERE ${where} LIMIT 1`);
      return rows.length > 0 ? [{ type, id: String(shape.value) }] : [];
    },
  };
}
