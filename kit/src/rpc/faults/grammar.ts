/**
 * What a fault takes after its name: `height` (`halt@100`), `value` (`event-value:rights.EventIssued.supply_after@100-120`,
 * each part optional), or a probability (`drop:0.1`), whose default is the number.
 */
export type FaultKind = number | 'height' | 'value';

export interface Fault<Name extends string = string> {
  readonly name: Name;
  /** 0 to 1; undefined where the fault takes none. */
  readonly chance?: number;
  /** The height from which on it happens; each fault has its own default. */
  readonly from: number | undefined;
  /** The last height of a wrong value. */
  readonly to: number | undefined;
  /** Of a wrong value: `rights.EventIssued.supply_after`, `rights.Totals.supply`. */
  readonly field: readonly [module: string, type: string, field: string] | undefined;
}

const FORM = /^([a-z\d-]+)(?::(?:(\d*\.?\d+)|(\w+)\.(\w+)\.(\w+)))?(?:@(\d{1,15})(?:-(\d{1,15}))?)?$/;

/** Reads each text by the table of its command. Errors: RangeError, also for a height's fault that is named twice. */
export function parseFaults<Name extends string>(
  texts: readonly string[],
  table: Readonly<Record<Name, FaultKind>>,
): readonly Fault<Name>[] {
  const faults = texts.map((text) => parseFault(text, table));
  const twice = faults.find(
    ({ name }, at) => table[name] === 'height' && faults.findIndex((other) => other.name === name) < at,
  );
  if (twice !== undefined) throw new RangeError(`the fault '${twice.name}' can happen once only`);
  return faults;
}

function parseFault<Name extends string>(
  text: string,
  table: Readonly<Record<Name, FaultKind>>,
): Fault<Name> {
  const [, given = text, chance, module, type, field, from, to] = FORM.exec(text) ?? [];
  const names = Object.keys(table) as Name[];
  const name = names.find((known) => known === given);
  if (name === undefined) {
    const isByHeight = names.some((known) => typeof table[known] === 'string');
    throw new RangeError(
      `there is no fault '${text}'; known${isByHeight ? ', each with @height' : ''}: ${names.join(', ')}`,
    );
  }
  const kind: FaultKind = table[name];
  const heights = {
    from: from === undefined ? undefined : Number(from),
    to: to === undefined ? undefined : Number(to),
  };
  if (typeof kind === 'number') {
    if (type !== undefined || from !== undefined || Number(chance ?? 0) > 1)
      throw new RangeError(`the fault '${name}' takes a probability from 0 to 1 alone, not '${text}'`);
    return { name, chance: Number(chance ?? kind), ...heights, field: undefined };
  }
  if (chance !== undefined || (kind === 'height' && (type !== undefined || to !== undefined)))
    throw new RangeError(`the fault '${name}' takes a height alone, not '${text}'`);
  if (heights.from === 0 || (heights.to !== undefined && heights.to < (heights.from ?? 0)))
    throw new RangeError(`the heights of the fault '${text}' are none`);
  const isNamed = module !== undefined && type !== undefined && field !== undefined;
  return { name, ...heights, field: isNamed ? [module, type, field] : undefined };
}
