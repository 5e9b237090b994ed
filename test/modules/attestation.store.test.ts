import { parseTimeNs } from 'strata-kit/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RouteContext } from '../../src/api/route.ts';
import { attesterRoute } from '../../src/modules/attestation/routes/attester.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';
import { readingAt } from './support/reading.ts';

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

  it('are live until their expiry, and those that were revoked never count as expired', async () => {
    const { hrp } = index.devnet.app.parameters;
    const reading = await readingAt(index, index.height);
    const attesters = new Set(known.map(({ attester }) => attester));
    const expiryNs = ({ expiry }: Attestation) => parseTimeNs(expiry) ?? 0n;
    const expiries = known.map(expiryNs).sort((a, b) => (a < b ? -1 : 1));
    const middle = expiries[expiries.length >> 1] ?? 0n;
    for (const nowNs of [0n, middle - 1n, middle, expiries.at(-1) ?? 0n]) {
      const snapshot = { ...reading.snapshot, latestBlockTimeNs: nowNs };
      const context = { ...reading, snapshot, chain: { hrp } };
      for (const attester of attesters) {
        const { parts } = await attesterRoute.handle(
          { params: new Map([['addr', attester]]), query: new Map() },
          context as unknown as RouteContext,
        );
        const { types } = JSON.parse(parts.join('')) as { types: Record<string, unknown>[] };
        const of = known.filter((each) => each.attester === attester);
        const expected = [...new Set(of.map(({ type }) => type))].sort().map((type) => {
          const records = of.filter((each) => each.type === type);
          const count = (matches: (each: Attestation) => boolean) => records.filter(matches).length;
          return {
            type,
            issued: records.length,
            live: count((each) => !each.revoked && expiryNs(each) > nowNs),
            revoked: count(({ revoked }) => revoked),
            expired: count((each) => !each.revoked && expiryNs(each) <= nowNs),
          };
        });
        expect(types, `${attester} at ${nowNs}`).toEqual(expected);
      }
    }
  });
});
