import { expect, it } from 'vitest';
import { type Derivation, on, plainParameters } from '../../src/derive/derivation.ts';
import { createDeriver } from '../../src/derive/deriver.ts';
import { factsByHand } from '../modules/support/by-hand.ts';
import { rowsOf } from '../modules/support/versions.ts';

it('a difference is the drift of the module that compared', () => {
  const spec = {
    type: 'one.v1.EventMade',
    read: () => undefined,
    subjects: () => ({ accounts: [], assets: [] }),
  };
  const comparing = (module: string): Derivation => ({
    module,
    tables: [],
    reads: [],
    open: () => ({
      state: undefined,
      handlers: [on(spec, (_event, { compare }) => compare(`of ${module}`, 1, 2))],
      endBlock: () => undefined,
      restore: async () => undefined,
    }),
  });
  const deriver = createDeriver({
    derivations: [comparing('one'), comparing('two')],
    parameters: plainParameters('aeva', 'aeva', 'uusd'),
    generations: new Map([
      ['one', 1],
      ['two', 1],
    ]),
  });
  const [block] = factsByHand({ height: 7, time: '2031-01-01T00:00:00Z', events: [['one.EventMade', {}]] });
  const rows = rowsOf([deriver.derive(block === undefined ? [] : [block])]);
  expect(
    rows.get('drift')?.map(({ module, field, derived, told }) => [module, field, derived, told]),
  ).toEqual([
    ['one', 'of one', '1', '2'],
    ['two', 'of two', '1', '2'],
  ]);
});
