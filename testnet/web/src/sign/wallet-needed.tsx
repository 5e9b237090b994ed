import { useLocation } from 'preact-iso';
import { ButtonLink } from '../parts/button.tsx';
import css from './sign.module.css';

/** Where something is to be signed and there is nothing to sign with. */
export function WalletNeeded({ what = 'To sign this' }: { readonly what?: string }) {
  const { url } = useLocation();
  return (
    <div class={css.needed}>
      <p>
        {what} you need a wallet. A burner wallet is made with one click and lives in this browser alone;
        Keplr or an Ethereum wallet may do it too.
      </p>
      <ButtonLink href={`/wallet?next=${encodeURIComponent(url)}`}>Choose a wallet</ButtonLink>
    </div>
  );
}
