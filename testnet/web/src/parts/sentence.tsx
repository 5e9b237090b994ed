import { useAssetFacts } from '../data/assets.ts';
import { denomText, useChain } from '../data/chain.ts';
import { useRouteDenom } from '../data/routes.ts';
import { kindWords } from '../text/rights.ts';
import type { Part, Sentence } from '../text/sentences/sentence.ts';
import { dateTimeText, exactTime } from '../text/times.ts';
import { Address } from './address.tsx';
import { Amount, Coin } from './amount.tsx';
import { AssetLink } from './asset-link.tsx';
import { ChainText } from './chain-text.tsx';
import { Coming } from './coming.tsx';
import css from './sentence.module.css';
import { BaseUnits, UnitsInWords } from './units.tsx';

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
      return <UnitsInWords assetId={part.assetId} kindId={part.kindId} value={part.units} />;
    case 'kind':
      return <KindOf assetId={part.assetId} kindId={part.kindId} />;
    case 'coin':
      return <Coin amount={part.amount} denom={part.denom} />;
    case 'denom':
      return <DenomOf denom={part.denom} />;
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

function KindOf({ assetId, kindId }: { readonly assetId: string; readonly kindId: number }) {
  const { data, isWaiting } = useAssetFacts(assetId);
  return isWaiting ? <Coming>economic rights</Coming> : <>{kindWords(data?.kinds, kindId)}</>;
}

function DenomOf({ denom }: { readonly denom: string }) {
  const { data: chain } = useChain();
  return <ChainText text={denomText(chain, denom).symbol} />;
}

/** Of a coin's route with the coin's decimals. */
function Routed({ routeId, amount }: { readonly routeId: string; readonly amount: string }) {
  const { data: denom, isWaiting } = useRouteDenom(routeId);
  if (isWaiting)
    return (
      <Coming>
        <BaseUnits value={amount} />
      </Coming>
    );
  if (denom === undefined || denom === '') return <BaseUnits value={amount} />;
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
      <BaseUnits value={amount} /> of the token <Address value={contract} isBare />
    </>
  );
}
