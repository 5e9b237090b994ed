import { isStrataError } from 'strata-kit/errors';
import { NotComparable } from '../modules/not-comparable.ts';
import { type ComparedExport, type CompareOptions, compareExport, type NamedExport } from './exports.ts';
import type { SliceLimits } from './message-slices.ts';
import type { OpenedComparison } from './opened.ts';

export type CompareLimits = SliceLimits & Pick<CompareOptions, 'maxDifferences'>;

/**
 * Asks for a module's Export and compares it. Undefined where the chain does not serve it, or serves what cannot be
 * compared; the reason is noted among what was not served.
 *
 * Errors: those of the source when no node can be asked, store_busy where the state was taken away meanwhile, those of the
 * store.
 */
export async function compareModule(
  compared: NamedExport,
  { chain, state, timeNs, namespace, signal, noteUnserved }: OpenedComparison,
  limits?: CompareLimits,
): Promise<ComparedExport | undefined> {
  try {
    const answer = await chain.askInParts(compared.module, 'Export', limits);
    if (answer.kind !== 'answer') return undefined;
    const found = await compareExport(compared, answer.parts, state, { timeNs }, { ...limits, signal });
    await state.assertServed();
    return found;
  } catch (error) {
    if (!(error instanceof NotComparable) && !isStrataError(error, 'node_bad_answer')) throw error;
    noteUnserved(`/${namespace}.${compared.module}.v1.Query/Export`, error.message);
    return undefined;
  }
}
