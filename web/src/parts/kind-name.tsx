import { useAssetFacts } from '../data/assets.ts';
import { kindName } from '../text/kinds.ts';
import { Amount } from './amount.tsx';

/** `Income 1`, of what is known of the asset; its number until then. */
export function KindName({ assetId, kindId }: { readonly assetId: string; readonly kindId: number }) {
  const { data } = useAssetFacts(assetId);
  const kind = data?.kinds[kindId];
  return <>{kind === undefined ? `Kind ${kindId}` : kindName(kind.class, kindId)}</>;
}

/** Whole shares have the decimals of the kinds that they are made of; an asset without such kinds has none. */
export function WholeShares({ assetId, units }: { readonly assetId: string; readonly units: string }) {
  const { data } = useAssetFacts(assetId);
  const bundled = data?.kinds.find(({ bundle }) => bundle);
  if (data !== undefined && bundled === undefined) return <span class="soft">not made of shares</span>;
  if (bundled === undefined) return <span class="soft">…</span>;
  return <Amount value={units} decimals={bundled.decimals} />;
}
