import { useAssetFacts } from '../data/assets.ts';
import { kindName } from '../text/kinds.ts';
import { Amount } from './amount.tsx';
import { Coming } from './coming.tsx';
import { BaseUnits } from './units.tsx';

/** `Income 1`; `Kind 1` where the asset is unknown. */
export function KindName({ assetId, kindId }: { readonly assetId: string; readonly kindId: number }) {
  const { data, isWaiting } = useAssetFacts(assetId);
  if (isWaiting) return <Coming>Economic {kindId}</Coming>;
  const kind = data?.kinds[kindId];
  return <>{kind === undefined ? `Kind ${kindId}` : kindName(kind.class, kindId)}</>;
}

/** Whole shares have the decimals of the kinds that they are made of; an asset without such kinds has none. */
export function WholeShares({ assetId, units }: { readonly assetId: string; readonly units: string }) {
  const { data, isWaiting } = useAssetFacts(assetId);
  const bundled = data?.kinds.find(({ bundle }) => bundle);
  if (isWaiting) return <Coming>1,000</Coming>;
  if (bundled === undefined)
    return data === undefined ? <BaseUnits value={units} /> : <span class="soft">not made of shares</span>;
  return <Amount value={units} decimals={bundled.decimals} />;
}
