import type { Part, Sentence } from './sentence.ts';

/** A message or a typed event as JSON. Its shape is believed no further than each reader below checks. */
export type Fields = Readonly<Record<string, unknown>>;

const AMOUNT = /^-?\d{1,80}$/;
const ASSET_ID = /^[0-9a-f]{64}$/;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Empty where there is no such text or number. */
export function textOf(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export function listOf(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : [];
}

export function fieldsOf(fields: Fields, name: string): Fields | undefined {
  const value = fields[name];
  return isFields(value) ? value : undefined;
}

export function kindIdOf(fields: Fields): number | undefined {
  const value = fields.kind_id;
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

export function address(fields: Fields, name: string): Part {
  const value = textOf(fields, name);
  return value === '' ? 'nobody' : { is: 'address', address: value };
}

/** ` of <asset>`, which a page about the asset leaves out. */
export function ofAsset(fields: Fields, lead = ' of '): Sentence {
  const id = textOf(fields, 'asset_id');
  return ASSET_ID.test(id) ? [{ is: 'asset', id, lead }] : [`${lead}an asset`];
}

/** `12 units of kind 1` */
export function units(fields: Fields): Part {
  const amount = textOf(fields, 'units');
  const assetId = textOf(fields, 'asset_id');
  const kindId = kindIdOf(fields);
  if (!AMOUNT.test(amount) || !ASSET_ID.test(assetId)) return 'units';
  return { is: 'units', assetId, kindId, units: amount };
}

export function amountOf(amount: unknown, denom: unknown): Part {
  if (typeof amount !== 'string' || !AMOUNT.test(amount) || typeof denom !== 'string') return 'coins';
  return { is: 'coin', amount, denom };
}

/** Of a message's `{amount: {denom, amount}}`. */
export function coin(value: unknown): Part {
  return isFields(value) ? amountOf(value.amount, value.denom) : 'coins';
}

/** A denom that a field names. */
export function denom(value: unknown): Part {
  return { is: 'denom', denom: typeof value === 'string' ? value : '' };
}

/** ` held by ada` */
export function heldBy(fields: Fields): Sentence {
  return [' held by ', address(fields, 'holder')];
}

export function routed(fields: Fields): Part {
  const amount = textOf(fields, 'amount');
  return AMOUNT.test(amount) ? { is: 'routed', routeId: textOf(fields, 'route_id'), amount } : 'something';
}

/** The rights of a kind, as a whole. */
export function kind(fields: Fields): Part {
  const assetId = textOf(fields, 'asset_id');
  const kindId = kindIdOf(fields);
  if (kindId === undefined) return 'a kind';
  return ASSET_ID.test(assetId) ? { is: 'kind', assetId, kindId } : `kind ${kindId}`;
}

/** Of a settlement, an encumbrance or a delegation. */
export function record(what: 'settlement' | 'encumbrance' | 'delegation', fields: Fields): Part {
  const id = textOf(fields, 'id');
  return /^\d{1,20}$/.test(id) ? { is: 'link', href: `/${what}/${id}`, text: `${what} ${id}` } : `a ${what}`;
}

export function time(fields: Fields, name: string): Part | undefined {
  const at = textOf(fields, name);
  return Number.isNaN(Date.parse(at)) ? undefined : { is: 'time', at };
}

export function written(fields: Fields, name: string): Part {
  return { is: 'text', text: textOf(fields, name) };
}
