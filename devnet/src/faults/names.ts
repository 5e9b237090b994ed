/** What a devnet can do wrong on demand, for the tests of whoever reads it. docs/devnet.md tells what each looks like. */
export const FAULT_NAMES = [
  'event-value',
  'query-value',
  'prune',
  'halt',
  'lag',
  'fork',
  'chain-id',
] as const;

export type FaultName = (typeof FAULT_NAMES)[number];

export interface Fault {
  readonly name: FaultName;
  /** The height from which on it happens; each fault has its own default. */
  readonly from: number | undefined;
  /** The last height that a wrong value is told at. */
  readonly to: number | undefined;
  /** Of a wrong value: `rights.EventIssued.supply_after`, `rights.Totals.supply`. */
  readonly field: readonly [module: string, type: string, field: string] | undefined;
}

const FORM = /^([a-z-]+)(?::(\w+)\.(\w+)\.(\w+))?(?:@(\d{1,15})(?:-(\d{1,15}))?)?$/;

/**
 * `name`, `name@height`; a wrong value also `event-value:rights.EventIssued.supply_after@100-120`.
 * Errors: RangeError with what is wrong.
 */
export function parseFault(text: string): Fault {
  const [, given = '', module, type, field, from, to] = FORM.exec(text) ?? [];
  const name = FAULT_NAMES.find((known) => known === given);
  if (name === undefined) {
    throw new RangeError(`there is no fault '${text}'; known, each with @height: ${FAULT_NAMES.join(', ')}`);
  }
  const isValue = name === 'event-value' || name === 'query-value';
  if (!isValue && (type !== undefined || to !== undefined)) {
    throw new RangeError(`the fault '${name}' takes a height alone, not '${text}'`);
  }
  if (from === '0' || (to !== undefined && Number(to) < Number(from))) {
    throw new RangeError(`the heights of the fault '${text}' are none`);
  }
  return {
    name,
    from: from === undefined ? undefined : Number(from),
    to: to === undefined ? undefined : Number(to),
    field:
      module === undefined || type === undefined || field === undefined ? undefined : [module, type, field],
  };
}

/** Errors: RangeError, also for two of a kind other than wrong values. */
export function parseFaults(texts: readonly string[]): readonly Fault[] {
  const faults = texts.map(parseFault);
  for (const name of FAULT_NAMES.slice(2)) {
    if (faults.filter((fault) => fault.name === name).length > 1) {
      throw new RangeError(`the fault '${name}' can happen once only`);
    }
  }
  return faults;
}
