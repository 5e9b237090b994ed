import type { CandidateFinder } from '../api/candidates.ts';
import type { Route } from '../api/route.ts';
import type { Derivation } from '../derive/derivation.ts';
import type { ModuleExport } from './export.ts';

/**
 * What Strata knows of one of a chain's modules: one folder, the same files in each. `events.ts` reads its events and
 * names the accounts and assets that they are about, `tables.ts` declares its tables, `derivation.ts` folds events into
 * versions, `routes/` answers, `export.ts` compares. Strata's own modules and those from outside have the same record.
 */
export interface Module {
  /** As its folder is named. */
  readonly name: string;
  readonly derivation?: Derivation;
  /** How its state is compared with the chain's Export of the module; absent where the chain has none. */
  readonly export?: ModuleExport;
  readonly routes: readonly Route[];
  /** What /v1/lookup/{q} may find here; asked in the order of the modules. */
  readonly candidates?: readonly CandidateFinder[];
}
