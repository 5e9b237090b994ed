import type { Account } from '../../../../../clients/ts/src/client.ts';
import type { Balance } from '../../data/balances.ts';
import type { Asked } from '../../data/queries.ts';
import { Address } from '../../parts/address.tsx';
import { Coin } from '../../parts/amount.tsx';
import { Hash } from '../../parts/hash.tsx';
import { Facts } from '../../parts/page.tsx';
import css from './account.module.css';

/** Both forms of its address, and its coins as the chain has them. */
export function Head({
  account: { address, evm_address },
  balances,
}: {
  readonly account: Account;
  readonly balances: Asked<readonly Balance[]>;
}) {
  return (
    <Facts
      rows={[
        ['Address', <Address key="address" value={address} whole />],
        [
          'The same in the EVM',
          evm_address === null ? (
            'none: it is an account of the chain itself'
          ) : (
            <Hash key="evm" value={evm_address} whole what="EVM address" />
          ),
        ],
        ['Coins', <Coins key="coins" of={balances} />],
      ]}
    />
  );
}

function Coins({ of: { data, error } }: { readonly of: Asked<readonly Balance[]> }) {
  if (data === undefined)
    return (
      <span class="soft">
        {error === undefined ? 'Asking the chain…' : 'The chain does not answer; it is asked again.'}
      </span>
    );
  return (
    <span class={css.coins}>
      {data.map(({ denom, amount }) => (
        <Coin key={denom} amount={amount} denom={denom} />
      ))}
    </span>
  );
}
