import { bundleAddressOf, rightAddressOf } from 'strata-kit/client/asset-ids';
import * as m from '../../messages.ts';
import { type Scenario, scenario } from '../../scenario.ts';
import { attribute, send } from '../../step.ts';
import { does } from '../calls.ts';
import { ECONOMIC, gas, INCOME, launch, REDEMPTION, stable, VOTE } from '../parts.ts';

/** 18 decimals, as most tokens of Ethereum have: amounts far beyond 2^64. */

export const WHOLE = 10n ** 18n;

export const EIGHTEEN: readonly m.KindSpec[] = [
  { class: 'ECONOMIC', decimals: 18, bundle: true, bridgeable: true },
  { class: 'INCOME', decimals: 18, bundle: true, bridgeable: true },
  { class: 'VOTE', decimals: 18, bundle: true, bridgeable: true },
  { class: 'REDEMPTION', decimals: 18 },
];

const traded = scenario('an asset of 18 decimals', 2, function* (stage) {
  const issuer = stage.take('issuer');
  const [trader, buyer] = [stage.take('trader'), stage.take('holder')];
  const { id } = yield* launch(stage, {
    issuer,
    holders: [trader, buyer],
    kinds: EIGHTEEN,
    units: 12_345_678n * WHOLE + 1n,
  });
  const { namespace, gasDenom } = stage.parameters;
  // less than the smallest unit has a share of: all of it is carried on
  yield* send(issuer, m.distribute(issuer, id, INCOME, stable(stage, 3n)));
  yield* does(stage, trader, bundleAddressOf(namespace, id), 'transfer(address,uint256)', [
    stage.anyone('holder', buyer).bytes,
    WHOLE / 3n,
  ]);
  yield* does(stage, trader, rightAddressOf(namespace, id, VOTE), 'transfer(address,uint256)', [
    buyer.bytes,
    1n,
  ]);
  const legs = [
    { out: true, right: { assetId: id, kindId: ECONOMIC, units: 1_000n * WHOLE } },
    { out: false, coin: stable(stage, 4_321n) },
  ];
  const made = yield* send(trader, m.propose(trader, buyer, legs, stage.later(50, 600)));
  yield* send(buyer, m.accept(buyer, attribute(made, 'settlement.v1.EventProposed', 'id')));
  yield* send(buyer, m.redeem(buyer, id, REDEMPTION, 5n * WHOLE + 5n));
  yield* send(issuer, m.distribute(issuer, id, INCOME, gas(stage, 7n * 10n ** 19n + 1n)));
  yield* send(buyer, m.claim(buyer, id, INCOME, gasDenom));
});

export const DECIMALS: readonly Scenario[] = [traded];
