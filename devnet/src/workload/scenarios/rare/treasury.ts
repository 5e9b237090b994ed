import { getEncumbrance } from '../../../modules/encumbrance/keeper.ts';
import { LOCKS, positionKey } from '../../../modules/rights/positions.ts';
import { pendingByAsset, settlements } from '../../../modules/settlement/records.ts';
import { numberKey } from '../../../state/state.ts';
import type { Account } from '../../accounts.ts';
import * as m from '../../messages.ts';
import { type Scenario, scenario } from '../../scenario.ts';
import type { Stage } from '../../stage.ts';
import { NotNow, send } from '../../step.ts';
import { treasuryOf } from '../../treasury.ts';
import { INCOME, UNIT } from '../parts.ts';

/** What accounts do with the records that the chain has made by itself. Each is played once. */

function takeNamed(stage: Stage, name: string): Account {
  const found = stage.accounts.find((account) => account.name === name);
  if (found === undefined) throw new NotNow(`no ${name}`);
  return stage.takeThis(found);
}

const accepts = scenario("the treasury's offer is accepted", 0, function* (stage) {
  const { assetId, trader: name } = treasuryOf(stage.parameters);
  const trader = takeNamed(stage, name);
  for (const [, id] of stage.reader.entries(pendingByAsset, `${assetId}/`)) {
    if (stage.reader.get(settlements, numberKey(id))?.counterparty !== trader.address) continue;
    yield* send(trader, m.accept(trader, String(id)));
    return;
  }
  throw new NotNow('no offer');
});

const exercises = scenario("the treasury's pledge is exercised", 0, function* (stage) {
  const { address, assetId, trader: name } = treasuryOf(stage.parameters);
  const trader = takeNamed(stage, name);
  for (const [key] of stage.reader.entries(LOCKS, `${positionKey(assetId, INCOME, address)}|encumbrance/`)) {
    const id = key.slice(key.lastIndexOf('/') + 1);
    if (getEncumbrance(stage.reader, BigInt(id))?.beneficiary !== trader.address) continue;
    yield* send(trader, m.release(trader, id, 30n * UNIT));
    yield* send(trader, m.exercise(trader, id));
    const { stableDenom } = stage.parameters;
    yield* send(trader, m.claim(trader, assetId, INCOME, stableDenom, `encumbrance/${id}`));
    return;
  }
  throw new NotNow('no pledge');
});

export const TREASURY: readonly Scenario[] = [accepts, exercises];
