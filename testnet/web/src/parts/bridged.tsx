import type { BridgeRoute } from '../../../../clients/ts/src/client.ts';
import { denomText, useChain } from '../data/chain.ts';
import { Amount, Coin } from './amount.tsx';
import { ChainText } from './chain-text.tsx';
import { Units } from './units.tsx';

/** Amounts stay below 2^255: more decimals than its digits tell nothing. */
const MOST_DECIMALS = 77;

type Moved = Pick<BridgeRoute, 'local_denom' | 'display' | 'exponent' | 'asset_id' | 'kind_id'>;

/**
 * An amount of what a route moves: a known coin with the chain's decimals, a stand-in with those that the route tells, a
 * right with those of its kind.
 */
export function Bridged({ route, value }: { readonly route: Moved; readonly value: string }) {
  const { data: chain } = useChain();
  if (route.asset_id !== '') return <Units assetId={route.asset_id} kindId={route.kind_id} value={value} />;
  const isKnown = denomText(chain, route.local_denom).symbol !== route.local_denom;
  if (isKnown) return <Coin amount={value} denom={route.local_denom} />;
  return (
    <>
      <Amount value={value} decimals={route.exponent <= MOST_DECIMALS ? route.exponent : 0} />{' '}
      <span class="soft">
        <ChainText text={route.display} />
      </span>
    </>
  );
}
