import { expect, it } from 'vitest';
import { costTable } from './cost.ts';

const cost = (file: string, cpuSeconds: number) => ({ file, cpuSeconds, wallSeconds: cpuSeconds / 2 });

it('prints the dearest files and the sum over all', () => {
  const table = costTable([cost('a', 1), cost('b', 30), cost('c', 2)], 2);
  expect(table.split('\n')).toEqual([
    '  CPU s  wall s  file (3 files, 33 CPU s)',
    '   30.0    15.0  b',
    '    2.0     1.0  c',
  ]);
});
