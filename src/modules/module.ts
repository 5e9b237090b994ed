import type { CandidateFinder } from '../api/candidates.ts';
import type { Route } from '../api/route.ts';
import type { Derivation } from '../derive/derivation.ts';

/**
 * What Strata knows of one of a chain's modules: one folder, the same files in each. `events.ts` reads its events and
 * says whom they are about, `tables.ts` names its tables (their SQL stands in sql/), `derivation.ts` folds events into
 * versions, `routes/` answers.
 */
export interface Module {
  /** As its folder is named. */
  readonly name: string;
  readonly derivation?: Derivation;
  readonly routes: readonly Route[];
  /** What /v1/lookup/{q} may find here; asked in the order of the modules. */
  readonly candidates?: readonly CandidateFinder[];
}
