import { type Fields, textOf } from './fields.ts';
import type { Part } from './sentence.ts';

const REF = /^(settlement|encumbrance|delegation)\/(\d{1,20})$/;

/** What holds units: `settlement/12` of an event or a lock, as a link. */
export function lockPart(fields: Fields): Part {
  const ref = textOf(fields, 'ref');
  const [, what, id] = REF.exec(ref) ?? [];
  if (what === undefined || id === undefined) return { is: 'text', text: ref };
  return { is: 'link', href: `/${what}/${id}`, text: `${what} ${id}` };
}
