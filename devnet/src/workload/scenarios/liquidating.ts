import type { JsonObject } from 'strata-kit/proto-json';
import { ASSET_CODES } from '../../modules/asset/codes.ts';
import { SETTLEMENT_CODES } from '../../modules/settlement/codes.ts';
import type { Account } from '../accounts.ts';
import type { Asset } from '../assets.ts';
import * as m from '../messages.ts';
import { type Scenario, scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { attribute, NotNow, type Refusal, refused, type Steps, send } from '../step.ts';
import { aHolder, ECONOMIC, free, launch, REDEMPTION, stable, UNIT, VOTE } from './parts.ts';

/** Assets come to their end: tiers, pools, top-ups, and what is refused from then on. */

const NOT_ACTIVE = ASSET_CODES.notActive;

/** Everything that an asset in liquidation refuses (modules.md section 4), one tx each. */
function* refusedMeanwhile(stage: Stage, { id, issuer }: Asset, holder: Account): Steps {
  const to = stage.anyone('trader', holder);
  const until = stage.later(50, 600);
  const settlement: Refusal = ['settlement', SETTLEMENT_CODES.assetNotActive];
  const own: readonly (readonly [Account, Refusal, JsonObject])[] = [
    [issuer, ['rights', NOT_ACTIVE], m.issue(issuer, id, ECONOMIC, to, UNIT)],
    [holder, ['rights', NOT_ACTIVE], m.transfer(holder, id, ECONOMIC, to, UNIT)],
    [holder, ['rights', NOT_ACTIVE], m.redeem(holder, id, REDEMPTION, 1n)],
    [issuer, ['payout', NOT_ACTIVE], m.distribute(issuer, id, ECONOMIC, stable(stage, 1_000n))],
    [
      holder,
      settlement,
      m.propose(holder, to, [{ out: true, right: { assetId: id, kindId: ECONOMIC, units: 1n } }], until),
    ],
  ];
  for (const [signer, refusal, message] of own) yield* refused(signer, refusal, message);
}

/** By the issuer, who closes it; what no tier may have comes back. */
const byIssuer = scenario('liquidation closed by the issuer', 2, function* (stage) {
  const issuer = stage.take('issuer');
  const [first, second] = [stage.take('liquidator'), stage.take('holder')];
  const buyer = stage.take('trader');
  const asset = yield* launch(stage, { issuer, holders: [first, second], units: 100n * UNIT });
  const { id } = asset;
  const denom = stage.parameters.stableDenom;
  yield* send(issuer, m.distribute(issuer, id, ECONOMIC, stable(stage, 1_000_001n)));
  const legs: readonly m.Leg[] = [
    { out: true, right: { assetId: id, kindId: ECONOMIC, units: UNIT } },
    { out: false, coin: stable(stage, 50n) },
  ];
  const proposed = yield* send(first, m.propose(first, buyer, legs, stage.later(50, 600)));
  const settlementId = attribute(proposed, 'settlement.v1.EventProposed', 'id');
  yield* send(
    issuer,
    m.setWaterfall(issuer, id, [
      { tier: 1, kind: REDEMPTION, cap: 400_000n },
      { tier: 2, kind: ECONOMIC, cap: 900_000n },
    ]),
  );
  yield* send(issuer, m.beginLiquidation(issuer, id, denom));
  yield* refused(buyer, ['settlement', SETTLEMENT_CODES.notPending], m.accept(buyer, settlementId));
  yield* refusedMeanwhile(stage, asset, first);
  // claims go on
  yield* send(first, m.claim(first, id, ECONOMIC, denom));
  yield* send(buyer, m.fund(buyer, id, stable(stage, 500_000n)));
  yield* send(first, m.redeemPool(first, id, REDEMPTION, 30n * UNIT));
  yield* send(first, m.redeemPool(first, id, ECONOMIC, 33n * UNIT));
  yield* send(buyer, m.fund(buyer, id, stable(stage, 250_001n)));
  yield* send(second, m.redeemPool(second, id, ECONOMIC, 100n * UNIT));
  yield* send(buyer, m.fund(buyer, id, stable(stage, 750_000n)));
  yield* send(issuer, m.closeLiquidation(issuer, id));
  // pools stay open
  yield* send(second, m.redeemPool(second, id, REDEMPTION, 100n * UNIT));
});

/** By the operator; over when every tier's kind has been redeemed. A tier that nobody holds is skipped. */
const byOperator = scenario('liquidation redeemed to the end', 2, function* (stage) {
  const issuer = stage.take('issuer');
  const operator = stage.take('operator');
  const holder = stage.take('liquidator');
  const kinds: readonly m.KindSpec[] = [{ class: 'ECONOMIC', bundle: true }, { class: 'REDEMPTION' }];
  const asset = yield* launch(stage, {
    issuer,
    operator,
    holders: [],
    kinds,
    also: (id) => [m.issue(issuer, id, 1, holder, 9n * UNIT)],
  });
  const { id } = asset;
  yield* send(
    issuer,
    m.setWaterfall(issuer, id, [
      { tier: 1, kind: 0, cap: 0n },
      { tier: 2, kind: 1, cap: 0n },
    ]),
  );
  yield* send(operator, m.beginLiquidation(operator, id, stage.parameters.stableDenom));
  yield* send(operator, m.fund(operator, id, stable(stage, 1_000_000n)));
  yield* send(holder, m.redeemPool(holder, id, 1, 4n * UNIT));
  yield* send(operator, m.fund(operator, id, stable(stage, 5n)));
  yield* send(holder, m.redeemPool(holder, id, 1, 5n * UNIT));
});

/** A shared asset that has had its time, with all that others have left on it. */
const shared = scenario('liquidation of a shared asset', 1, function* (stage) {
  const [oldest] = stage.assets.list();
  if (oldest === undefined || stage.assets.list().length < 6) throw new NotNow('few assets');
  const asset = stage.retire(stage.use(oldest));
  const issuer = stage.takeThis(asset.issuer);
  const funder = stage.take('liquidator');
  const { id } = asset;
  yield* send(
    issuer,
    m.setWaterfall(issuer, id, [
      { tier: 1, kind: REDEMPTION, cap: 2_000_000n },
      { tier: 2, kind: ECONOMIC, cap: 0n },
    ]),
  );
  yield* send(issuer, m.beginLiquidation(issuer, id, stage.parameters.stableDenom));
  yield* send(funder, m.fund(funder, id, stable(stage, 9_000_000n)));
  const holder = aHolder(stage, asset, [ECONOMIC]);
  yield* send(holder, m.redeemPool(holder, id, ECONOMIC, free(stage, asset, ECONOMIC, holder)));
  yield* send(funder, m.fund(funder, id, stable(stage, 123_457n)));
  yield* send(issuer, m.closeLiquidation(issuer, id));
  yield* refused(issuer, ['rights', NOT_ACTIVE], m.issue(issuer, id, VOTE, issuer, 1n));
});

export const LIQUIDATING: readonly Scenario[] = [byIssuer, byOperator, shared];
