import type { Mutation } from '../mutation.ts';

export const STORE: readonly Mutation[] = [
  {
    id: 'store-replaced-checkpoint-counts',
    file: 'src/store/checkpoints.ts',
    find: 'ORDER BY height DESC, written_at DESC LIMIT',
    replace: 'ORDER BY height DESC, written_at LIMIT',
    tests: ['bookkeeping'],
  },
  {
    id: 'store-seal-of-a-range-s-last-height',
    file: 'src/store/seals.ts',
    find: '(intDiv(height - 1, ${width}) + 1)',
    replace: '(intDiv(height, ${width}) + 1)',
    tests: ['seals'],
  },
  {
    id: 'store-counts-of-a-sealed-height-twice',
    file: 'src/store/seals.ts',
    find: "(end === 0 ? '' : ` AND height > ${uintLiteral(end)}`)",
    replace: "(end === 0 ? '' : ` AND height >= ${uintLiteral(end)}`)",
    tests: ['seals'],
  },
];
