import * as m from '../../messages.ts';
import { type Scenario, scenario } from '../../scenario.ts';
import type { Stage } from '../../stage.ts';
import { attribute, send } from '../../step.ts';
import { aHolder, anAsset, ECONOMIC, free, INCOME, launch, stable, UNIT, VOTE } from '../parts.ts';
import { twoAssets } from './two-assets.ts';

/** Settlements that look like the sale of a strip (INCOME alone, against a coin), some of which are one. */

const price = (stage: Stage, out: boolean): m.Leg => ({ out, coin: stable(stage, 300n) });
const right = (out: boolean, assetId: string, kindId: number): m.Leg => ({
  out,
  right: { assetId, kindId, units: UNIT },
});

/** Legs of a seller who proposes, of an asset and another, both of which the seller has INCOME, ECONOMIC and VOTE of. */
type Legs = (stage: Stage, one: string, two: string) => readonly m.Leg[];

function proposed(name: string, legs: Legs): Scenario {
  return scenario(name, 2, function* (stage) {
    const [one, two] = yield* twoAssets(stage);
    const kinds = [ECONOMIC, INCOME, VOTE];
    const seller = aHolder(stage, one, kinds, UNIT, (who) =>
      kinds.every((kind) => free(stage, two, kind, who) >= UNIT),
    );
    const buyer = aHolder(stage, one, [VOTE], UNIT, (who) => who !== seller);
    const made = yield* send(
      seller,
      m.propose(seller, buyer, legs(stage, one.id, two.id), stage.later(50, 600)),
    );
    yield* send(buyer, m.accept(buyer, attribute(made, 'settlement.v1.EventProposed', 'id')));
  });
}

/** The buyer asks: who delivers the strip is the counterparty. */
const asked = scenario('a strip is asked for', 2, function* (stage) {
  const asset = anAsset(stage);
  const seller = aHolder(stage, asset, [INCOME], UNIT);
  const buyer = stage.take('trader');
  const legs = [price(stage, true), right(false, asset.id, INCOME)];
  const made = yield* send(buyer, m.propose(buyer, seller, legs, stage.later(50, 600)));
  yield* send(seller, m.accept(seller, attribute(made, 'settlement.v1.EventProposed', 'id')));
});

/** Two kinds of INCOME of one asset, neither of which is kind 1. */
const coupons = scenario('two coupons are sold', 1, function* (stage) {
  const issuer = stage.take('issuer');
  const [seller, buyer] = [stage.take('holder'), stage.take('trader')];
  const { id } = yield* launch(stage, {
    issuer,
    holders: [seller],
    kinds: [{ class: 'INCOME' }, { class: 'REDEMPTION' }, { class: 'INCOME', decimals: 2 }],
  });
  const legs = [right(true, id, 0), right(true, id, 2), price(stage, false)];
  const made = yield* send(seller, m.propose(seller, buyer, legs, stage.later(50, 600)));
  yield* send(buyer, m.accept(buyer, attribute(made, 'settlement.v1.EventProposed', 'id')));
});

export const STRIPS: readonly Scenario[] = [
  proposed('a strip with votes', (stage, one) => [
    right(true, one, INCOME),
    right(true, one, VOTE),
    price(stage, false),
  ]),
  proposed('strips of two assets', (stage, one, two) => [
    right(true, one, INCOME),
    right(true, two, INCOME),
    price(stage, false),
  ]),
  proposed('a strip of one asset, shares of another', (stage, one, two) => [
    right(true, one, INCOME),
    right(true, two, ECONOMIC),
    price(stage, false),
  ]),
  proposed('a strip for a coin and votes', (stage, one) => [
    right(true, one, INCOME),
    price(stage, false),
    right(false, one, VOTE),
  ]),
  proposed('a strip and a coin for a coin', (stage, one) => [
    right(true, one, INCOME),
    price(stage, true),
    { out: false, coin: stable(stage, 301n) },
  ]),
  asked,
  coupons,
];
