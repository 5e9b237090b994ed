import type { QueryJson } from './chain-queries.ts';
import type { ExportMoment, ModuleExport, RecordFields } from './export-records.ts';
import { assetExport } from './exports/asset.ts';
import { attestationExport } from './exports/attestation.ts';
import { bridgeExport } from './exports/bridge.ts';
import { delegationExport } from './exports/delegation.ts';
import { encumbranceExport } from './exports/encumbrance.ts';
import { payoutExport } from './exports/payout.ts';
import { rightsExport } from './exports/rights.ts';
import { settlementExport } from './exports/settlement.ts';
import { waterfallExport } from './exports/waterfall.ts';
import type { StateAt } from './state-at.ts';

export interface ExportDifference {
  readonly module: string;
  /** The record's key. */
  readonly record: string;
  /** `record` where one side has none at all: the side that has it says `present`. */
  readonly field: string;
  readonly chain: string;
  readonly indexer: string;
}

export interface ComparedExport {
  readonly module: string;
  /** Of both sides together. */
  readonly records: number;
  readonly differences: readonly ExportDifference[];
}

/** Every module whose whole state can be compared. */
export const MODULE_EXPORTS: readonly ModuleExport[] = [
  assetExport,
  rightsExport,
  payoutExport,
  settlementExport,
  encumbranceExport,
  attestationExport,
  delegationExport,
  waterfallExport,
  bridgeExport,
];

/** Holds a module's whole state on the chain, as its Export answers it, against the store's as of the same height. */
export async function compareExport(
  compared: ModuleExport,
  exported: QueryJson,
  state: StateAt,
  at: ExportMoment,
): Promise<ComparedExport> {
  const chain = compared.chain(exported, at);
  const indexer = await compared.store(state, at);
  const keys = [...new Set([...chain.keys(), ...indexer.keys()])].sort();
  const { module } = compared;
  return {
    module,
    records: keys.length,
    differences: keys.flatMap((record) => {
      const [ofChain, ofIndexer] = [chain.get(record), indexer.get(record)];
      if (ofChain === undefined || ofIndexer === undefined) {
        const [a, b] = ofChain === undefined ? ['', 'present'] : ['present', ''];
        return [{ module, record, field: 'record', chain: a, indexer: b }];
      }
      return differentFields(ofChain, ofIndexer).map((field) => ({
        module,
        record,
        field,
        chain: ofChain[field] ?? '',
        indexer: ofIndexer[field] ?? '',
      }));
    }),
  };
}

function differentFields(a: RecordFields, b: RecordFields): readonly string[] {
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return fields.filter((field) => (a[field] ?? '') !== (b[field] ?? ''));
}
