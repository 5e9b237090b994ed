import type { JsonObject } from 'strata-kit/proto-json';
import { ASSET_CODES } from '../../modules/asset/codes.ts';
import { ATTESTATION_CODES } from '../../modules/attestation/codes.ts';
import { PAYOUT_CODES } from '../../modules/payout/codes.ts';
import { RIGHTS_CODES } from '../../modules/rights/codes.ts';
import type { Account } from '../accounts.ts';
import * as m from '../messages.ts';
import { type Scenario, scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { type Refusal, refused, send } from '../step.ts';
import {
  aHolder,
  anAsset,
  ECONOMIC,
  free,
  gas,
  INCOME,
  launch,
  nextAssetId,
  REDEMPTION,
  stable,
  UNIT,
} from './parts.ts';

/** What asset, rights, payout and attestation refuse: one tx each. */

export type Attempt = readonly [signer: Account, refusal: Refusal, message: JsonObject];

export function attempt(name: string, what: (stage: Stage) => Attempt): Scenario {
  return scenario(`refused: ${name}`, 1, function* (stage) {
    yield* refused(...what(stage));
  });
}

const asset = (code: keyof typeof ASSET_CODES): Refusal => ['asset', ASSET_CODES[code]];
const rights = (code: keyof typeof RIGHTS_CODES): Refusal => ['rights', RIGHTS_CODES[code]];
const payout = (code: keyof typeof PAYOUT_CODES): Refusal => ['payout', PAYOUT_CODES[code]];
const attestation = (code: keyof typeof ATTESTATION_CODES): Refusal => [
  'attestation',
  ATTESTATION_CODES[code],
];

export const UNKNOWN_ASSET = 'ab'.repeat(32);

const ofAssets: readonly Scenario[] = [
  attempt('kinds of a bundle with different decimals', (stage) => {
    const issuer = stage.take('issuer');
    const kinds: readonly m.KindSpec[] = [
      { class: 'ECONOMIC', bundle: true, decimals: 6 },
      { class: 'INCOME', bundle: true, decimals: 2 },
    ];
    const fields = { kinds, settlementDenom: stage.parameters.stableDenom };
    return [issuer, asset('unequalDecimals'), m.createAsset(issuer, fields)];
  }),
  attempt('an asset without kinds', (stage) => {
    const issuer = stage.take('issuer');
    const fields = { kinds: [], settlementDenom: stage.parameters.stableDenom };
    return [issuer, asset('invalid'), m.createAsset(issuer, fields)];
  }),
  attempt('a record changed by another', (stage) => {
    const other = stage.take('holder');
    return [other, asset('unauthorized'), m.updateAsset(other, anAsset(stage).id, true, [])];
  }),
  attempt('an asset that is not there', (stage) => {
    const issuer = stage.take('issuer');
    return [issuer, asset('unknownAsset'), m.lockIssuance(issuer, UNKNOWN_ASSET)];
  }),
  attempt('a kind that is not there', (stage) => {
    const { id, issuer } = anAsset(stage);
    const to = { transferable: true, multiplier: 1n, bridgeable: false };
    return [stage.takeThis(issuer), asset('unknownKind'), m.updateKind(issuer, id, 99, to)];
  }),
];

const ofRights: readonly Scenario[] = [
  attempt('an asset id that is none', (stage) => {
    const issuer = stage.take('issuer');
    return [issuer, rights('invalid'), m.issue(issuer, 'no-id', ECONOMIC, issuer, UNIT)];
  }),
  attempt('issued by another', (stage) => {
    const other = stage.take('holder');
    return [other, rights('unauthorized'), m.issue(other, anAsset(stage).id, ECONOMIC, other, UNIT)];
  }),
  attempt('redeemed where nothing is redeemed', (stage) => {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [ECONOMIC]);
    return [holder, rights('notRedeemable'), m.redeem(holder, shared.id, ECONOMIC, 1n)];
  }),
  attempt('more units than there are', (stage) => {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [REDEMPTION]);
    const units = free(stage, shared, REDEMPTION, holder) + 10n ** 18n;
    return [holder, rights('insufficientUnits'), m.redeem(holder, shared.id, REDEMPTION, units)];
  }),
  attempt('no units', (stage) => {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [ECONOMIC]);
    const to = stage.anyone('trader', holder);
    return [holder, rights('invalidUnits'), m.transfer(holder, shared.id, ECONOMIC, to, 0n)];
  }),
  attempt('units to oneself', (stage) => {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [ECONOMIC]);
    return [holder, rights('sameAccount'), m.transfer(holder, shared.id, ECONOMIC, holder, UNIT)];
  }),
  scenario('refused: more units than numbers', 1, function* (stage) {
    const issuer = stage.take('issuer');
    const made = yield* launch(stage, {
      issuer,
      holders: [issuer],
      kinds: [{ class: 'VOTE' }],
      units: 2n ** 255n - 2n,
    });
    yield* send(issuer, m.issue(issuer, made.id, 0, issuer, 1n));
    yield* refused(issuer, rights('tooMuchSupply'), m.issue(issuer, made.id, 0, issuer, 1n));
  }),
  scenario('refused: units locked', 1, function* (stage) {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [ECONOMIC], 2n * UNIT);
    const to = stage.take('trader');
    const units = free(stage, shared, ECONOMIC, holder);
    const until = stage.later(3, 1);
    const legs = [{ out: true, right: { assetId: shared.id, kindId: ECONOMIC, units } }];
    yield* send(holder, m.propose(holder, to, legs, until));
    yield* refused(holder, rights('insufficientUnits'), m.transfer(holder, shared.id, ECONOMIC, to, 1n));
  }),
];

