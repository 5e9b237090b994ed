import type { Account } from '../../accounts.ts';
import type { Asset } from '../../assets.ts';
import * as m from '../../messages.ts';
import { type Scenario, scenario } from '../../scenario.ts';
import type { Stage } from '../../stage.ts';
import { send } from '../../step.ts';
import { anAsset, ECONOMIC, gas, launch, REDEMPTION, stable, UNIT, VOTE } from '../parts.ts';

/** Liquidations whose tiers are named out of order, and pay one kind more than once. */

const SHARED_TIERS = [
  { tier: 7, kind: REDEMPTION, cap: 300_000n },
  { tier: 2, kind: ECONOMIC, cap: 100_000n },
  { tier: 5, kind: VOTE, cap: 50_000n },
  { tier: 3, kind: REDEMPTION, cap: 200_000n },
  { tier: 9, kind: ECONOMIC, cap: 0n },
];

/** A settlement of two assets, one of which is about to be liquidated. */
const swapAway = (stage: Stage, holder: Account, asset: Asset, other: Asset) =>
  m.propose(
    holder,
    stage.anyone('trader', holder),
    [
      { out: true, right: { assetId: asset.id, kindId: ECONOMIC, units: UNIT } },
      { out: false, right: { assetId: other.id, kindId: ECONOMIC, units: UNIT } },
    ],
    stage.later(100, 1_200),
  );

/** Over when every kind that has a tier is redeemed; INCOME, which has none, stays. */
const redeemed = scenario('liquidation of unsorted and shared tiers', 1, function* (stage) {
  const other = anAsset(stage);
  const issuer = stage.take('issuer');
  const [first, second] = [stage.take('liquidator'), stage.take('holder')];
  const payer = stage.take('trader');
  const asset = yield* launch(stage, { issuer, holders: [first, second], units: 100n * UNIT });
  const { id } = asset;
  const pay = (amount: bigint) => send(payer, m.fund(payer, id, stable(stage, amount)));
  const redeem = (who: Account, kind: number, units: bigint) =>
    send(who, m.redeemPool(who, id, kind, units * UNIT));
  yield* send(first, swapAway(stage, first, asset, other));
  yield* send(issuer, m.setWaterfall(issuer, id, SHARED_TIERS));
  yield* send(issuer, m.beginLiquidation(issuer, id, stage.parameters.stableDenom));
  // tier 2 whole, a part of tier 3
  yield* pay(150_001n);
  yield* redeem(first, REDEMPTION, 30n);
  // the rest of 3, tier 5, a part of 7: the pool of REDEMPTION is topped up twice by one payment
  yield* pay(400_000n);
  yield* redeem(first, ECONOMIC, 33n);
  yield* pay(123_457n);
  for (const kind of [VOTE, REDEMPTION, ECONOMIC]) yield* redeem(second, kind, 100n);
  yield* redeem(first, VOTE, 100n);
  // tier 5's kind has no supply any more, the later ones go on
  yield* pay(10_007n);
  yield* redeem(first, REDEMPTION, 70n);
  yield* redeem(first, ECONOMIC, 67n);
});

/** In the gas denom; every tier has a cap, so that money is left and goes back. */
const capped = scenario('liquidation of shared tiers in another denom', 1, function* (stage) {
  const issuer = stage.take('issuer');
  const [first, second] = [stage.take('liquidator'), stage.take('holder')];
  const payer = stage.take('trader');
  const asset = yield* launch(stage, { issuer, holders: [first, second], units: 50n * UNIT });
  const { id } = asset;
  yield* send(
    issuer,
    m.setWaterfall(issuer, id, [
      { tier: 30, kind: VOTE, cap: 7n },
      { tier: 20, kind: VOTE, cap: 1_000n },
      { tier: 10, kind: REDEMPTION, cap: 9_999n },
    ]),
  );
  yield* send(issuer, m.beginLiquidation(issuer, id, stage.parameters.gasDenom));
  yield* send(payer, m.fund(payer, id, gas(stage, 10_500n)));
  yield* send(second, m.redeemPool(second, id, VOTE, 50n * UNIT));
  yield* send(payer, m.fund(payer, id, gas(stage, 1_000n)));
  yield* send(first, m.redeemPool(first, id, REDEMPTION, 1n));
  yield* send(issuer, m.closeLiquidation(issuer, id));
  yield* send(first, m.redeemPool(first, id, VOTE, 50n * UNIT));
});

export const TIERS: readonly Scenario[] = [redeemed, capped];
