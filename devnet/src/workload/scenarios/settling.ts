import * as m from '../messages.ts';
import { type Scenario, scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { attribute, type Outcome, send } from '../step.ts';
import { aHolder, anAsset, aPart, ECONOMIC, gas, INCOME, stable, UNIT, VOTE } from './parts.ts';

/** Settlements in every state. A proposal holds the proposer's side until it ends. */

/** As the trade desk's: ten minutes, or more blocks than a scenario takes. */
const lasting = (stage: Stage): string => stage.later(50, 600);
/** Ends while its scenario waits. */
export const SHORT_BLOCKS = 4;

const idOf = (outcome: Outcome): string => attribute(outcome, 'settlement.v1.EventProposed', 'id');

/** Whole shares against the stable coin, proposed by the seller. */
const trade = scenario('trade', 70, function* (stage) {
  const asset = anAsset(stage);
  const seller = aHolder(stage, asset, [ECONOMIC, INCOME, VOTE]);
  const buyer = stage.take(stage.random.pick(['trader', 'holder'] as const));
  const units = aPart(stage, asset, ECONOMIC, seller);
  const kinds = stage.random.oneIn(3) ? [ECONOMIC, INCOME, VOTE] : [ECONOMIC];
  const rights = kinds.map(
    (kindId): m.Leg => ({ out: true, right: { assetId: asset.id, kindId, units: UNIT } }),
  );
  const price: m.Leg = { out: false, coin: stable(stage, units / 100n + 1n) };
  const proposed = yield* send(
    seller,
    m.propose(seller, buyer, [...rights, price], lasting(stage), stage.random.bytes(32)),
  );
  yield* send(buyer, m.accept(buyer, idOf(proposed)));
});

/** Asked by the buyer, whose coins wait; what one side gives in several legs of a kind is one movement. */
const bid = scenario('bid', 20, function* (stage) {
  const asset = anAsset(stage);
  const seller = aHolder(stage, asset, [VOTE], 3n * UNIT);
  const buyer = stage.take('trader');
  const half: m.Leg = { out: false, right: { assetId: asset.id, kindId: VOTE, units: UNIT } };
  const legs: readonly m.Leg[] = [
    { out: true, coin: stable(stage, 40n) },
    { out: true, coin: gas(stage, 2n) },
    { out: true, coin: stable(stage, 2n) },
    half,
    half,
  ];
  const proposed = yield* send(buyer, m.propose(buyer, seller, legs, lasting(stage)));
  yield* send(seller, m.accept(seller, idOf(proposed)));
});

/** The next dividends go to the buyer: INCOME alone, against a coin. */
const sellStrip = scenario('sell a strip', 15, function* (stage) {
  const asset = anAsset(stage);
  const seller = aHolder(stage, asset, [INCOME]);
  const buyer = stage.take('trader');
  const legs: readonly m.Leg[] = [
    { out: true, right: { assetId: asset.id, kindId: INCOME, units: UNIT } },
    { out: false, coin: stable(stage, 300n) },
  ];
  const proposed = yield* send(seller, m.propose(seller, buyer, legs, lasting(stage)));
  yield* send(buyer, m.accept(buyer, idOf(proposed)));
});

function ends(by: 'proposer' | 'counterparty' | 'time'): Scenario {
  return scenario(`settlement ended by ${by}`, 8, function* (stage) {
    const asset = anAsset(stage);
    const proposer = aHolder(stage, asset, [ECONOMIC]);
    const counterparty = stage.take('trader');
    const legs: readonly m.Leg[] = [
      { out: true, right: { assetId: asset.id, kindId: ECONOMIC, units: UNIT } },
      { out: true, coin: stable(stage, 9n) },
      { out: false, coin: gas(stage, 11n) },
    ];
    const untilNs = stage.laterNs(SHORT_BLOCKS, 2);
    const expiry = by === 'time' ? stage.later(SHORT_BLOCKS, 2) : lasting(stage);
    const proposed = yield* send(proposer, m.propose(proposer, counterparty, legs, expiry));
    if (by === 'time') yield { kind: 'until', timeNs: untilNs };
    else {
      const actor = by === 'proposer' ? proposer : counterparty;
      yield* send(actor, m.cancel(actor, idOf(proposed)));
    }
  });
}

export const SETTLING: readonly Scenario[] = [
  trade,
  bid,
  sellStrip,
  ends('proposer'),
  ends('counterparty'),
  ends('time'),
];
