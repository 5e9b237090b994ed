import { type Draft, EMPTY_DRAFT, MAX_COUPONS, TEMPLATES } from './plan.ts';

/** A draft in the storage of its tab: a reload finds it, another tab does not. */

/** As much of sessionStorage as is used. */
export interface Storage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

const FIELDS = 'strata.launch';
/** By itself: it is a thousand times longer than what is typed, and changes with no key. */
const LOGO = 'strata.launch.logo';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** What was kept; the empty draft where nothing was, or nothing that this version reads. */
export function readDraft(storage: Storage): Draft {
  let value: unknown;
  try {
    value = JSON.parse(storage.getItem(FIELDS) ?? 'null');
  } catch {
    // a draft that cannot be read is no draft; the next one takes its place
    return EMPTY_DRAFT;
  }
  if (typeof value !== 'object' || value === null) return EMPTY_DRAFT;
  const { template, name, symbol, description, supply, recipient, coupons } = value as Record<
    string,
    unknown
  >;
  const known = TEMPLATES.find((one) => one === template);
  if (known === undefined || !Array.isArray(coupons)) return EMPTY_DRAFT;
  const logo = storage.getItem(LOGO);
  const text = (field: unknown, otherwise = ''): string => (typeof field === 'string' ? field : otherwise);
  return {
    template: known,
    name: text(name),
    symbol: text(symbol),
    description: text(description),
    logo: logo !== null && BASE64.test(logo) ? logo : undefined,
    supply: text(supply, EMPTY_DRAFT.supply),
    recipient: text(recipient),
    coupons: coupons.slice(0, MAX_COUPONS).map((day) => text(day)),
  };
}

/** Errors: DOMException where the browser keeps nothing, or no more. */
export function keepDraft(storage: Storage, { logo, ...fields }: Draft, before: Draft): void {
  storage.setItem(FIELDS, JSON.stringify(fields));
  if (logo === before.logo) return;
  if (logo === undefined) storage.removeItem(LOGO);
  else storage.setItem(LOGO, logo);
}

export function forgetDraft(storage: Storage): void {
  storage.removeItem(FIELDS);
  storage.removeItem(LOGO);
}
