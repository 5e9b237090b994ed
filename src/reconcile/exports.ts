import type { ExportMoment, ModuleExport, QueryJson, RecordFields, StateAt } from '../modules/export.ts';
import { MODULES } from '../modules/modules.ts';
import { takeTurn } from './turn.ts';

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
  /** By record and field. */
  readonly differences: readonly ExportDifference[];
  /** How many more there are. */
  readonly leftOut: number;
}

/** With the module's name. */
export interface NamedExport extends ModuleExport {
  readonly module: string;
}

/** Every module whose whole state can be compared. */
export const MODULE_EXPORTS: readonly NamedExport[] = MODULES.flatMap(({ name, export: compared }) =>
  compared === undefined ? [] : [{ module: name, ...compared }],
);

export interface CompareOptions {
  /** Of those that are kept; the others are counted. */
  readonly maxDifferences?: number;
  readonly signal?: AbortSignal | undefined;
}

/** After so many records other work has its turn. */
const TURN_RECORDS = 1_000;

/**
 * Compares a module's whole state on the chain, as its Export answers it, with the store's as of the same height. `parts`:
 * the Export, cut between its records. Errors: NotComparable, aborted, and those of the store.
 */
export async function compareExport(
  compared: NamedExport,
  parts: Iterable<QueryJson>,
  state: StateAt,
  at: ExportMoment,
  { maxDifferences = Number.POSITIVE_INFINITY, signal }: CompareOptions = {},
): Promise<ComparedExport> {
  const chain = new Map<string, RecordFields>();
  for (const part of parts) {
    for (const [record, fields] of compared.chain(part, at)) chain.set(record, fields);
    await takeTurn(signal);
  }
  const indexer = await compared.store(state, at);
  const { module } = compared;
  const found = createFindings(module, maxDifferences);
  let records = 0;
  for (const [record, ofIndexer] of indexer) {
    found.compare(record, chain.get(record), ofIndexer);
    if (++records % TURN_RECORDS === 0) await takeTurn(signal);
  }
  let seen = 0;
  for (const [record, ofChain] of chain) {
    if (!indexer.has(record)) {
      found.compare(record, ofChain, undefined);
      records++;
    }
    if (++seen % TURN_RECORDS === 0) await takeTurn(signal);
  }
  return { module, records, ...found.all() };
}

/** Counts all differences, and keeps a bounded number of them. */
function createFindings(module: string, maxDifferences: number) {
  const differences: ExportDifference[] = [];
  let count = 0;
  const add = (record: string, field: string, chain: string, indexer: string): void => {
    if (count++ < maxDifferences) differences.push({ module, record, field, chain, indexer });
  };
  return {
    /** Undefined where a side has no such record. */
    compare(record: string, chain: RecordFields | undefined, indexer: RecordFields | undefined): void {
      if (chain === undefined || indexer === undefined) {
        add(record, 'record', chain === undefined ? '' : 'present', indexer === undefined ? '' : 'present');
        return;
      }
      for (const field of differentFields(chain, indexer)) {
        add(record, field, chain[field] ?? '', indexer[field] ?? '');
      }
    },
    all: () => ({
      differences: differences.toSorted((a, b) => order(a.record, b.record) || order(a.field, b.field)),
      leftOut: count - differences.length,
    }),
  };
}

function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function differentFields(a: RecordFields, b: RecordFields): readonly string[] {
  const fields = [...new Set([...Object.keys(a), ...Object.keys(b)])];
  return fields.filter((field) => (a[field] ?? '') !== (b[field] ?? ''));
}
