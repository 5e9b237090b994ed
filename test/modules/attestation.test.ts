import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type IndexedDevnet, openDevnetIndex } from '../support/devnet-index.ts';

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
    index = await openDevnetIndex({ blocks: 120 });
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
