import { ASSET_CODES } from '../../modules/asset/codes.ts';
import { RIGHTS_CODES } from '../../modules/rights/codes.ts';
import * as m from '../messages.ts';
import { type Scenario, scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { refused, type Steps, send } from '../step.ts';
import { anAsset, launch, SHARE_KINDS, stable, UNIT } from './parts.ts';

/** Assets are made: those that the others work with, one of each template, and one whose whole record changes. */

/** Shared assets come first, as most scenarios need one. */
export function* launchShared(stage: Stage): Steps {
  const issuer = stage.take('issuer');
  const operator = stage.anyone('operator');
  const releaser = stage.anyone('releaser');
  const investors = stage.random.shuffle([
    ...stage.accounts.filter(({ role }) => role === 'holder').slice(0, 16),
    ...stage.accounts.filter(({ role }) => role === 'trader'),
  ]);
  const asset = yield* launch(stage, {
    issuer,
    operator,
    releaser,
    holders: [issuer, ...investors.slice(0, 3)],
    liensAllowed: true,
    units: 100_000n * UNIT,
  });
  yield* send(
    issuer,
    ...investors
      .slice(3, 9)
      .flatMap((holder) =>
        SHARE_KINDS.map((_, kind) => m.issue(issuer, asset.id, kind, holder, 50_000n * UNIT)),
      ),
  );
  stage.assets.add(asset);
}

type Template = readonly [name: string, kinds: (stage: Stage) => readonly m.KindSpec[]];

/** api.md, section 4: launchpad. */
const TEMPLATES: readonly Template[] = [
  ['community', () => [{ class: 'ECONOMIC', bundle: true }]],
  [
    'dividend',
    () => [
      { class: 'ECONOMIC', bundle: true },
      { class: 'INCOME', bundle: true },
    ],
  ],
  [
    'bond',
    (stage) => [
      { class: 'REDEMPTION', decimals: 0 },
      ...[1, 2].map(
        (coupon): m.KindSpec => ({
          class: 'INCOME',
          decimals: 2,
          term: {
            starts_at: stage.later(coupon, 3_600 * coupon),
            ends_at: stage.later(2 * coupon, 7_200 * coupon),
          },
        }),
      ),
    ],
  ],
];

/** Creates, issues and locks in one tx, as the launch wizard does, then pays a first dividend. */
function launchTemplate([name, kinds]: Template): Scenario {
  return scenario(`launch ${name}`, 1, function* (stage) {
    const issuer = stage.take('issuer');
    const holders = [stage.anyone('holder'), stage.anyone('trader')];
    const asset = yield* launch(stage, {
      issuer,
      holders,
      kinds: kinds(stage),
      units: 7n * UNIT + 1n,
      also: (id) => [m.lockIssuance(issuer, id)],
    });
    yield* refused(issuer, ['rights', RIGHTS_CODES.issuanceLocked], m.issue(issuer, asset.id, 0, issuer, 1n));
    yield* send(issuer, m.distribute(issuer, asset.id, asset.kinds.length - 1, stable(stage, 1_000_003n)));
  });
}

/** Every field of the record that its issuer may change. */
const changingRecord = scenario('an asset changes', 2, function* (stage) {
  const issuer = stage.take('issuer');
  const holder = stage.take('holder');
  const to = stage.anyone('holder', holder);
  const asset = yield* launch(stage, { issuer, holders: [holder] });
  const { id } = asset;
  yield* send(issuer, m.setRoles(issuer, id, stage.anyone('operator'), stage.anyone('releaser')));
  yield* send(issuer, m.updateAsset(issuer, id, true, []));
  yield* refused(issuer, ['payout', 4], m.distribute(issuer, id, 0, m.coin(stage.parameters.gasDenom, 5n)));
  yield* send(
    issuer,
    m.updateKind(issuer, id, 0, { transferable: false, multiplier: 10n, bridgeable: false }),
  );
  yield* refused(holder, ['rights', ASSET_CODES.notTransferable], m.transfer(holder, id, 0, to, UNIT));
  yield* send(issuer, m.updateKind(issuer, id, 0, { transferable: true, multiplier: 10n, bridgeable: true }));
  yield* send(holder, m.transfer(holder, id, 0, to, UNIT));
  yield* send(issuer, m.lockIssuance(issuer, id));
  yield* refused(issuer, ['asset', ASSET_CODES.issuanceLocked], m.lockIssuance(issuer, id));
});

/** Who may receive: the asset's policy, a kind's own, attestations that come, expire and are revoked. */
const policies = scenario('policies', 4, function* (stage) {
  const issuer = stage.take('issuer');
  const holder = stage.take('holder');
  const attester = stage.take('attester');
  const other = stage.take('attester');
  const to = stage.anyone('trader');
  const [kyc, region] = [stage.unique('kyc'), stage.unique('region')];
  const asset = yield* launch(stage, { issuer, holders: [holder, issuer] });
  const { id } = asset;
  const denied = ['rights', ASSET_CODES.policyDenied] as const;
  const give = (kind: number) => m.transfer(holder, id, kind, to, UNIT);

  yield* send(issuer, m.setPolicy(issuer, id, m.policy('ATTESTED', [kyc, region], [attester, other])));
  yield* refused(holder, denied, give(0));
  yield* send(attester, m.attest(attester, to, kyc, stage.later(200, 86_400), stage.random.bytes(32)));
  yield* refused(holder, denied, give(0));
  const until = stage.laterNs(6, 30);
  yield* send(other, m.attest(other, to, region, stage.later(6, 30)));
  yield* send(holder, give(0));
  yield { kind: 'until', timeNs: stage.blockBefore(until) };
  yield* refused(holder, denied, give(0));
  // a second attestation takes the place of the first
  yield* send(other, m.attest(other, to, region, stage.later(300, 86_400), stage.random.bytes(32)));
  yield* send(holder, give(0));
  yield* send(attester, m.revokeAttestation(attester, to, kyc));
  yield* refused(holder, denied, give(0));

  yield* send(issuer, m.setPolicy(issuer, id, m.policy('CLOSED'), 1));
  yield* refused(holder, denied, give(1));
  yield* send(issuer, m.transfer(issuer, id, 1, to, UNIT));
  yield* send(issuer, m.setPolicy(issuer, id, m.policy('OPEN'), 1));
  yield* send(holder, give(1));
  yield* send(issuer, m.setPolicy(issuer, id, undefined, 1));
  yield* refused(holder, denied, give(1));
});

const moreUnits = scenario('issue more', 12, function* (stage) {
  const asset = anAsset(stage);
  const issuer = stage.takeThis(asset.issuer);
  const kind = stage.random.below(asset.kinds.length);
  const to = stage.anyone(stage.random.pick(['holder', 'trader', 'bridge user'] as const));
  yield* send(issuer, m.issue(issuer, asset.id, kind, to, BigInt(stage.random.between(1, 500)) * UNIT));
});

export const LAUNCHES: readonly Scenario[] = [
  scenario('launch shared', 2, launchShared),
  ...TEMPLATES.map(launchTemplate),
  changingRecord,
  policies,
  moreUnits,
];
