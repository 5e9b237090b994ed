import type { JsonObject } from 'strata-kit/proto-json';
import { describe, expect, it } from 'vitest';
import { getAsset, requireAsset, requireKind } from '../../src/modules/asset/keeper.ts';
import { denial, requirePolicy } from '../../src/modules/asset/policy.ts';
import { address, createContext, time } from '../support/context.ts';
import { createAsset, createModules, type Modules } from '../support/modules.ts';

/** Who may give to whom (modules.md, section 4), and in which words it is denied. */

const ISSUER = address(0x11);
const ADA = address(1);
const BEN = address(2);
const KYC = address(0xa1);
const NOTARY = address(0xa2);
const STRANGER = address(0xa3);
const ID = '472937304b8fe0f9b158105de5a16c5a36f7e42c39dc03b3c0eef0e90960a38a';
const AT = `policy denied: asset/${ID}/kind/0`;

const OPEN = { mode: 'POLICY_MODE_OPEN' };
const CLOSED = { mode: 'POLICY_MODE_CLOSED' };
const ATTESTED = {
  mode: 'POLICY_MODE_ATTESTED',
  required_types: ['kyc', 'accredited'],
  attesters: [KYC, NOTARY],
};

function chain(policy: JsonObject, override?: JsonObject): Modules {
  const modules = createModules();
  createAsset(modules, ISSUER, { policy });
  if (override !== undefined) setPolicy(modules, { kind_id: 0, policy: override });
  return modules;
}

function setPolicy(modules: Modules, fields: JsonObject): void {
  modules.send('asset.MsgSetPolicy', { issuer: ISSUER, asset_id: ID, ...fields });
}

function attest(modules: Modules, attester: string, type: string, change: JsonObject = {}): void {
  const message = { attester, subject: BEN, type, expiry: '2026-02-01T00:00:00Z', ...change };
  modules.send('attestation.MsgAttest', message);
}

function denied({ context }: Modules, from: string, to: string): string | undefined {
  const asset = requireAsset(context, ID);
  return denial(context, asset, requireKind(asset, 0), from, to);
}

describe('a policy', () => {
  it.each<readonly [string, JsonObject, JsonObject | undefined, string, string | undefined]>([
    ['OPEN lets anyone', OPEN, undefined, ADA, undefined],
    ['CLOSED lets the issuer', CLOSED, undefined, ISSUER, undefined],
    ['CLOSED denies a holder', CLOSED, undefined, ADA, `${AT}/CLOSED/sender`],
    ['ATTESTED denies who has none', ATTESTED, undefined, ADA, `${AT}/ATTESTED/kyc/recipient`],
    ['ATTESTED denies the issuer too', ATTESTED, undefined, ISSUER, `${AT}/ATTESTED/kyc/recipient`],
    ['an override opens', CLOSED, OPEN, ADA, undefined],
    ['an override closes', OPEN, CLOSED, ADA, `${AT}/override/CLOSED/sender`],
    ['an override asks', OPEN, ATTESTED, ADA, `${AT}/override/ATTESTED/kyc/recipient`],
  ])('%s', (_, policy, override, from, text) => {
    expect(denied(chain(policy, override), from, BEN)).toBe(text);
  });

  it('without its override is the asset’s again', () => {
    const modules = chain(CLOSED, OPEN);
    setPolicy(modules, { kind_id: 0 });
    expect(denied(modules, ADA, BEN)).toBe(`${AT}/CLOSED/sender`);
    setPolicy(modules, { policy: OPEN });
    expect(denied(modules, ADA, BEN)).toBeUndefined();
  });

  it('names the first type that is missing, in its own order', () => {
    const modules = chain(ATTESTED);
    attest(modules, KYC, 'kyc');
    expect(denied(modules, ADA, BEN)).toBe(`${AT}/ATTESTED/accredited/recipient`);
    modules.send('attestation.MsgRevoke', { attester: KYC, subject: BEN, type: 'kyc' });
    attest(modules, KYC, 'accredited');
    expect(denied(modules, ADA, BEN)).toBe(`${AT}/ATTESTED/kyc/recipient`);
    attest(modules, NOTARY, 'kyc');
    expect(denied(modules, ADA, BEN)).toBeUndefined();
  });

  it('takes live attestations of accepted attesters alone', () => {
    const modules = chain(ATTESTED);
    attest(modules, KYC, 'accredited');
    attest(modules, STRANGER, 'kyc');
    expect(denied(modules, ADA, BEN)).toBe(`${AT}/ATTESTED/kyc/recipient`);
    attest(modules, KYC, 'kyc', { expiry: '2026-01-02T00:00:00Z' });
    modules.context.timeNs = time('2026-01-01T23:59:59.999999999Z');
    expect(denied(modules, ADA, BEN)).toBeUndefined();
    modules.context.timeNs = time('2026-01-02T00:00:00Z');
    expect(denied(modules, ADA, BEN)).toBe(`${AT}/ATTESTED/kyc/recipient`);
    attest(modules, NOTARY, 'kyc');
    expect(denied(modules, ADA, BEN)).toBeUndefined();
    modules.send('attestation.MsgRevoke', { attester: NOTARY, subject: BEN, type: 'kyc' });
    expect(denied(modules, ADA, BEN)).toBe(`${AT}/ATTESTED/kyc/recipient`);
  });

  it('is refused under the module’s code', () => {
    const { context } = chain(CLOSED);
    const asset = requireAsset(context, ID);
    expect(context.refusal(() => requirePolicy(context, asset, requireKind(asset, 0), ADA, BEN))).toBe(
      `asset/23: ${AT}/CLOSED/sender`,
    );
    requirePolicy(context, asset, requireKind(asset, 0), ISSUER, BEN);
    expect(getAsset(createContext().state, ID)).toBeUndefined();
  });
});

