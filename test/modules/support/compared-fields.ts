import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROTOS = join(import.meta.dirname, '../../../proto/aeva');

/** Beside what is named as a result: amounts that follow from the state. */
const AMOUNTS: ReadonlySet<string> = new Set([
  'EventClaimed',
  'EventEscrowIncomeSwept',
  'EventTierPaid',
  'EventPoolOpened',
  'EventPoolRedeemed',
]);

function isCompared(event: string, field: string): boolean {
  return (
    /(_after|^new_index|^carry_scaled|^supply|^nonce|^remaining_units|^cumulative_paid|^returned)$/.test(
      field,
    ) ||
    (field === 'amount' && AMOUNTS.has(event))
  );
}

/** What modules.md rule 13 says is compared, as the protos name it: `rights.EventIssued.supply_after`. */
export function comparedFields(): string[] {
  return readdirSync(PROTOS).flatMap((module) => {
    const text = readFileSync(join(PROTOS, module, 'v1/events.proto'), 'utf8');
    const messages = text.matchAll(/^message (Event\w+) \{([^}]*)\}/gm);
    return [...messages].flatMap(([, event = '', body = '']) =>
      [...body.matchAll(/^ {2}(?:string|uint64|uint32) (\w+) = \d+;/gm)]
        .map(([, field = '']) => field)
        .filter((field) => isCompared(event, field))
        .map((field) => `${module}.${event}.${field}`),
    );
  });
}
