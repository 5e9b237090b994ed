import type { StateAt } from '../../modules/export.ts';
import type { CheckRow, CheckSide, CheckSubject } from '../../modules/reconciliation/checks.ts';
import type { ChainQueries } from '../chain-queries.ts';

/** What a check works with. */
export interface CheckContext {
  readonly state: StateAt;
  readonly chain: ChainQueries;
  readonly namespace: string;
}

/** An asset that is compared. */
export interface CheckedAsset {
  readonly assetId: string;
  readonly issuer: string;
}

/** A row of two sides: they agree when all their values do. */
export function evaluatedRow(
  { state }: CheckContext,
  subject: CheckSubject,
  chain: CheckSide,
  indexer: CheckSide,
): CheckRow {
  const agree = JSON.stringify(chain) === JSON.stringify(indexer);
  return { ...subject, height: state.height, evaluated: true, agree, chain, indexer };
}

/** The chain could not be asked: never drift. */
export function unevaluatedRow(
  { state }: CheckContext,
  subject: CheckSubject,
  chain: CheckSide,
  indexer: CheckSide,
): CheckRow {
  return { ...subject, height: state.height, evaluated: false, agree: true, chain, indexer };
}
