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

/** Answers that decide a request: a new click is a new one. */
const DECIDING: readonly number[] = [400, 404, 409];

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
      const paid = await askApp<Paid>('/api/faucet', { address, request_id: requestIdOf(address) });
      sessionStorage.removeItem(nameOf(address));
      setState({ at: 'paid', paid });
      void queries.invalidateQueries({ queryKey: ['balances'] });
      onPaid?.();
    } catch (error) {
      // after every other answer it may have been paid, so the next click is the same request
      if (DECIDING.includes(asAskError(error).status)) sessionStorage.removeItem(nameOf(address));
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

function nameOf(address: string): string {
  return `strata.faucet.${address}`;
}

/** The same until an answer has come, also after a reload: the faucet pays once for it. */
function requestIdOf(address: string): string {
  const kept = sessionStorage.getItem(nameOf(address));
  if (kept !== null) return kept;
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const made = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  sessionStorage.setItem(nameOf(address), made);
  return made;
}

function refusal(error: unknown): string {
  const { status, message, retryAfterSeconds } = asAskError(error);
  if (status === 0)
    return 'No answer came: the coins may be on their way. Ask again in a moment, they are paid once.';
  if (status === 404) return 'There is no faucet on this chain.';
  if (status === 429) return `The faucet has paid often enough for now.${waitText(retryAfterSeconds)}`;
  return sentence(message);
}
