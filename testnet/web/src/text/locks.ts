import { visibleText } from './visible.ts';

/** What locks units, of a lock's ref. */
export interface LockWords {
  readonly what: 'settlement' | 'encumbrance' | 'delegation' | 'other';
  readonly id: string;
  /** `settlement 5` */
  readonly text: string;
  /** Its page. */
  readonly href: string | undefined;
}

/** Of `settlement/<id>`, `encumbrance/<id>` or `delegation/<id>`; anything else is shown as it is. */
export function lockWords(ref: string): LockWords {
  const [, what, id = ''] = /^(settlement|encumbrance|delegation)\/(\d{1,20})$/.exec(ref) ?? [];
  if (what !== 'settlement' && what !== 'encumbrance' && what !== 'delegation')
    return { what: 'other', id: ref, text: visibleText(ref), href: undefined };
  return { what, id, text: `${what} ${id}`, href: `/${what}/${id}` };
}
