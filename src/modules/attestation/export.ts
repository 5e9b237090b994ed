import { formatTimeNs } from 'strata-kit/time';
import type { ModuleExport } from '../export.ts';
import { bool, hex, list, text, time } from '../export-json.ts';
import { ATTESTATIONS } from './tables.ts';

/** Attestations by subject, type and attester. */
export const attestationExport: ModuleExport = {
  chain: (exported) =>
    new Map(
      list(exported, 'attestations').map((each) => [
        `${text(each, 'subject')} ${text(each, 'type')} ${text(each, 'attester')}`,
        {
          expiry: time(each, 'expiry'),
          evidence_hash: hex(each, 'evidence_hash'),
          revoked: bool(each, 'revoked'),
        },
      ]),
    ),
  store: async (state) =>
    new Map(
      await state.latest(
        ATTESTATIONS,
        ['subject', 'type', 'attester', 'expiry_ns', 'evidence_hash', 'revoked'],
        (row) => [
          `${row.subject} ${row.type} ${row.attester}`,
          {
            expiry: formatTimeNs(row.expiry_ns),
            evidence_hash: row.evidence_hash,
            revoked: String(row.revoked),
          },
        ],
      ),
    ),
};
