import type { DriftRow } from '../../../../clients/ts/src/client.ts';

const MODULES: ReadonlyMap<string, string> = new Map([
  ['asset', 'Assets'],
  ['rights', 'Units and locks'],
  ['payout', 'Income'],
  ['settlement', 'Settlements'],
  ['encumbrance', 'Pledges, liens and lock-ups'],
  ['attestation', 'Attestations'],
  ['delegation', 'Delegations'],
  ['waterfall', 'Liquidations'],
  ['bridge', 'Bridge'],
]);

/** What a module is about; the name of one that is not the reference chain's. */
export function moduleWords(module: string): string {
  return MODULES.get(module) ?? module;
}

/** Which value differs. */
export function driftPlace({ source, type, record, field }: DriftRow): string {
  if (field === 'left_out') return 'more differences';
  const of = source === 'export' ? record : type.replace(/^.*\./, '');
  return field === 'record' ? of : `${field} of ${of}`;
}

/** A side without a value says so. */
export function driftValue(text: string): string {
  return text === '' ? 'nothing' : text;
}
