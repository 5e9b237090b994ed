import type { KindClass } from '../../../clients/ts/src/client.ts';
import { useAssetFacts } from '../data/assets.ts';
import { plural, rightWords } from '../text/rights.ts';
import { Amount } from './amount.tsx';
import { AssetLink } from './asset-link.tsx';

/** Units of a right as a number, with the decimals of its kind; a dot holds the place until they are known. */
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
    <span class="soft" title="Loading">
      …
    </span>
  ) : (
    <Amount value={value} decimals={0} symbol="base units" />
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
  const { data } = useAssetFacts(assetId);
  const kind = data?.kinds[kindId];
  const isOne = BigInt(value) === 10n ** BigInt(kind?.decimals ?? 0);
  const word = share ? plural('whole share', isOne) : rightOf(kind?.class, kindId, isOne);
  return (
    <>
      <Units assetId={assetId} kindId={kindId} value={value} exact={exact} /> {word} of{' '}
      <AssetLink id={assetId} />
    </>
  );
}

function rightOf(kindClass: KindClass | undefined, kindId: number, isOne: boolean): string {
  return kindClass === undefined ? `of right ${kindId}` : rightWords(kindClass, isOne);
}
