import { joint } from '../text/rights.ts';
import { type Thing, thingKey } from '../text/settlements.ts';
import { Coin } from './amount.tsx';
import { AssetLink } from './asset-link.tsx';
import { Coming } from './coming.tsx';
import { Right } from './units.tsx';

/** Things in a row of words: `1 whole share of PEAR and 0.5 USD`; `nothing` where there are none. */
export function Things({
  things,
  exact = false,
}: {
  readonly things: readonly Thing[];
  /** Every digit: for what is about to be signed. */
  readonly exact?: boolean;
}) {
  if (things.length === 0) return <>nothing</>;
  return (
    <>
      {things.map((thing, at) => (
        <span key={thingKey(thing)}>
          {joint(at, things.length)}
          <OneThing thing={thing} exact={exact} />
        </span>
      ))}
    </>
  );
}

export function OneThing({ thing, exact = false }: { readonly thing: Thing; readonly exact?: boolean }) {
  switch (thing.what) {
    case 'coin':
      return <Coin amount={String(thing.amount)} denom={thing.denom} exact={exact} />;
    case 'rights':
      return (
        <>
          <Coming>1 economic right</Coming> of <AssetLink id={thing.assetId} />
        </>
      );
    default:
      return (
        <Right
          assetId={thing.assetId}
          kindId={thing.kindId}
          value={thing.units}
          share={thing.what === 'share'}
          exact={exact}
        />
      );
  }
}
