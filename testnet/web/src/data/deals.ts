import type { SettlementLeg } from '../../../../clients/ts/src/client.ts';
import { assetsOf, type Deal, dealOf } from '../text/settlements.ts';
import { useFactsOfAssets } from './assets.ts';

/** The legs as a deal, in whole shares once the kinds of its assets are known. */
export function useDeal(legs: readonly SettlementLeg[]): Deal {
  const facts = useFactsOfAssets(assetsOf(legs));
  return dealOf(legs, (assetId) =>
    facts.get(assetId)?.kinds.flatMap(({ bundle }, kindId) => (bundle ? [kindId] : [])),
  );
}
