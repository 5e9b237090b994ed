import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Chain } from '../../../src/app/chain.ts';
import type { Desk, DeskOptions } from '../../../src/app/desk/desk.ts';
import { createSender } from '../../../src/app/sender/sender.ts';
import { systemClock } from '../../../src/core/clock.ts';
import { ClientError } from '../../../src/devnet/client/errors.ts';
import { bech32Of, keyFromSeed } from '../../../src/devnet/client/keys.ts';
import type { Node } from '../../../src/devnet/client/node.ts';
import { DESK_KEY, type DeskWorld, openDeskWorld } from '../support/desk-world.ts';

/** A request for a quote while the node fails: what is answered, what is held, and what is found later. */

let one: DeskWorld;
beforeEach(async () => {
  one = await openDeskWorld();
});
afterEach(async () => {
  await one.close();
});

const address = bech32Of('aeva', keyFromSeed('secp256k1', 'asker'));
const request = { address, symbol: 'ORCH', kind: 0, side: 'buy', units: '5000000' };
const lost = () => Promise.reject(new ClientError('unreachable', 'no answer'));

function deskWith(node: Partial<Node>, more: Partial<DeskOptions> = {}): Desk {
  const chain: Chain = { ...one.chain, node: { ...one.chain.node, ...node } };
  const sender = createSender({
    chain,
    key: DESK_KEY,
    clock: systemClock,
    pollMs: 15,
    patienceMs: more.timeoutBlocks === undefined ? 250 : 30_000,
  });
  return one.newDesk({ chain, sender, timeoutBlocks: 6, ...more });
}

const rows = () => one.database.selectFrom('desk_trades').selectAll().orderBy('created_at_ms').execute();
const failure = (act: Promise<unknown>) =>
  act.then(
    () => 'nothing failed',
    (reason: unknown) => reason,
  );

async function eventually(check: () => Promise<boolean>): Promise<void> {
  for (let left = 400; left > 0; left--) {
    if (await check()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('it did not come to be');
}

it('is 503 and stays held while nobody knows, and another desk finds the proposal', async () => {
  let isAway = false;
  const desk = deskWith({
    async broadcast(tx) {
      const answer = await one.chain.node.broadcast(tx);
      isAway = true;
      return answer;
    },
    status: () => (isAway ? lost() : one.chain.node.status()),
    tx: (hash) => (isAway ? lost() : one.chain.node.tx(hash)),
  });
  expect(await failure(desk.rfq(request, '10.0.0.1'))).toMatchObject({ code: 'unavailable' });
  expect(await rows()).toMatchObject([{ status: 'signed', side: 'buy', units: '5000000' }]);
  // not another proposal of the same
  expect(await failure(one.newDesk().rfq(request, '10.0.0.1'))).toMatchObject({ code: 'unavailable' });
  // a node whose index of txs is behind, and which tells of no further block
  const { height, ...status } = await one.chain.node.status();
  const stop = new AbortController();
  const behind = deskWith({ status: async () => ({ ...status, height }), tx: async () => undefined });
  const running = behind.run(stop.signal);
  await new Promise((resolve) => setTimeout(resolve, 400));
  stop.abort();
  await running;
  expect((await rows())[0]?.status).toBe('signed');
  one.runDesk();
  await eventually(async () => (await rows())[0]?.status === 'proposed');
  expect(await rows()).toMatchObject([{ settlement_id: '1' }]);
  expect(await one.settlements()).toHaveLength(1);
});

it('is 503 when no block took it in time, and nothing is held any more', async () => {
  const desk = deskWith({ broadcast: lost });
  expect(await failure(desk.rfq(request, '10.0.0.1'))).toMatchObject({ code: 'unavailable' });
  one.runDesk();
  await eventually(async () => (await rows())[0]?.status === 'released');
  expect(await one.settlements()).toEqual([]);
  expect((await one.desk.rfq(request, '10.0.0.1')).settlement_id).toBe(1);
});

it('is 503 after its time, and the same request then waits for the same proposal', async () => {
  let go: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const desk = deskWith(
    {
      async broadcast(tx) {
        await held;
        return one.chain.node.broadcast(tx);
      },
    },
    { answerMs: 1_500, timeoutBlocks: 500 },
  );
  expect(await failure(desk.rfq(request, '10.0.0.1'))).toMatchObject({ code: 'unavailable' });
  const second = desk.rfq(request, '10.0.0.1');
  go();
  expect(await second).toMatchObject({ settlement_id: 1 });
  expect(await one.settlements()).toHaveLength(1);
});
