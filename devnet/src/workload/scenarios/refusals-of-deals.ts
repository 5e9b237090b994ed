import { formatTimeNs } from 'strata-kit/time';
import { moduleAddress } from '../../app/address.ts';
import { ASSET_CODES } from '../../modules/asset/codes.ts';
import { DELEGATION_CODES } from '../../modules/delegation/codes.ts';
import { ENCUMBRANCE_CODES } from '../../modules/encumbrance/codes.ts';
import { PAYOUT_CODES } from '../../modules/payout/codes.ts';
import { SETTLEMENT_CODES } from '../../modules/settlement/codes.ts';
import type { Account } from '../accounts.ts';
import type { Asset } from '../assets.ts';
import * as m from '../messages.ts';
import { type Scenario, scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { attribute, cosmos, type Refusal, refused, send, sendAny } from '../step.ts';
import { aHolder, anAsset, ECONOMIC, free, INCOME, launch, stable, UNIT, VOTE } from './parts.ts';
import { attempt, UNKNOWN_ASSET } from './refusals.ts';

/** What settlement, encumbrance and delegation refuse. */

const settlement = (code: keyof typeof SETTLEMENT_CODES): Refusal => ['settlement', SETTLEMENT_CODES[code]];
const encumbrance = (code: keyof typeof ENCUMBRANCE_CODES): Refusal => [
  'encumbrance',
  ENCUMBRANCE_CODES[code],
];
const delegation = (code: keyof typeof DELEGATION_CODES): Refusal => ['delegation', DELEGATION_CODES[code]];

const NO_ID = '999999999';

const idIn = (outcome: Parameters<typeof attribute>[0], type: string): string =>
  attribute(outcome, type, 'id');

/** Ends between the next block and the one after it, when those come at their usual time. */
const inTwoBlocks = (stage: Stage): string => {
  const [next, after] = [stage.timeAfter(1), stage.timeAfter(2)];
  return formatTimeNs(next + ((after - next) * 3n) / 4n);
};

const right = (asset: Asset, kindId: number, units: bigint): m.Leg => ({
  out: true,
  right: { assetId: asset.id, kindId, units },
});

/** Somebody that nobody has a key of. */
const module = (stage: Stage): Pick<Account, 'address'> => ({
  address: moduleAddress(stage.parameters, 'settlement'),
});

const ofSettlements: readonly Scenario[] = [
  attempt('a settlement without legs', (stage) => {
    const [from, to] = [stage.take('holder'), stage.anyone('trader')];
    return [from, settlement('invalid'), m.propose(from, to, [], stage.later(50, 600))];
  }),
  attempt('a settlement that is not there', (stage) => {
    const to = stage.take('trader');
    return [to, settlement('notFound'), m.accept(to, NO_ID)];
  }),
  attempt('a settlement of an asset that is not there', (stage) => {
    const [from, to] = [stage.take('holder'), stage.anyone('trader')];
    const legs = [{ out: true, right: { assetId: UNKNOWN_ASSET, kindId: 0, units: 1n } }];
    return [from, settlement('unknownAsset'), m.propose(from, to, legs, stage.later(50, 600))];
  }),
  attempt('a settlement of more than there is', (stage) => {
    const shared = anAsset(stage);
    const from = aHolder(stage, shared, [ECONOMIC]);
    const to = stage.anyone('trader', from);
    const legs = [right(shared, ECONOMIC, 10n ** 30n)];
    return [from, settlement('insufficientUnits'), m.propose(from, to, legs, stage.later(50, 600))];
  }),
  attempt('a settlement with a module', (stage) => {
    const from = stage.take('holder');
    const legs = [{ out: true, coin: stable(stage, 1n) }];
    return [from, settlement('escrow'), m.propose(from, module(stage), legs, stage.later(50, 600))];
  }),
  scenario('refused: a settlement accepted by another, or without coins', 2, function* (stage) {
    const [from, to, other] = [stage.take('holder'), stage.take('trader'), stage.take('trader')];
    const legs: readonly m.Leg[] = [
      { out: true, coin: stable(stage, 1n) },
      { out: false, coin: stable(stage, 10n ** 30n) },
    ];
    const id = idIn(yield* send(from, m.propose(from, to, legs, stage.later(50, 600))), 'EventProposed');
    yield* refused(other, settlement('unauthorized'), m.accept(other, id));
    yield* refused(other, settlement('unauthorized'), m.cancel(other, id));
    yield* refused(to, settlement('insufficientCoins'), m.accept(to, id));
    yield* send(from, m.cancel(from, id));
    yield* refused(to, settlement('notPending'), m.accept(to, id));
  }),
  scenario('refused: a settlement that policy does not let pass', 2, function* (stage) {
    const [issuer, from, to] = [stage.take('issuer'), stage.take('holder'), stage.take('trader')];
    const asset = yield* launch(stage, { issuer, holders: [from] });
    const { id } = asset;
    const proposed = yield* send(from, m.propose(from, to, [right(asset, VOTE, UNIT)], stage.later(50, 900)));
    const accepted = m.accept(to, idIn(proposed, 'EventProposed'));
    yield* send(issuer, m.setPolicy(issuer, id, m.policy('CLOSED'), VOTE));
    yield* refused(to, settlement('policyDenied'), accepted);
    yield* send(
      issuer,
      m.updateKind(issuer, id, VOTE, { transferable: false, multiplier: 1n, bridgeable: false }),
    );
    yield* refused(to, settlement('notTransferable'), accepted);
    yield* send(from, m.cancel(from, idIn(proposed, 'EventProposed')));
  }),
  /** In the block that ends it: expired for the accept, and pending until the block's end. */
  scenario('refused: a settlement accepted too late', 2, function* (stage) {
    const [from, to] = [stage.take('holder'), stage.take('trader')];
    const legs = [{ out: true, coin: stable(stage, 1n) }];
    const proposed = yield* sendAny(cosmos(from, [m.propose(from, to, legs, inTwoBlocks(stage))]));
    if (proposed.code === 0) yield* sendAny(cosmos(to, [m.accept(to, idIn(proposed, 'EventProposed'))]));
  }),
];

function pledge(asset: Asset, holder: Account, beneficiary: Pick<Account, 'address'>): m.EncumbranceFields {
  return { kind: 'PLEDGE', assetId: asset.id, kindId: ECONOMIC, holder, beneficiary, units: UNIT };
}

const ofEncumbrances: readonly Scenario[] = [
  attempt('a pledge to oneself', (stage) => {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [ECONOMIC]);
    return [holder, encumbrance('invalid'), m.encumber(holder, pledge(shared, holder, holder))];
  }),
  attempt('an encumbrance that is not there', (stage) => {
    const holder = stage.take('holder');
    return [holder, encumbrance('notFound'), m.exercise(holder, NO_ID)];
  }),
  attempt('a pledge by another', (stage) => {
    const shared = anAsset(stage);
    const [other, holder] = [stage.take('operator'), stage.anyone('holder')];
    const fields = pledge(shared, holder, stage.anyone('trader'));
    return [other, encumbrance('unauthorized'), m.encumber(other, fields)];
  }),
  attempt('a pledge of an asset that is not there', (stage) => {
    const holder = stage.take('holder');
    const fields = { ...pledge(anAsset(stage), holder, stage.anyone('trader')), assetId: UNKNOWN_ASSET };
    return [holder, encumbrance('unknownAsset'), m.encumber(holder, fields)];
  }),
  attempt('a pledge of more than there is', (stage) => {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [ECONOMIC]);
    const fields = { ...pledge(shared, holder, stage.anyone('trader', holder)), units: 10n ** 30n };
    return [holder, encumbrance('insufficientUnits'), m.encumber(holder, fields)];
  }),
  attempt('a pledge to a module', (stage) => {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [ECONOMIC]);
    return [holder, encumbrance('escrow'), m.encumber(holder, pledge(shared, holder, module(stage)))];
  }),
  scenario('refused: a lien without evidence, or where none is allowed', 2, function* (stage) {
    const [issuer, operator, holder] = [stage.take('issuer'), stage.take('operator'), stage.take('holder')];
    const asset = yield* launch(stage, { issuer, operator, holders: [holder], liensAllowed: true });
    const lien: m.EncumbranceFields = { ...pledge(asset, holder, operator), kind: 'LIEN' };
    yield* refused(operator, encumbrance('evidenceMissing'), m.encumber(operator, lien));
    yield* send(issuer, m.updateAsset(issuer, asset.id, false, []));
    const evident = { ...lien, evidence: stage.random.bytes(32) };
    yield* refused(operator, encumbrance('liensNotAllowed'), m.encumber(operator, evident));
  }),
  scenario('refused: a pledge released and exercised by the wrong ones', 2, function* (stage) {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [ECONOMIC]);
    const [beneficiary, other] = [stage.take('trader'), stage.take('operator')];
    const made = yield* send(holder, m.encumber(holder, pledge(shared, holder, beneficiary)));
    const id = idIn(made, 'encumbrance.v1.EventCreated');
    yield* refused(holder, encumbrance('tooEarly'), m.release(holder, id, UNIT));
    yield* refused(other, encumbrance('unauthorized'), m.release(other, id, UNIT));
    yield* refused(beneficiary, encumbrance('notExercisable'), m.exercise(beneficiary, id));
    yield* send(beneficiary, m.release(beneficiary, id, UNIT));
    yield* refused(beneficiary, encumbrance('notActive'), m.release(beneficiary, id, UNIT));
  }),
  /** In the block that ends it. */
  scenario('refused: a pledge exercised too late', 2, function* (stage) {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [ECONOMIC]);
    const beneficiary = stage.take('trader');
    const fields = { ...pledge(shared, holder, beneficiary), exercisable: true, expiry: inTwoBlocks(stage) };
    const made = yield* sendAny(cosmos(holder, [m.encumber(holder, fields)]));
    if (made.code !== 0) return;
    yield* sendAny(cosmos(beneficiary, [m.exercise(beneficiary, idIn(made, 'encumbrance.v1.EventCreated'))]));
  }),
  scenario('refused: income of a pledge claimed by another', 2, function* (stage) {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [INCOME]);
    const [beneficiary, other] = [stage.take('trader'), stage.take('operator')];
    const fields = { ...pledge(shared, holder, beneficiary), kindId: INCOME, income: true };
    const id = idIn(yield* send(holder, m.encumber(holder, fields)), 'encumbrance.v1.EventCreated');
    const { stableDenom } = stage.parameters;
    const theirs = m.claim(other, shared.id, INCOME, stableDenom, `encumbrance/${id}`);
    yield* refused(other, ['payout', PAYOUT_CODES.unauthorized], theirs);
    yield* send(beneficiary, m.release(beneficiary, id, UNIT));
  }),
];

