import { useState } from 'preact/hooks';
import { askApp } from '../data/client.ts';
import { asAskError } from '../data/errors.ts';
import { queries } from '../data/queries.ts';
import { Coin } from '../parts/amount.tsx';
import { Button } from '../parts/button.tsx';
import { Hash } from '../parts/hash.tsx';
import { sentence } from '../text/message.ts';
import css from './sign.module.css';
import { waitText } from './stops.ts';

interface Paid {
  readonly tx_hash: string;
  readonly height: number;
  readonly coins: readonly { readonly denom: string; readonly amount: string }[];
}

type State =
  | { readonly at: 'idle' }
  | { readonly at: 'asking' }
  | { readonly at: 'paid'; readonly paid: Paid }
  | { readonly at: 'refused'; readonly text: string };

/** Asks the faucet for coins for an account, and says what came. */
export function FaucetButton({
  address,
  onPaid,
  kind = 'main',
}: {
  readonly address: string;
  onPaid?(): void;
  readonly kind?: 'main' | 'plain';
}) {
  const [state, setState] = useState<State>({ at: 'idle' });
  const ask = async (): Promise<void> => {
    setState({ at: 'asking' });
    try {
      const paid = await askApp<Paid>('/api/faucet', { address });
      setState({ at: 'paid', paid });
      void queries.invalidateQueries({ queryKey: ['balances'] });
      onPaid?.();
    } catch (error) {
      setState({ at: 'refused', text: refusal(error) });
    }
  };
  return (
    <div class={css.faucet}>
      <Button kind={kind} onClick={() => void ask()} disabled={state.at === 'asking' || address === ''}>
        {state.at === 'asking' ? 'The faucet is paying…' : 'Get coins from the faucet'}
      </Button>
      <div role="status">
        {state.at === 'paid' && (
          <p>
            The faucet has paid{' '}
            {state.paid.coins.map(({ denom, amount }, at) => (
              <>
                {at > 0 && ' and '}
                <Coin amount={amount} denom={denom} />
              </>
            ))}{' '}
            in{' '}
            <Hash
              value={state.paid.tx_hash}
              href={`/tx/${state.paid.tx_hash}?wait=1`}
              what="transaction hash"
            />
            .
          </p>
        )}
        {state.at === 'refused' && <p class={css.error}>{state.text}</p>}
      </div>
    </div>
  );
}

function refusal(error: unknown): string {
  const { status, message, retryAfterSeconds } = asAskError(error);
  if (status === 0) return 'The app does not answer. Try again in a moment.';
  if (status === 404) return 'There is no faucet on this chain.';
  if (status === 429) return `The faucet has paid often enough for now.${waitText(retryAfterSeconds)}`;
  return sentence(message);
}
