import { type Fault as AnyFault, type FaultKind, parseFaults as parse } from 'strata-kit/rpc/faults/grammar';

/** What a devnet can do wrong on demand, for the tests of its readers. docs/devnet.md says what each looks like. */
const FAULTS = {
  'event-value': 'value',
  'query-value': 'value',
  prune: 'height',
  halt: 'height',
  lag: 'height',
  fork: 'height',
  'chain-id': 'height',
} as const satisfies Readonly<Record<string, FaultKind>>;

export type FaultName = keyof typeof FAULTS;
export const FAULT_NAMES = Object.keys(FAULTS) as FaultName[];
export type Fault = AnyFault<FaultName>;

/** Errors: RangeError with what is wrong. */
export function parseFaults(texts: readonly string[]): readonly Fault[] {
  return parse(texts, FAULTS);
}
