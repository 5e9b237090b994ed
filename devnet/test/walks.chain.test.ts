import { setImmediate } from 'node:timers/promises';
import { encodeBech32 } from 'strata-kit/address';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Devnet, openDevnet } from '../src/devnet.ts';
import { READS_AT_ONCE } from '../src/simulation/limits.ts';
import { boundReads, ReadsUsedUp } from '../src/state/read-budget.ts';
import type { Texts } from '../src/state/texts.ts';

/** Queries that read much of the state do not hold the thread that makes blocks. */

let devnet: Devnet;
const ATTESTER = addressOf(1);

function addressOf(number: number): string {
  const bytes = Buffer.alloc(20);
  bytes.writeUInt32BE(number, 16);
  return encodeBech32('aeva', bytes);
}

beforeAll(async () => {
  const attestations = Array.from({ length: READS_AT_ONCE + 1 }, (_, i) => ({
    subject: addressOf(i + 2),
    type: 'kyc',
    attester: ATTESTER,
    expiry: '2030-01-01T00:00:00Z',
    evidence_hash: Buffer.alloc(32, 1).toString('base64'),
    revoked: false,
  }));
  devnet = await openDevnet({ clock: 'simulated', appState: { attestation: { attestations } } });
  await devnet.produceBlock();
});
afterAll(() => devnet?.stop());

function ask(name: string, request = {}) {
  const path = `/aeva.attestation.v1.Query/${name}`;
  const method = devnet.app.codec.method(path);
  if (method === undefined) throw new Error(`no method ${path}`);
  const asked = { isAnswered: false };
  const answer = devnet.chain.query(path, devnet.app.codec.encode(method.request, request), 1);
  const fields = answer.then(({ code, value }) => {
    asked.isAnswered = true;
    return { code, fields: devnet.app.codec.decode(method.response, value) };
  });
  return { asked, fields };
}

describe('a query', () => {
  it('that reads much is answered whole, and blocks are made before', async () => {
    const { asked, fields } = ask('Export');
    await devnet.produceBlock();
    expect(asked.isAnswered).toBe(false);
    const { code, fields: exported } = await fields;
    expect(code).toBe(0);
    expect(exported.attestations).toHaveLength(READS_AT_ONCE + 1);
    expect((exported.attestations as { attester: string }[])[0]?.attester).toBe(ATTESTER);
  });

  it('that reads little is answered at once', async () => {
    const { asked, fields } = ask('Attestations', { subject: addressOf(2) });
    await setImmediate();
    expect(asked.isAnswered).toBe(true);
    expect((await fields).fields.attestations).toHaveLength(1);
  });
});

describe('bounded reads', () => {
  it('end with the last record that they may read', () => {
    const keys = ['a', 'b', 'c'];
    const texts: Texts = {
      get: (_, key) => (keys.includes(key) ? '1' : undefined),
      // one that is not there any more counts too
      entries: () => keys.map((key) => [key, key === 'b' ? undefined : '1'] as const),
    };
    // one for the look itself, three for the records
    expect([...boundReads(texts, 4).entries('numbers', '')]).toHaveLength(3);
    expect(() => [...boundReads(texts, 3).entries('numbers', '')]).toThrow(ReadsUsedUp);
    const two = boundReads(texts, 2);
    expect([two.get('numbers', 'a'), two.get('numbers', 'x')]).toEqual(['1', undefined]);
    expect(() => two.get('numbers', 'a')).toThrow(ReadsUsedUp);
  });
});
