import { useMemo, useState } from 'preact/hooks';
import type { Settlement } from '../../../../../clients/ts/src/client.ts';
import { useChain } from '../../data/chain.ts';
import { useDeal } from '../../data/deals.ts';
import { Button } from '../../parts/button.tsx';
import { Things } from '../../parts/things.tsx';
import { acceptMessage, cancelMessage } from '../../sign/messages.ts';
import { SignAndFollow } from '../../sign/sign-and-follow.tsx';
import { wallet } from '../../wallet/in-use.ts';
import css from './settlement.module.css';

/** What the viewer's wallet may do as a party of an open settlement. */
export function SettlementActions({ settlement }: { readonly settlement: Settlement }) {
  const [act, setAct] = useState<'accept' | 'cancel' | undefined>();
  const { data: chain } = useChain();
  const { gives, gets } = useDeal(settlement.legs);
  const { id, counterparty, proposer } = settlement;
  const address = wallet.value?.address;
  const namespace = chain?.namespace;
  const action = useMemo(() => {
    if (act === undefined || address === undefined || namespace === undefined) return undefined;
    const message = act === 'accept' ? acceptMessage : cancelMessage;
    return { messages: [message(namespace, address, id)] };
  }, [act, address, namespace, id]);
  if (address !== counterparty && address !== proposer) return null;
  const isCounterparty = address === counterparty;
  if (action !== undefined)
    return (
      <SignAndFollow
        key={act}
        title={act === 'accept' ? 'Accept the settlement' : 'Cancel the settlement'}
        action={action}
        onClose={() => setAct(undefined)}
        more={
          act === 'accept' && (
            <p>
              You get <Things things={gives} exact />, and give <Things things={gets} exact />.
            </p>
          )
        }
      />
    );
  return (
    <div class={css.actions}>
      {isCounterparty && (
        <Button kind="main" onClick={() => setAct('accept')}>
          Accept
        </Button>
      )}
      <Button onClick={() => setAct('cancel')}>{isCounterparty ? 'Decline' : 'Cancel'}</Button>
    </div>
  );
}