const ofDelegations: readonly Scenario[] = [
  attempt('a delegation to oneself', (stage) => {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [VOTE]);
    const until = stage.later(50, 600);
    return [
      holder,
      delegation('invalid'),
      m.delegate(holder, shared.id, VOTE, 1n, holder, until, ['VOTE'], true),
    ];
  }),
  attempt('a delegation that is not there', (stage) => {
    const to = stage.take('delegate');
    return [to, delegation('notFound'), m.returnDelegation(to, NO_ID)];
  }),
  attempt('a delegation of an asset that is not there', (stage) => {
    const [holder, to] = [stage.take('holder'), stage.anyone('delegate')];
    const message = m.delegate(holder, UNKNOWN_ASSET, 0, 1n, to, stage.later(50, 600), ['VOTE'], true);
    return [holder, delegation('unknownAsset'), message];
  }),
  attempt('a delegation of more than there is', (stage) => {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [VOTE]);
    const units = free(stage, shared, VOTE, holder) + 10n ** 20n;
    const to = stage.anyone('delegate');
    const message = m.delegate(holder, shared.id, VOTE, units, to, stage.later(50, 600), ['VOTE'], true);
    return [holder, delegation('insufficientUnits'), message];
  }),
  attempt('a delegation to a module', (stage) => {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [VOTE]);
    const until = stage.later(50, 600);
    const message = m.delegate(holder, shared.id, VOTE, 1n, module(stage) as Account, until, ['VOTE'], true);
    return [holder, delegation('escrow'), message];
  }),
  scenario('refused: a delegation ended by the wrong ones', 2, function* (stage) {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [VOTE]);
    const [to, other] = [stage.take('delegate'), stage.take('operator')];
    const made = yield* send(
      holder,
      m.delegate(holder, shared.id, VOTE, UNIT, to, stage.later(500, 9_000), ['VOTE'], false),
    );
    const id = idIn(made, 'EventDelegated');
    yield* refused(holder, delegation('notRevocable'), m.revokeDelegation(holder, id));
    yield* refused(other, delegation('unauthorized'), m.returnDelegation(other, id));
    yield* send(to, m.returnDelegation(to, id));
    yield* refused(to, delegation('ended'), m.returnDelegation(to, id));
  }),
  scenario('refused: encumbrances and delegations of an asset in liquidation', 2, function* (stage) {
    const [issuer, holder] = [stage.take('issuer'), stage.take('liquidator')];
    const asset = yield* launch(stage, { issuer, holders: [holder] });
    const { id } = asset;
    const to = stage.anyone('delegate');
    yield* send(
      issuer,
      m.setWaterfall(issuer, id, [{ tier: 1, kind: 0, cap: 0n }]),
      m.beginLiquidation(issuer, id, stage.parameters.stableDenom),
    );
    yield* refused(holder, encumbrance('assetNotActive'), m.encumber(holder, pledge(asset, holder, issuer)));
    yield* refused(
      holder,
      delegation('assetNotActive'),
      m.delegate(holder, id, VOTE, 1n, to, stage.later(50, 600), ['VOTE'], true),
    );
    yield* refused(issuer, ['rights', ASSET_CODES.notActive], m.issue(issuer, id, VOTE, issuer, 1n));
  }),
];

export const REFUSALS_OF_DEALS: readonly Scenario[] = [...ofSettlements, ...ofEncumbrances, ...ofDelegations];
