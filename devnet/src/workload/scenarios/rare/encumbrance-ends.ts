import type { Account } from '../../accounts.ts';
import type { Asset } from '../../assets.ts';
import * as m from '../../messages.ts';
import { type Scenario, scenario } from '../../scenario.ts';
import type { Stage } from '../../stage.ts';
import { attribute, NotNow, type Steps, send } from '../../step.ts';
import { aHolder, anAsset, ECONOMIC, INCOME, stable, UNIT, VOTE } from '../parts.ts';

/** Encumbrances that end by time or by exercise, each after a part of it was released. */

/** Blocks until the expiry: a part is released before. */
const BLOCKS = 8;

interface Roles {
  readonly asset: Asset;
  readonly operator: Account;
  readonly releaser: Account;
}

function withRoles(stage: Stage): Roles {
  const asset = anAsset(stage);
  if (asset.operator === undefined || asset.releaser === undefined) throw new NotNow('no roles');
  return {
    asset,
    operator: stage.takeThis(asset.operator),
    releaser: stage.takeThis(asset.releaser),
  };
}

function* created(actor: Account, fields: m.EncumbranceFields): Steps<string> {
  return attribute(yield* send(actor, m.encumber(actor, fields)), 'encumbrance.v1.EventCreated', 'id');
}

const lienExercised = scenario('lien exercised', 2, function* (stage) {
  const { asset, operator, releaser } = withRoles(stage);
  const holder = aHolder(stage, asset, [ECONOMIC], 9n * UNIT);
  const beneficiary = stage.take('trader');
  const id = yield* created(operator, {
    kind: 'LIEN',
    assetId: asset.id,
    kindId: ECONOMIC,
    holder,
    beneficiary,
    units: 9n * UNIT,
    exercisable: true,
    evidence: stage.random.bytes(32),
  });
  yield* send(releaser, m.release(releaser, id, 2n * UNIT));
  yield* send(beneficiary, m.release(beneficiary, id, UNIT));
  yield* send(beneficiary, m.exercise(beneficiary, id));
});

const lienExpires = scenario('lien expires', 2, function* (stage) {
  const { asset, operator, releaser } = withRoles(stage);
  const holder = aHolder(stage, asset, [VOTE], 5n * UNIT);
  const untilNs = stage.laterNs(BLOCKS, 2);
  const id = yield* created(operator, {
    kind: 'LIEN',
    assetId: asset.id,
    kindId: VOTE,
    holder,
    beneficiary: operator,
    units: 5n * UNIT,
    expiry: stage.later(BLOCKS, 2),
    evidence: stage.random.bytes(32),
  });
  yield* send(releaser, m.release(releaser, id, 3n * UNIT));
  yield { kind: 'until', timeNs: untilNs };
});

/** By the issuer on a holder; the releaser lets go of a part. */
const lockupExpires = scenario('lockup by the issuer expires', 2, function* (stage) {
  const { asset, releaser } = withRoles(stage);
  const holder = aHolder(stage, asset, [ECONOMIC], 6n * UNIT);
  const issuer = stage.takeThis(asset.issuer);
  const untilNs = stage.laterNs(BLOCKS, 2);
  const id = yield* created(issuer, {
    kind: 'LOCKUP',
    assetId: asset.id,
    kindId: ECONOMIC,
    holder,
    units: 6n * UNIT,
    expiry: stage.later(BLOCKS, 2),
  });
  yield* send(releaser, m.release(releaser, id, UNIT));
  yield { kind: 'until', timeNs: untilNs };
});

/** By the holder, who takes a part back before the rest is free. */
const ownLockupExpires = scenario('lockup by the holder expires', 2, function* (stage) {
  const asset = anAsset(stage);
  const holder = aHolder(stage, asset, [INCOME], 6n * UNIT);
  const releasableNs = stage.laterNs(2, 1) + 1n;
  const untilNs = stage.laterNs(2 * BLOCKS, 4);
  const id = yield* created(holder, {
    kind: 'LOCKUP',
    assetId: asset.id,
    kindId: INCOME,
    holder,
    units: 6n * UNIT,
    holderReleaseAfter: stage.later(2, 1),
    expiry: stage.later(2 * BLOCKS, 4),
  });
  yield { kind: 'until', timeNs: releasableNs };
  yield* send(holder, m.release(holder, id, 2n * UNIT));
  yield { kind: 'until', timeNs: untilNs };
});

/** Income before, between and after a partial release, then after the end: some of it routed, some the holder's. */
function incomePledge(end: 'expires' | 'exercised'): Scenario {
  return scenario(`pledge of income ${end}`, 2, function* (stage) {
    const asset = anAsset(stage);
    const holder = aHolder(stage, asset, [INCOME], 40n * UNIT);
    const beneficiary = stage.take('trader');
    const payer = stage.take('liquidator');
    const { id } = asset;
    const denom = stage.parameters.stableDenom;
    const pay = m.distribute(payer, id, INCOME, stable(stage, 987_654_321n));
    const untilNs = stage.laterNs(BLOCKS, 2);
    const pledge = yield* created(holder, {
      kind: 'PLEDGE',
      assetId: id,
      kindId: INCOME,
      holder,
      beneficiary,
      units: 40n * UNIT,
      income: true,
      ...(end === 'exercised' ? { exercisable: true } : { expiry: stage.later(BLOCKS, 2) }),
    });
    yield* send(payer, pay);
    yield* send(beneficiary, m.release(beneficiary, pledge, 15n * UNIT));
    yield* send(payer, pay);
    if (end === 'exercised') yield* send(beneficiary, m.exercise(beneficiary, pledge));
    else yield { kind: 'until', timeNs: untilNs };
    yield* send(payer, pay);
    yield* send(beneficiary, m.claim(beneficiary, id, INCOME, denom, `encumbrance/${pledge}`));
    yield* send(holder, m.claim(holder, id, INCOME, denom));
  });
}

export const ENCUMBRANCE_ENDS: readonly Scenario[] = [
  lienExercised,
  lienExpires,
  lockupExpires,
  ownLockupExpires,
  incomePledge('expires'),
  incomePledge('exercised'),
];