describe('attestations', () => {
  it('say what they are, and what takes their place', () => {
    const modules = createModules();
    const evidence = Buffer.alloc(32, 9).toString('base64');
    attest(modules, KYC, 'kyc', { expiry: '2026-02-01T00:00:00.25Z', evidence_hash: evidence });
    attest(modules, NOTARY, 'kyc');
    modules.send('attestation.MsgRevoke', { attester: KYC, subject: BEN, type: 'kyc' });
    expect(modules.events()).toEqual([
      {
        type: 'attestation.EventAttested',
        fields: {
          subject: BEN,
          type: 'kyc',
          attester: KYC,
          expiry: '2026-02-01T00:00:00.250Z',
          evidence_hash: 'CQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQk=',
        },
      },
      {
        type: 'attestation.EventAttested',
        fields: {
          subject: BEN,
          type: 'kyc',
          attester: NOTARY,
          expiry: '2026-02-01T00:00:00Z',
          evidence_hash: '',
        },
      },
      { type: 'attestation.EventRevoked', fields: { subject: BEN, type: 'kyc', attester: KYC } },
    ]);
    const one = { subject: BEN, type: 'kyc', attester: KYC };
    expect(modules.query('attestation.Attestation', one).attestation).toMatchObject({ revoked: true });
    attest(modules, KYC, 'kyc');
    expect(modules.query('attestation.Attestation', one).attestation).toEqual({
      ...one,
      expiry: '2026-02-01T00:00:00Z',
      evidence_hash: '',
      revoked: false,
    });
    expect(modules.query('attestation.Attestations', { subject: BEN }).attestations).toHaveLength(2);
    expect(modules.query('attestation.Attestations', { subject: ADA }).attestations).toEqual([]);
  });

  const revoke = { attester: KYC, subject: BEN, type: 'kyc' };
  it.each<readonly [string, string, JsonObject, string]>([
    ['a missing expiry', 'MsgAttest', { expiry: null }, 'attestation/4: expiry: missing'],
    [
      'an expiry that has come',
      'MsgAttest',
      { expiry: '2026-01-01T00:00:00Z' },
      "attestation/4: expiry: 2026-01-01T00:00:00Z is not after the block's time",
    ],
    ['no type', 'MsgAttest', { type: '' }, 'attestation/2: type: not 1 to 64'],
    ['a type with a slash', 'MsgAttest', { type: 'a/b' }, 'attestation/2: type: not 1 to 64'],
    ['a wrong subject', 'MsgAttest', { subject: 'nobody' }, 'attestation/2: subject: not an address'],
    [
      'evidence of 5 bytes',
      'MsgAttest',
      { evidence_hash: 'AAAAAAA=' },
      'attestation/2: evidence_hash: 5 bytes',
    ],
    [
      'a revocation of nothing',
      'MsgRevoke',
      { type: 'other' },
      `attestation/3: no attestation of ${BEN}, other`,
    ],
    ['a revocation by another', 'MsgRevoke', { attester: NOTARY }, 'attestation/3: no attestation of'],
  ])('refuse %s', (_, message, change, text) => {
    const modules = createModules();
    attest(modules, KYC, 'kyc');
    const sound = message === 'MsgAttest' ? { ...revoke, expiry: '2026-02-01T00:00:00Z' } : revoke;
    expect(modules.refused(`attestation.${message}`, { ...sound, ...change })).toContain(text);
  });

  it('are revoked once', () => {
    const modules = createModules();
    attest(modules, KYC, 'kyc');
    modules.send('attestation.MsgRevoke', revoke);
    expect(modules.refused('attestation.MsgRevoke', revoke)).toBe(
      `attestation/5: the attestation of ${BEN}, kyc, by ${KYC} is revoked already`,
    );
  });
});
