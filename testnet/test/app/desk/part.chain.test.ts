import type { FastifyInstance } from 'fastify';
import { bech32Of, keyFromSeed } from 'strata-kit/client/keys';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../../src/app.ts';
import { deskPart } from '../../../src/desk/part.ts';
import { type DeskWorld, openDeskWorld, silent } from '../support/desk-world.ts';

/** The desk as clients see it, over HTTP. */

let one: DeskWorld;
let server: FastifyInstance;
beforeAll(async () => {
  one = await openDeskWorld();
  server = await createApp([deskPart(one.desk)], { log: silent, trustedProxies: 1 });
});
afterAll(async () => {
  await server.close();
  await one.close();
});

const address = bech32Of('aeva', keyFromSeed('secp256k1', 'asker'));
const request = { address, symbol: 'ORCH', kind: 1, side: 'sell', units: '2500000' };

function post(payload: unknown, headers: Record<string, string> = {}) {
  return server.inject({
    method: 'POST',
    url: '/api/desk/rfq',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
}

it('tells who it is and what it trades, and quotes in decimal texts', async () => {
  expect((await server.inject('/api/desk')).json()).toEqual({
    address: one.deskAddress,
    paused: false,
    instruments: [
      {
        ...{ closed: null, max_trade: '5000000000' },
        ...{ symbol: 'ORCH', name: 'ORCH', asset_id: one.assetId, decimals: 6 },
        kinds: ['ECONOMIC', 'INCOME', 'VOTE'].map((name, kind_id) => ({ kind_id, class: name })),
      },
    ],
    max_trade: '5000000000',
    proposal_seconds: 600,
  });
  const { quotes } = (await server.inject('/api/desk/quotes')).json();
  expect(quotes).toHaveLength(4);
  expect(quotes[0]).toEqual({ symbol: 'ORCH', name: 'ORCH', kind: -1, bid: '2940000', ask: '3060000' });
});

it('answers a request with the proposal, then refuses the sixth of an address with the time to wait', async () => {
  const answers = [];
  for (let i = 0; i < 6; i++) answers.push(await post({ ...request, units: String(2_500_000 + i) }));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200, 429]);
  expect(answers[0]?.json()).toEqual({
    ...{ settlement_id: 1, instrument: 'ORCH', kind: 1, side: 'sell', units: '2500000' },
    ...{ price: '882000', amount: '2205000' },
  });
  expect(answers[5]?.json()).toMatchObject({ code: 'too_many_requests' });
  expect(Number(answers[5]?.headers['retry-after'])).toBeGreaterThan(0);
});

it.each([
  ['no JSON', '{', 400],
  ['a list', '[]', 400],
  ['nothing', '', 400],
  ['a prototype', '{"__proto__":{"units":"1"}}', 400],
  ['an unknown symbol', JSON.stringify({ ...request, symbol: '<script>' }), 404],
  ['an unknown kind', JSON.stringify({ ...request, kind: 9 }), 404],
  ['too large a trade', JSON.stringify({ ...request, units: '9'.repeat(30) }), 409],
  ['a large body', JSON.stringify({ ...request, more: 'x'.repeat(5_000) }), 413],
])('refuses %s', async (name, payload, status) => {
  const answer = await post(payload, { 'x-forwarded-for': `10.1.0.${name.length}` });
  expect([answer.statusCode, Object.keys(answer.json()).sort()]).toEqual([status, ['code', 'error']]);
  // nothing of a request is told back
  expect(answer.body).not.toMatch(/script|9999/);
});

it('refuses other methods and content types', async () => {
  expect((await server.inject('/api/desk/rfq')).statusCode).toBe(405);
  expect((await post('x=1', { 'content-type': 'application/x-www-form-urlencoded' })).statusCode).toBe(400);
});
