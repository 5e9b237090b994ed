import * as m from '../messages.ts';
import { type Scenario, scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { attribute, NotNow, type Outcome, send } from '../step.ts';
import { aHolder, anAsset, ECONOMIC, INCOME, stable, UNIT, VOTE } from './parts.ts';
import { SHORT_BLOCKS } from './settling.ts';

/** Pledges, liens and lockups by everyone who may make, release and exercise them; and delegations in every end. */

const idOf = (outcome: Outcome): string => attribute(outcome, 'encumbrance.v1.EventCreated', 'id');
const delegationOf = (outcome: Outcome): string => attribute(outcome, 'delegation.v1.EventDelegated', 'id');
const lasting = (stage: Stage): string => stage.later(500, 86_400);

/** Income of pledged units goes to the beneficiary, also after a part was released and the pledge has ended. */
const incomePledge = scenario('pledge of income', 12, function* (stage) {
  const asset = anAsset(stage);
  const holder = aHolder(stage, asset, [INCOME], 100n * UNIT);
  const beneficiary = stage.take('trader');
  const issuer = stage.takeThis(asset.issuer);
  const { id } = asset;
  const fields = { assetId: id, kindId: INCOME, holder, beneficiary };
  const pledge = idOf(
    yield* send(holder, m.encumber(holder, { kind: 'PLEDGE', ...fields, units: 50n * UNIT, income: true })),
  );
  const pay = m.distribute(issuer, id, INCOME, stable(stage, 777_777_777n));
  const take = m.claim(beneficiary, id, INCOME, stage.parameters.stableDenom, `encumbrance/${pledge}`);
  yield* send(issuer, pay);
  yield* send(beneficiary, take);
  yield* send(beneficiary, m.release(beneficiary, pledge, 20n * UNIT));
  yield* send(issuer, pay);
  yield* send(beneficiary, m.release(beneficiary, pledge, 30n * UNIT));
  yield* send(beneficiary, take);
});

/** The whole rest goes to the beneficiary, whatever the policy. */
const exercised = scenario('pledge exercised', 8, function* (stage) {
  const asset = anAsset(stage);
  const holder = aHolder(stage, asset, [ECONOMIC], 20n * UNIT);
  const beneficiary = stage.take('trader');
  const fields = { assetId: asset.id, kindId: ECONOMIC, holder, beneficiary, units: 10n * UNIT };
  const created = yield* send(
    holder,
    m.encumber(holder, {
      kind: 'PLEDGE',
      ...fields,
      exercisable: true,
      income: stage.random.oneIn(2),
      expiry: lasting(stage),
    }),
  );
  const pledge = idOf(created);
  yield* send(beneficiary, m.release(beneficiary, pledge, UNIT));
  yield* send(beneficiary, m.exercise(beneficiary, pledge));
});

const expires = scenario('pledge expires', 8, function* (stage) {
  const asset = anAsset(stage);
  const holder = aHolder(stage, asset, [ECONOMIC], 2n * UNIT);
  const untilNs = stage.laterNs(SHORT_BLOCKS, 2);
  yield* send(
    holder,
    m.encumber(holder, {
      kind: 'PLEDGE',
      assetId: asset.id,
      kindId: ECONOMIC,
      holder,
      beneficiary: stage.anyone('trader', holder),
      units: UNIT,
      income: true,
      expiry: stage.later(SHORT_BLOCKS, 2),
    }),
  );
  yield { kind: 'until', timeNs: untilNs };
});

/** By the operator, with evidence; taken off by the releaser. */
const lien = scenario('lien', 8, function* (stage) {
  const asset = anAsset(stage);
  if (asset.operator === undefined || asset.releaser === undefined) throw new NotNow('no roles');
  const operator = stage.takeThis(asset.operator);
  const releaser = stage.takeThis(asset.releaser);
  const holder = aHolder(stage, asset, [ECONOMIC], 2n * UNIT);
  const created = yield* send(
    operator,
    m.encumber(operator, {
      kind: 'LIEN',
      assetId: asset.id,
      kindId: ECONOMIC,
      holder,
      beneficiary: operator,
      units: UNIT,
      evidence: stage.random.bytes(32),
    }),
  );
  yield* send(releaser, m.release(releaser, idOf(created), UNIT));
});

/** By the issuer on a holder, or by the holder; released by the holder once its time has come. */
function lockup(by: 'issuer' | 'holder'): Scenario {
  return scenario(`lockup by the ${by}`, 6, function* (stage) {
    const asset = anAsset(stage);
    const holder = aHolder(stage, asset, [VOTE], 5n * UNIT);
    const actor = by === 'issuer' ? stage.takeThis(asset.issuer) : holder;
    const untilNs = stage.laterNs(SHORT_BLOCKS, 2) + 1n;
    const created = yield* send(
      actor,
      m.encumber(actor, {
        kind: 'LOCKUP',
        assetId: asset.id,
        kindId: VOTE,
        holder,
        units: 4n * UNIT,
        holderReleaseAfter: stage.later(SHORT_BLOCKS, 2),
      }),
    );
    yield { kind: 'until', timeNs: untilNs };
    yield* send(holder, m.release(holder, idOf(created), UNIT));
    yield* send(holder, m.release(holder, idOf(created), 3n * UNIT));
  });
}

function delegation(end: 'revoked' | 'returned' | 'expired'): Scenario {
  return scenario(`delegation ${end}`, 6, function* (stage) {
    const asset = anAsset(stage);
    const kind = end === 'expired' ? INCOME : VOTE;
    const holder = aHolder(stage, asset, [kind], 5n * UNIT);
    const to = stage.take('delegate');
    const untilNs = stage.laterNs(SHORT_BLOCKS, 2);
    const until = end === 'expired' ? stage.later(SHORT_BLOCKS, 2) : lasting(stage);
    const purposes = end === 'expired' ? (['INCOME'] as const) : (['VOTE', 'INCOME'] as const);
    const made = yield* send(
      holder,
      m.delegate(holder, asset.id, kind, UNIT, to, until, purposes, end === 'revoked'),
    );
    if (end === 'revoked') yield* send(holder, m.revokeDelegation(holder, delegationOf(made)));
    else if (end === 'returned') yield* send(to, m.returnDelegation(to, delegationOf(made)));
    else yield { kind: 'until', timeNs: untilNs };
  });
}

/** Votes that stay delegated for long: accounts have a voting power that is not their own. */
const lastingVote = scenario('lasting delegation', 2, function* (stage) {
  const asset = anAsset(stage);
  const holder = aHolder(stage, asset, [VOTE], 50n * UNIT);
  const to = stage.anyone('delegate');
  yield* send(
    holder,
    m.delegate(holder, asset.id, VOTE, UNIT, to, stage.later(5_000, 864_000), ['VOTE'], true),
  );
});

const attested = scenario('attest', 25, function* (stage) {
  const attester = stage.take('attester');
  const subject = stage.anyone(stage.random.pick(['holder', 'trader', 'bridge user'] as const));
  const type = stage.random.pick(['kyc', 'accredited', 'region-eu', 'sanctions-clear']);
  const evidence = stage.random.oneIn(2) ? stage.random.bytes(32) : undefined;
  yield* send(attester, m.attest(attester, subject, type, lasting(stage), evidence));
  if (stage.random.oneIn(3)) yield* send(attester, m.revokeAttestation(attester, subject, type));
});

export const ENCUMBERING: readonly Scenario[] = [
  incomePledge,
  exercised,
  expires,
  lien,
  lockup('issuer'),
  lockup('holder'),
  delegation('revoked'),
  delegation('returned'),
  delegation('expired'),
  lastingVote,
  attested,
];
