import { useLocation } from 'preact-iso';
import { ButtonLink } from '../../parts/button.tsx';
import { withQuery } from '../../parts/pager.tsx';
import css from './tx.module.css';

/** What stands in the place of a tx that was just sent. */
export function Awaited({ isTooLate }: { readonly isTooLate: boolean }) {
  const { url } = useLocation();
  return (
    <div class={css.awaited} role="status" aria-busy={!isTooLate}>
      <div>
        {isTooLate ? (
          <>
            <strong>It has not come within a minute.</strong>
            <p>
              The chain may have dropped it: a transaction that is not in a block after a minute rarely comes
              later. Look at your account before you send it again.
            </p>
            <ButtonLink href={withQuery(url, { wait: undefined })}>Look once more</ButtonLink>
          </>
        ) : (
          <>
            <strong>Waiting for the block that holds it.</strong>
            <p>It was sent. As soon as it is indexed it shows here by itself, most often within seconds.</p>
          </>
        )}
      </div>
    </div>
  );
}
