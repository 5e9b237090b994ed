import { useAssetFacts } from '../data/assets.ts';
import { plural, shareWords, unitWords } from '../text/rights.ts';
import { Amount } from './amount.tsx';
import { AssetLink } from './asset-link.tsx';
import { Coming } from './coming.tsx';

/** Most rights have so many; the room of an amount whose decimals are not known yet. */
const USUAL_DECIMALS = 6;

/** Units of a right as a number, with the decimals of its kind. */
export function Units({
  assetId,
  kindId,
  value,
  exact = false,
}: {
  readonly assetId: string;
  readonly kindId: number;
  readonly value: string | bigint;
  readonly exact?: boolean;
}) {
  const { data, error } = useAssetFacts(assetId);
  const kind = data?.kinds[kindId];
  if (kind !== undefined)
    return (
      <Amount value={value} decimals={kind.decimals} {...(exact ? { maxFraction: kind.decimals } : {})} />
    );
  // an asset that cannot be asked for is said in base units
  return error === undefined && data === undefined ? (
    <Coming>
      <Amount value={value} decimals={USUAL_DECIMALS} />
    </Coming>
  ) : (
    <BaseUnits value={value} />
  );
}

/** Of what has no decimals that are known. */
export function BaseUnits({ value }: { readonly value: string | bigint }) {
  return <Amount value={value} decimals={0} symbol={plural('base unit', BigInt(value) === 1n)} />;
}

/** `1.5 income rights`, `1 base unit of kind 2`; whole shares where no kind is named. */
export function UnitsInWords({
  assetId,
  kindId,
  value,
  exact = false,
}: {
  readonly assetId: string;
  readonly kindId: number | undefined;
  readonly value: string | bigint;
  readonly exact?: boolean;
}) {
  const { data, error } = useAssetFacts(assetId);
  const isShare = kindId === undefined;
  const decimals = (isShare ? data?.kinds.find(({ bundle }) => bundle) : data?.kinds[kindId])?.decimals;
  if (data === undefined && error === undefined)
    return (
      <Coming>
        <Amount value={value} decimals={USUAL_DECIMALS} /> {isShare ? 'whole share' : 'economic right'}
      </Coming>
    );
  return (
    <>
      <Amount
        value={value}
        decimals={decimals ?? 0}
        {...(exact && decimals !== undefined ? { maxFraction: decimals } : {})}
      />{' '}
      {isShare ? shareWords(decimals, value) : unitWords(data?.kinds, kindId, value)}
    </>
  );
}

/** `1.5 income rights of PEAR`; with `share`, `1 whole share of PEAR`. */
export function Right({
  assetId,
  kindId,
  value,
  share = false,
  exact = false,
}: {
  readonly assetId: string;
  readonly kindId: number;
  readonly value: string | bigint;
  readonly share?: boolean;
  /** Every digit: for what is about to be signed. */
  readonly exact?: boolean;
}) {
  return (
    <>
      <UnitsInWords assetId={assetId} kindId={share ? undefined : kindId} value={value} exact={exact} /> of{' '}
      <AssetLink id={assetId} />
    </>
  );
}