const ofPayouts: readonly Scenario[] = [
  attempt('a denom that may not be distributed', (stage) => {
    const payer = stage.take('trader');
    const strange = m.coin('strange', 5n);
    return [payer, payout('denomNotAllowed'), m.distribute(payer, anAsset(stage).id, ECONOMIC, strange)];
  }),
  scenario('refused: a dividend for nobody', 1, function* (stage) {
    const issuer = stage.take('issuer');
    const made = yield* launch(stage, { issuer, holders: [], kinds: [{ class: 'INCOME' }] });
    yield* refused(issuer, payout('noSupply'), m.distribute(issuer, made.id, 0, stable(stage, 9n)));
  }),
  attempt('a distribution of more than there is', (stage) => {
    const payer = stage.take('trader');
    const amount = stable(stage, 10n ** 30n);
    return [payer, payout('insufficientCoins'), m.distribute(payer, anAsset(stage).id, ECONOMIC, amount)];
  }),
  attempt('nothing to claim', (stage) => {
    const nobody = stage.take('operator');
    const { stableDenom } = stage.parameters;
    return [nobody, payout('nothingToClaim'), m.claim(nobody, anAsset(stage).id, ECONOMIC, stableDenom)];
  }),
  attempt('a route that is not there', (stage) => {
    const nobody = stage.take('operator');
    const { stableDenom } = stage.parameters;
    const ref = 'encumbrance/999999999';
    return [nobody, payout('unknownRoute'), m.claim(nobody, anAsset(stage).id, INCOME, stableDenom, ref)];
  }),
  attempt('a distribution of nothing', (stage) => {
    const payer = stage.take('trader');
    return [payer, payout('invalid'), m.distribute(payer, anAsset(stage).id, ECONOMIC, gas(stage, 0n))];
  }),
];

const ofAttestations: readonly Scenario[] = [
  attempt('an attestation without a type', (stage) => {
    const attester = stage.take('attester');
    const subject = stage.anyone('holder');
    return [attester, attestation('invalid'), m.attest(attester, subject, '', stage.later(9, 60))];
  }),
  attempt('an attestation that has expired', (stage) => {
    const attester = stage.take('attester');
    const subject = stage.anyone('holder');
    return [attester, attestation('expired'), m.attest(attester, subject, 'kyc', '2001-01-01T00:00:00Z')];
  }),
  scenario('refused: an attestation of another', 1, function* (stage) {
    const [attester, other] = [stage.take('attester'), stage.take('attester')];
    const subject = stage.anyone('holder');
    const type = stage.unique('kyc');
    yield* send(attester, m.attest(attester, subject, type, stage.later(99, 3_600)));
    yield* refused(other, attestation('notFound'), m.revokeAttestation(other, subject, type));
    yield* send(attester, m.revokeAttestation(attester, subject, type));
    yield* refused(attester, attestation('alreadyRevoked'), m.revokeAttestation(attester, subject, type));
  }),
];

/** All or nothing: the second message fails, and the first leaves no trace but in the fee. */
const halfway = scenario('refused: the second of two messages', 4, function* (stage) {
  const issuer = stage.take('issuer');
  const id = nextAssetId(stage, issuer);
  const fields = { kinds: [{ class: 'ECONOMIC' }], settlementDenom: stage.parameters.stableDenom } as const;
  yield* refused(
    issuer,
    asset('unknownKind'),
    m.createAsset(issuer, fields),
    m.updateKind(issuer, id, 7, { transferable: true, multiplier: 1n, bridgeable: true }),
  );
});

export const REFUSALS: readonly Scenario[] = [
  ...ofAssets,
  ...ofRights,
  ...ofPayouts,
  ...ofAttestations,
  halfway,
];
