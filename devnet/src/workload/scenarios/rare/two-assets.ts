import type { Asset } from '../../assets.ts';
import * as m from '../../messages.ts';
import { type Scenario, scenario } from '../../scenario.ts';
import type { Stage } from '../../stage.ts';
import { attribute, NotNow, type Outcome, type Steps, send } from '../../step.ts';
import { launchShared } from '../launches.ts';
import { aHolder, ECONOMIC, free, gas, stable, UNIT, VOTE } from '../parts.ts';
import { SHORT_BLOCKS } from '../settling.ts';

/** Settlements that move units of two assets. */

const idOf = (outcome: Outcome): string => attribute(outcome, 'settlement.v1.EventProposed', 'id');
const lasting = (stage: Stage): string => stage.later(50, 600);
const right = (out: boolean, { id }: Asset, kindId: number, units: bigint): m.Leg => ({
  out,
  right: { assetId: id, kindId, units },
});

/** Of those that scenarios share; one is made where there are fewer. */
export function* twoAssets(stage: Stage): Steps<readonly [Asset, Asset]> {
  if (stage.assets.list().length < 2) yield* launchShared(stage);
  const [one, two] = stage.random.shuffle(stage.assets.list());
  if (one === undefined || two === undefined) throw new NotNow('fewer than two assets');
  return [stage.use(one), stage.use(two)];
}

/** Both from the seller, and one of them in two legs. */
const sold = scenario('settlement of two assets', 3, function* (stage) {
  const [one, two] = yield* twoAssets(stage);
  const seller = aHolder(stage, one, [ECONOMIC], 5n * UNIT, (who) => free(stage, two, VOTE, who) >= UNIT);
  const buyer = stage.take('trader');
  const legs = [
    right(true, one, ECONOMIC, UNIT),
    right(true, two, VOTE, UNIT),
    right(true, one, ECONOMIC, 2n * UNIT),
    { out: false, coin: stable(stage, 777n) },
  ];
  const proposed = yield* send(seller, m.propose(seller, buyer, legs, lasting(stage)));
  yield* send(buyer, m.accept(buyer, idOf(proposed)));
});

/** One for the other, and a coin to make them even. */
const swapped = scenario('settlement of one asset for another', 3, function* (stage) {
  const [one, two] = yield* twoAssets(stage);
  const proposer = aHolder(stage, one, [ECONOMIC], UNIT);
  const counterparty = aHolder(stage, two, [ECONOMIC], UNIT, (who) => who !== proposer);
  const legs = [
    right(true, one, ECONOMIC, UNIT),
    right(false, two, ECONOMIC, UNIT),
    { out: true, coin: gas(stage, 5n) },
  ];
  const proposed = yield* send(proposer, m.propose(proposer, counterparty, legs, lasting(stage)));
  yield* send(counterparty, m.accept(counterparty, idOf(proposed)));
});

const expires = scenario('settlement of two assets expires', 2, function* (stage) {
  const [one, two] = yield* twoAssets(stage);
  const proposer = aHolder(stage, one, [ECONOMIC], UNIT, (who) => free(stage, two, ECONOMIC, who) >= UNIT);
  const untilNs = stage.laterNs(SHORT_BLOCKS, 2);
  const legs = [right(true, two, ECONOMIC, UNIT), right(true, one, ECONOMIC, UNIT)];
  yield* send(
    proposer,
    m.propose(proposer, stage.anyone('trader', proposer), legs, stage.later(SHORT_BLOCKS, 2)),
  );
  yield { kind: 'until', timeNs: untilNs };
});

export const TWO_ASSETS: readonly Scenario[] = [sold, swapped, expires];
