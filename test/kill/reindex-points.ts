/** Where test/kill/reindex.process.test.ts kills a process that derives modules again; as traced (src/core/steps.ts). */
export type ReindexFound = 'all modules' | 'a lost part of a module';

export const REINDEX_POINTS: readonly (readonly [found: ReindexFound, point: string])[] = [
  ['all modules', 'reindex:begin'],
  ['all modules', 'reindex:insert/attestations'],
  ['all modules', 'reindex:insert/module_digests'],
  ['all modules', 'reindex:derived'],
  ['all modules', 'reindex:switched'],
  ['all modules', 'generation:drop/attestations'],
  ['all modules', 'generation:drop/module_digests'],
  ['all modules', 'reindex:dropped'],
  ['a lost part of a module', 'step-back:checkpoints'],
  ['a lost part of a module', 'step-back:modules'],
  ['a lost part of a module', 'step-back:rows'],
];
