import type { Store } from '../store/store.ts';
import { type CompareLimits, compareModule } from './compare-module.ts';
import { comparedModules, dropOlderRows, rowsOfExport } from './export-rows.ts';
import { type ComparedExport, MODULE_EXPORTS } from './exports.ts';
import { type OpenedComparison, openComparison, type Unserved } from './opened.ts';
import type { ReconcileOptions } from './reconcile.ts';
import { nextSequence, storeChecks, storeRun, type Tally } from './rows.ts';
import type { ReadLimits } from './state-at.ts';
import { throwIfAborted } from './turn.ts';

/** The outcome of one module's comparison. */
export interface ReconciledExport {
  readonly module: string;
  readonly height: number;
  /** Undefined where the chain did not serve the Export, or served what cannot be compared. */
  readonly compared: ComparedExport | undefined;
  readonly unserved: readonly Unserved[];
}

/**
 * What a comparison beside indexing may take. An Export of 13 MB with 110,000 records took 0.3 s of CPU and 50 MB on the
 * chain's side; the store's side takes about as much. Other work has its turn in between. `strata verify --deep` has no
 * such bounds.
 */
export const EXPORT_LIMITS = {
  maxFields: 200_000,
  maxFieldBytes: 1_000_000,
  maxDifferences: 500,
} as const satisfies CompareLimits;
const READ_LIMITS: ReadLimits = { maxRows: 200_000, timeoutSeconds: 60, threads: 1 };

/** Of an answer's body, in which an Export stands in base64: 18 MB of it. */
export const MAX_EXPORT_BODY_BYTES = 24_000_000;

export type ExportOptions = Omit<ReconcileOptions, 'height' | 'assetId' | 'deep' | 'prune'>;

/**
 * Compares a module's whole state as of the newest height that both sides have, and stores what it found in place of what
 * an earlier comparison found. `pick` names the module. Undefined where there is none to compare, or where the store derives
 * no modules.
 *
 * Errors: as reconcile.
 */
export async function reconcileExport(
  { stores, source, namespace, signal, nowMs }: ExportOptions,
  pick: (opened: OpenedComparison, store: Store) => Promise<string | undefined> | string,
): Promise<ReconciledExport | undefined> {
  const store = await stores.open('exports');
  try {
    const opened = await openComparison(store, { source, namespace, limits: READ_LIMITS, signal });
    if (opened === undefined) return undefined;
    const name = await pick(opened, store);
    const each = MODULE_EXPORTS.find(({ module }) => module === name);
    if (each === undefined) return undefined;
    const { module } = each;
    const { height } = opened.state;
    const compared = await compareModule(each, opened, EXPORT_LIMITS);
    throwIfAborted(signal);
    const sequence = await nextSequence(store, nowMs());
    await storeChecks(store, stores.spoolFolder, sequence, rowsOfExport(module, height, compared));
    await dropOlderRows(store, module, sequence, compared !== undefined);
    await storeRun(store, stores.spoolFolder, { sequence, height, atMs: nowMs(), ...tallyOf(compared) });
    return { module, height, compared, unserved: opened.unserved() };
  } finally {
    await store.close();
  }
}

/** Whole modules, one at a call. */
export interface ExportTurns {
  /**
   * Compares the module whose turn it is: the one that was compared longest ago, then one after the other. Undefined
   * where there is nothing to compare: the store derives no modules, or the chain describes no Export.
   *
   * Errors: as reconcile. The turn goes on in any case.
   */
  next(signal: AbortSignal): Promise<ReconciledExport | undefined>;
}

export function createExportTurns(options: Omit<ExportOptions, 'signal'>): ExportTurns {
  let modules: readonly string[] | undefined;
  let turn = 0;
  return {
    next: (signal) =>
      reconcileExport({ ...options, signal }, async ({ chain }, store) => {
        modules ??= inTurns(await comparedModules(store));
        for (const _ of modules) {
          const module = modules[turn++ % modules.length];
          if (module !== undefined && chain.describes(module, 'Export')) return module;
        }
        return undefined;
      }),
  };
}

/** Those that were never compared first. */
function inTurns(compared: readonly string[]): readonly string[] {
  const all = MODULE_EXPORTS.map(({ module }) => module);
  return [
    ...all.filter((module) => !compared.includes(module)),
    ...compared.filter((module) => all.includes(module)),
  ];
}

function tallyOf(compared: ComparedExport | undefined): Tally {
  if (compared === undefined) return { evaluated: 0, notEvaluated: 1, agreed: 0, disagreed: 0 };
  const disagreed = Math.min(1, compared.differences.length);
  return { evaluated: 1, notEvaluated: 0, agreed: 1 - disagreed, disagreed };
}
