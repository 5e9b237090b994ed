import { DECODED_TABLES } from '../../src/core/tables.ts';

/**
 * Where runs die, as traced (src/core/steps.ts); `@2` is the second time. Each list is in the order of one store's life:
 * a run finds what the one before it has left.
 */

/** From an empty folder to the first commit. */
export const FIRST_POINTS = [
  'start:spool-cleared',
  'migrate:statement@1',
  'migrate:statement@9',
  'migrate:statement@23',
  'migrate:done',
  'commit:inserted',
];

/** The store has lost the newest part of `transfers`. */
export const STEP_BACK_POINTS = ['step-back:checkpoints', 'step-back:rows', 'repair:delete/txs_by_method'];

/** Until its checkpoint is written, a commit is undone by the next start. */
export const COMMIT_POINTS = [
  'commit:begin',
  ...DECODED_TABLES.map(({ name }) => `commit:insert/${name}`),
  'commit:inserted',
  'commit:counted',
  'commit:seal',
  'commit:sealed',
  'commit:checkpoint',
];

/** The start after a commit that was cut short when every table had its rows. */
export const REPAIR_POINTS = [
  ...DECODED_TABLES.map(({ name }) => `repair:delete/${name}`),
  'repair:delete/txs_by_method',
  'repair:delete/txs_per_method',
  'repair:delete/txs_per_day',
];

/** The commit stays from here on. */
export const WRITTEN_POINTS = ['commit:written', 'commit:done'];

/** The commit completes the first range of 256 heights. */
export const SEAL_POINTS = ['commit:seal', 'commit:sealed', 'commit:checkpoint'];

/** `strata reindex`; the old generation is the store's until the switch. */
export const REINDEX_POINTS = [
  'reindex:begin',
  'reindex:insert/attestations',
  'reindex:insert/module_digests',
  'reindex:derived',
];
export const SWITCHED_POINTS = [
  'reindex:switched',
  'generation:drop/attestations',
  'generation:drop/module_digests',
  'reindex:dropped',
];

/** The store has lost a part of a module's table, and no checkpoint agrees with what is left. */
export const LOST_MODULE_POINTS = [
  'step-back:checkpoints',
  'step-back:modules',
  'step-back:rows',
  'reindex:begin',
  'reindex:switched',
];

/** In every start, after the repair if there is one. */
export const START_POINTS = ['repair:compare', 'start:done'];

export const ALL_POINTS = [
  ...[FIRST_POINTS, STEP_BACK_POINTS, COMMIT_POINTS, REPAIR_POINTS, ['repair:verify'], START_POINTS],
  ...[WRITTEN_POINTS, SEAL_POINTS, REINDEX_POINTS, SWITCHED_POINTS, LOST_MODULE_POINTS],
].flat();
