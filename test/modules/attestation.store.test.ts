import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { attestationDerivation } from '../../src/modules/attestation/derivation.ts';
import { ATTESTATIONS } from '../../src/modules/attestation/tables.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';
import { deriveAll } from './support/derive.ts';
import { blockOf, columnsOf, tell } from './support/hand-written.ts';

describe('derivation of attestations', () => {
  it('keeps an expiry of any year that a timestamp has', () => {
    const about = { subject: 'ann', type: 'kyc', attester: 'bob' };
    const attested = (expiry: string) =>
      tell('attestation.v1.EventAttested', { ...about, expiry, evidence_hash: '' });
    const rows = deriveAll(
      [
        blockOf(1, attested('9999-12-31T23:59:59.999999999Z')),
        blockOf(2, tell('attestation.v1.EventRevoked', about)),
      ],
      { derivations: [attestationDerivation] },
    );
    expect(columnsOf(rows, ATTESTATIONS, ['height', 'expiry_ns', 'revoked'])).toEqual([
      ['1', '253402300799999999999', '0'],
      ['2', '253402300799999999999', '1'],
    ]);
  });
});

interface Attestation {
  readonly subject: string;
  readonly type: string;
  readonly attester: string;
  readonly expiry: string;
  readonly revoked: boolean;
}

describe('attestations', () => {
  let index: IndexedDevnet;
  let known: readonly Attestation[];
  beforeAll(async () => {
    index = await referenceWorld();
    known = (await index.query('attestation', 'Export')).attestations as unknown as Attestation[];
  }, 120_000);
  afterAll(() => index?.close());

  it('are those of the chain, for every subject', async () => {
    expect(known.length).toBeGreaterThan(3);
    expect(known.some(({ revoked }) => revoked)).toBe(true);
    for (const subject of new Set(known.map((each) => each.subject))) {
      const { attestations } = await index.api.get<{ attestations: Attestation[] }>(
        `/v1/accounts/${subject}/attestations`,
      );
      const told = attestations.map(({ type, attester, expiry, revoked }) => ({
        type,
        attester,
        expiry,
        revoked,
      }));
      const expected = known
        .filter((each) => each.subject === subject)
        .map(({ type, attester, expiry, revoked }) => ({ type, attester, expiry, revoked }));
      const key = (each: { type: string; attester: string }) => `${each.type} ${each.attester}`;
      const sorted = <T extends { type: string; attester: string }>(list: T[]) =>
        list.sort((a, b) => (key(a) < key(b) ? -1 : 1));
      expect(sorted(told)).toEqual(sorted(expected));
    }
  });

  it('are counted by attester and type', async () => {
    for (const attester of new Set(known.map((each) => each.attester))) {
      const { types } = await index.api.get<{ types: { type: string; issued: number; revoked: number }[] }>(
        `/v1/attesters/${attester}`,
      );
      const of = known.filter((each) => each.attester === attester);
      expect(types.reduce((sum, { issued }) => sum + issued, 0)).toBe(of.length);
      expect(types.reduce((sum, { revoked }) => sum + revoked, 0)).toBe(
        of.filter(({ revoked }) => revoked).length,
      );
    }
  });
});
