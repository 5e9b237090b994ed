import type { Encumbrance } from '../../../../../clients/ts/src/client.ts';
import { useAnswer } from '../../data/answers.ts';
import { told, v1 } from '../../data/client.ts';
import { nowMs } from '../../data/live.ts';
import { Address } from '../../parts/address.tsx';
import { Time } from '../../parts/time.tsx';
import { type MayRelease, mayRelease } from '../../text/encumbrances.ts';
import css from './may-do.module.css';

/** Who may release or take the units. The role of releaser is the asset's, which is asked for it. */
export function MayDo({
  of,
  words,
  mayTake,
}: {
  readonly of: Encumbrance;
  readonly words: string;
  readonly mayTake: boolean;
}) {
  const asset = useAnswer(
    ['asset-roles', of.asset_id],
    () => told(v1.GET('/v1/assets/{id}', { params: { path: { id: of.asset_id } } })),
    { enabled: of.status === 'active' },
  );
  const rows = mayRelease(of, asset.data?.asset.roles.releaser ?? '', nowMs.value);
  return (
    <div class={css.may}>
      <p>{words}</p>
      {of.status === 'active' && (
        <ul>
          {rows.map((row) => (
            <li key={row.role}>
              <Release row={row} />
            </li>
          ))}
          {rows.length === 0 && !asset.isWaiting && (
            <li>
              Nobody may release it before its time
              {of.expiry === null ? ': it stays until its asset names a releaser.' : '.'}
            </li>
          )}
          {mayTake && (
            <li>
              The beneficiary <Address value={of.beneficiary} /> may take the units
              {of.expiry === null ? (
                '.'
              ) : (
                <>
                  ; the last chance is <Time at={of.expiry} />.
                </>
              )}
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

function Release({ row: { role, address, from } }: { readonly row: MayRelease }) {
  return (
    <>
      The {role === 'releaser' ? 'releaser of the asset' : role} <Address value={address} /> may release all
      or a part of it
      {from === undefined ? (
        '.'
      ) : (
        <>
          {' '}
          after its waiting time, which ends <Time at={from} />.
        </>
      )}
    </>
  );
}
