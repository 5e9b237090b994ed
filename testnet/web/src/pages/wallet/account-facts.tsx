import { useBalances } from '../../data/balances.ts';
import type { ChainFacts } from '../../data/chain.ts';
import { Coin } from '../../parts/amount.tsx';
import { Answer } from '../../parts/answer.tsx';
import { Hash } from '../../parts/hash.tsx';
import { Facts, Figures, Section } from '../../parts/page.tsx';
import { FaucetButton } from '../../sign/faucet-button.tsx';
import type { KeptWallet } from '../../wallet/kept.ts';
import { WALLET_NAMES } from '../../wallet/wallet.ts';
import css from './wallet.module.css';

/** Who the wallet is, and its coins. */
export function AccountFacts({ kept, chain }: { readonly kept: KeptWallet; readonly chain: ChainFacts }) {
  const balances = useBalances(chain, kept.address);
  return (
    <>
      <Section title="Coins">
        <Answer asked={balances} rows={2}>
          {(coins) => (
            <Figures
              rows={coins.map(({ denom, amount }) => [
                nameOf(chain, denom),
                <Coin key={denom} amount={amount} denom={denom} />,
              ])}
            />
          )}
        </Answer>
        <FaucetButton address={kept.address} kind="plain" />
      </Section>
      <Section
        title="Account"
        aside={
          <span class={css.links}>
            <a href={`/account/${kept.address}`}>Account page</a>
            <a href={`/quests/${kept.address}`}>Quests</a>
          </span>
        }
      >
        <Facts
          rows={[
            ['Kind', WALLET_NAMES[kept.kind]],
            ['Address', <Hash key="address" value={kept.address} whole what="address" />],
            ['The same in the EVM', <Hash key="evm" value={kept.evmAddress} whole what="EVM address" />],
          ]}
        />
        {kept.chainId !== chain.chain_id && (
          <p class={css.warn}>
            This wallet was made for the chain {kept.chainId}, and the app is on {chain.chain_id} now. Its key
            works here too; what it held there is not here.
          </p>
        )}
      </Section>
    </>
  );
}

function nameOf({ gas_denom, stable_denom }: ChainFacts, denom: string): string {
  if (denom === gas_denom) return 'Pays fees';
  return denom === stable_denom ? 'Stable coin' : 'Other coin';
}
