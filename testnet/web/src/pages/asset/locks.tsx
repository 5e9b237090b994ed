import type { Holder } from '../../../../../clients/ts/src/client.ts';
import { amountText } from '../../text/amounts.ts';
import { lockWords } from '../../text/locks.ts';
import { shorten } from '../../text/shorten.ts';
import { exactTime } from '../../text/times.ts';
import css from './asset.module.css';

const SHOWN = 3;

/** What keeps a holder's units from moving: settlements, pledges, liens, lockups and delegations, each with its page. */
export function Locks({
  holder: { locks, encumbrances },
  decimals,
}: {
  readonly holder: Pick<Holder, 'locks' | 'encumbrances'>;
  readonly decimals: number;
}) {
  if (locks.length === 0) return <span class="soft">nothing</span>;
  const named = locks.slice(0, SHOWN).map((lock) => {
    const words = lockWords(lock.ref);
    const of = encumbrances.find(({ id }) => words.what === 'encumbrance' && String(id) === words.id);
    const units = amountText(lock.units, decimals).short;
    return {
      ref: lock.ref,
      words,
      text: of === undefined ? words.text : `${of.kind} ${of.id}`,
      title: [
        `${units} units`,
        of !== undefined && of.beneficiary !== '' ? `for ${shorten(of.beneficiary, 12)}` : '',
        of?.expiry == null ? '' : `until ${exactTime(of.expiry)}`,
      ]
        .filter((part) => part !== '')
        .join(', '),
    };
  });
  return (
    <span class={css.list}>
      {named.map(({ ref, text, title, words }) => (
        <span key={ref} title={title}>
          {words.href === undefined ? text : <a href={words.href}>{text}</a>}
        </span>
      ))}
      {locks.length > SHOWN && <span class="soft">and {locks.length - SHOWN} more</span>}
    </span>
  );
}
