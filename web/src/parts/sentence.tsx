import { useAssetFacts } from '../data/assets.ts';
import { denomText, useChain } from '../data/chain.ts';
import { useRouteDenom } from '../data/routes.ts';
import { countText } from '../text/amounts.ts';
import { plural, rightWords } from '../text/rights.ts';
import type { Part, Sentence } from '../text/sentences/sentence.ts';
import { dateTimeText, exactTime } from '../text/times.ts';
import { Address } from './address.tsx';
import { Amount, Coin } from './amount.tsx';
import { AssetLink } from './asset-link.tsx';
import { ChainText } from './chain-text.tsx';
import css from './sentence.module.css';
import { Units } from './units.tsx';

/** A sentence with its links and amounts. A page about an asset names that one nowhere (`without`). */
export function Say({ sentence, without }: { readonly sentence: Sentence; readonly without?: string }) {
  return (
    <span class={css.sentence}>
      {sentence.map((part, at) => (
        <Piece key={at} part={part} {...(without === undefined ? {} : { without })} />
      ))}
    </span>
  );
}

function Piece({ part, without }: { readonly part: Part; readonly without?: string }) {
  if (typeof part === 'string') return <>{part}</>;
  switch (part.is) {
    case 'address':
      return <Address value={part.address} isBare />;
    case 'asset':
      if (part.id === without) return null;
      return (
        <>
          {part.lead}
          <AssetLink id={part.id} isBare />
        </>
      );
    case 'units':
      if (part.kindId === undefined) return <WholeShares assetId={part.assetId} units={part.units} />;
      return <UnitsOfKind assetId={part.assetId} kindId={part.kindId} units={part.units} />;
    case 'coin':
      return <Coin amount={part.amount} denom={part.denom} />;
    case 'routed':
      return <Routed routeId={part.routeId} amount={part.amount} />;
    case 'token':
      return <Token contract={part.contract} amount={part.amount} />;
    case 'link':
      return (
        <a href={part.href}>
          <ChainText text={part.text} />
        </a>
      );
    case 'time':
      return (
        <time dateTime={part.at} title={exactTime(part.at)}>
          {dateTimeText(part.at)} UTC
        </time>
      );
    case 'text':
      return <ChainText text={part.text} />;
  }
}

/** `1.5 income rights`, its kind by its number where the asset has more of that class or is not known. */
function UnitsOfKind({ assetId, kindId, units }: { assetId: string; kindId: number; units: string }) {
  const { data } = useAssetFacts(assetId);
  const kind = data?.kinds[kindId];
  const isOnly = kind !== undefined && data?.kinds.filter((each) => each.class === kind.class).length === 1;
  const isOne = kind !== undefined && BigInt(units) === 10n ** BigInt(kind.decimals);
  return (
    <>
      <Units assetId={assetId} kindId={kindId} value={units} />{' '}
      {kind === undefined ? 'units' : rightWords(kind.class, isOne)}
      {isOnly ? '' : ` of kind ${kindId}`}
    </>
  );
}

/** Whole shares have the decimals of the kinds that they are made of. */
function WholeShares({ assetId, units }: { readonly assetId: string; readonly units: string }) {
  const { data } = useAssetFacts(assetId);
  const kind = data?.kinds.find(({ bundle }) => bundle);
  if (kind === undefined) return <>{countText(units)} base units of whole shares</>;
  const isOne = BigInt(units) === 10n ** BigInt(kind.decimals);
  return (
    <>
      <Amount value={units} decimals={kind.decimals} /> {plural('whole share', isOne)}
    </>
  );
}

/** Of a coin's route with the coin's decimals. */
function Routed({ routeId, amount }: { readonly routeId: string; readonly amount: string }) {
  const { data: denom } = useRouteDenom(routeId);
  if (denom === undefined || denom === '') return <>{countText(amount)} base units</>;
  return <Coin amount={amount} denom={denom} />;
}

/** Of the chain's own tokens with their decimals; another contract's are not known. */
function Token({ contract, amount }: { readonly contract: string; readonly amount: string }) {
  const { data: chain } = useChain();
  const is = (address: string | undefined): boolean => address?.toLowerCase() === contract.toLowerCase();
  if (chain !== undefined && is(chain.contracts?.stable))
    return <Coin amount={amount} denom={chain.stable_denom} />;
  if (chain !== undefined && is(chain.contracts?.wrapped_native)) {
    const { symbol, decimals } = denomText(chain, chain.gas_denom);
    return <Amount value={amount} decimals={decimals} symbol={`wrapped ${symbol}`} />;
  }
  return (
    <>
      {countText(amount)} base units of the token <Address value={contract} isBare />
    </>
  );
}
