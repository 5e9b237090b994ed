import { useState } from 'preact/hooks';
import type { ChainFacts } from '../../data/chain.ts';
import { Button } from '../../parts/button.tsx';
import { Copy } from '../../parts/copy.tsx';
import { Section } from '../../parts/page.tsx';
import { forgetWallet } from '../../wallet/in-use.ts';
import type { KeptWallet } from '../../wallet/kept.ts';
import { WALLET_NAMES } from '../../wallet/wallet.ts';
import css from './wallet.module.css';

/** The key, to take elsewhere, and the end of it here. */
export function WalletItself({ kept }: { readonly kept: KeptWallet; readonly chain: ChainFacts }) {
  const [shows, setShows] = useState(false);
  const [asks, setAsks] = useState(false);
  const isBurner = kept.kind === 'burner';
  return (
    <Section title={isBurner ? 'The key' : 'The connection'}>
      <p>
        {isBurner
          ? 'It lies in this browser alone, unencrypted. Export it to use the account elsewhere; without a copy, clearing the data of this browser loses the account.'
          : `The key stays in ${WALLET_NAMES[kept.kind]}. This browser remembers the address only. Tested against a stand-in of it, not against the extension itself.`}
      </p>
      {shows && kept.privateKey !== undefined && (
        <p class={css.key}>
          <span class="mono">{kept.privateKey}</span>
          <Copy text={kept.privateKey} what="private key" />
        </p>
      )}
      {asks && (
        <p class={css.warn} role="alert">
          {isBurner
            ? 'This erases the key here. If you have no copy of it, nobody can ever use this account again.'
            : 'This page forgets the address. The account stays in the extension.'}
        </p>
      )}
      <div class={css.buttons}>
        {isBurner && (
          <Button onClick={() => setShows(!shows)}>{shows ? 'Hide the key' : 'Export the key'}</Button>
        )}
        {asks ? (
          <>
            <Button kind="main" onClick={forgetWallet}>
              {isBurner ? 'Erase the key' : 'Disconnect'}
            </Button>
            <Button onClick={() => setAsks(false)}>Keep it</Button>
          </>
        ) : (
          <Button onClick={() => setAsks(true)}>{isBurner ? 'Forget this wallet' : 'Disconnect'}</Button>
        )}
      </div>
    </Section>
  );
}
