import { concatBytes } from 'strata-kit/bytes';
import type { FieldFinder, FieldPlan, Slots } from './field-plan.ts';
import { LENGTH_DELIMITED, malformed, occurrences, type Wire } from './wire.ts';

/** JSON object of the fields in declared order, after `head` (`{`, or `{"@type":"…"`). */
export function joinFields(
  fields: readonly FieldPlan[],
  slots: readonly (string | undefined)[],
  head: string,
): string {
  let text = head;
  let first = head.length === 1;
  for (let slot = 0; slot < fields.length; slot++) {
    const field = fields[slot] as FieldPlan;
    let value = slots[slot];
    if (value === undefined) {
      if (field.optional) continue;
      value = field.unset();
    } else if (field.descriptor.repeated) value = field.map ? `{${value}}` : `[${value}]`;
    text += first ? field.key : field.nextKey;
    text += value;
    first = false;
  }
  return `${text}}`;
}

/** Reads the fields from start to end into their slots. Fields that `find` does not know are stepped over. */
export function fillSlots(find: FieldFinder, wire: Wire, start: number, end: number, slots: Slots): void {
  const merged: number[] = [];
  wire.pos = start;
  while (wire.pos < end) {
    const fieldStart = wire.pos;
    const tag = wire.readTag();
    const field = find(tag >>> 3);
    if (field === undefined) wire.skip(tag, end);
    else if (field.map) {
      if (slots[field.slot] === undefined) slots[field.slot] = readAt(fieldStart, field.read, wire, end);
      wire.skip(tag, end);
    } else if (field.descriptor.repeated) {
      const values = readRepeated(field, wire, tag, end);
      const earlier = slots[field.slot];
      if (values !== '') slots[field.slot] = earlier === undefined ? values : `${earlier},${values}`;
    } else if (field.readMerged !== undefined && slots[field.slot] !== undefined) {
      if (!merged.includes(field.slot)) {
        merged.push(field.slot);
        slots[field.slot] = readParts(field, field.readMerged, wire, start, end);
      }
      wire.skip(tag, end);
    } else {
      if ((tag & 7) !== field.wireType) throw malformed('wire type');
      slots[field.slot] = field.read(wire, end);
      for (const rival of field.rivals) slots[rival] = undefined;
    }
  }
  if (wire.pos !== end) throw malformed('field beyond its message');
}

/** Reads from another position and comes back. */
function readAt(pos: number, read: FieldPlan['read'], wire: Wire, end: number): string {
  const back = wire.pos;
  wire.pos = pos;
  const text = read(wire, end);
  wire.pos = back;
  return text;
}

/** One value, or the values of a packed run. */
function readRepeated(field: FieldPlan, wire: Wire, tag: number, end: number): string {
  if ((tag & 7) === field.wireType) return field.read(wire, end);
  if ((tag & 7) !== LENGTH_DELIMITED) throw malformed('wire type');
  const runEnd = wire.readEnd(end);
  let text = '';
  while (wire.pos < runEnd) text += (text === '' ? '' : ',') + field.read(wire, runEnd);
  if (wire.pos !== runEnd) throw malformed('packed field');
  return text;
}

/** A message in several parts is the concatenation of the parts; read once, however many there are. */
function readParts(
  field: FieldPlan,
  read: FieldPlan['read'],
  wire: Wire,
  start: number,
  end: number,
): string {
  const back = wire.pos;
  const parts = occurrences(wire, start, end, field.descriptor.number);
  wire.pos = back;
  const whole = wire.forMerged(concatBytes(parts.map(([from, to]) => wire.bytes.subarray(from, to))));
  return read(whole, whole.bytes.length);
}

/** JSON members of a map, read from every entry at once, keys in order as Go sorts them. */
export function readMap(
  entryFields: readonly FieldPlan[],
  fieldNumber: number,
  numericKeys: boolean,
  wire: Wire,
  end: number,
): string {
  const [keyField, valueField] = entryFields;
  if (keyField === undefined || valueField === undefined) throw malformed('map entry descriptor');
  const find: FieldFinder = (number) => (number === 1 ? keyField : number === 2 ? valueField : undefined);
  const values = new Map<string, string>();
  for (const [start, entryEnd] of occurrences(wire, wire.pos, end, fieldNumber)) {
    const slots: Slots = [];
    wire.enter();
    fillSlots(find, wire, start, entryEnd, slots);
    wire.depth--;
    const key = slots[0] ?? keyField.unset();
    values.set(key.startsWith('"') ? key.slice(1, -1) : key, slots[1] ?? valueField.unset());
  }
  const keys = [...values.keys()];
  if (numericKeys) keys.sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  else keys.sort();
  return keys.map((key) => `"${key}":${values.get(key)}`).join(',');
}
