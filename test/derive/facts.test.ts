import { expect, it } from 'vitest';
import { inOrderOfDerivation, type StoredEvent } from '../../src/derive/facts.ts';

it('block events come before txs, but those of EndBlock after them', () => {
  const event = (type: string, mode: string, txIndex: number, eventIndex: number): StoredEvent =>
    ({ type, mode, txIndex, eventIndex }) as StoredEvent;
  const stored = [
    event('tx 0, event 1', '', 0, 1),
    event('end', 'EndBlock', -1, 2),
    event('tx 1', '', 1, 0),
    event('begin', 'BeginBlock', -1, 0),
    event('tx 0, event 0', '', 0, 0),
    event('without a mode', '', -1, 1),
  ];
  expect(inOrderOfDerivation(stored).map(({ type }) => type)).toEqual([
    'without a mode',
    'begin',
    'tx 0, event 0',
    'tx 0, event 1',
    'tx 1',
    'end',
  ]);
});
