import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { formatTimeNs } from 'strata-kit/time';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeskWorld, openDeskWorld, type User } from '../support/desk-world.ts';
import { eventually } from '../support/eventually.ts';

/**
 * A desk's process that is killed at each step, with several trades at once on their way, and what the next one makes of
 * it: no proposal twice, none lost, nothing held that is not on its way, and the chain's own inventory.
 */

const SCRIPT = join(import.meta.dirname, '../support/killed-desk.ts');
const STEPS = ['reserved', 'signed', 'broadcast', 'included', 'concluded'] as const;

let one: DeskWorld;
let user: User;
beforeAll(async () => {
  one = await openDeskWorld({ devnet: { blockTimeMs: 80 } });
  user = await one.user('ann');
});
afterAll(async () => {
  await one.close();
});

/** Until the process ends; its signal. */
async function killedAt(step: string, role: 'propose' | 'accept', first: number): Promise<string | null> {
  const args = [one.url, one.folder, one.assetId, step, role, String(first)];
  const child = spawn(process.execPath, ['--import', 'tsx', SCRIPT, ...args], { stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  return signal;
}

const unresolved = () =>
  one.database.selectFrom('desk_trades').selectAll().where('status', 'in', ['reserved', 'signed']).execute();

/** A new process's desk, until nothing is on its way. */
async function recovered(pending: () => Promise<boolean> = async () => false): Promise<void> {
  const stop = new AbortController();
  const running = one.newDesk({ timeoutBlocks: 15 }).run(stop.signal);
  await eventually(async () => (await unresolved()).length === 0 && !(await pending()));
  stop.abort();
  await running;
}

/** What the chain says of the desk's proposals is what the database says, one for one; inventory is what is left. */
async function check(): Promise<void> {
  const settlements = await one.settlements();
  const proposals = settlements.filter(({ proposer }) => proposer === one.deskAddress);
  const rows = await one.database.selectFrom('desk_trades').selectAll().execute();
  const proposed = rows.filter(({ role, status }) => role === 'propose' && status === 'proposed');
  expect(proposed.map(({ settlement_id }) => settlement_id).sort()).toEqual(
    proposals.map(({ id }) => String(id)).sort(),
  );
  for (const { counterparty } of proposals) {
    expect(proposals.filter((other) => other.counterparty === counterparty)).toHaveLength(1);
  }
  const accepted = settlements.filter(
    ({ counterparty, status }) => counterparty === one.deskAddress && status === 'STATUS_SETTLED',
  );
  expect(
    rows
      .filter(({ role, status }) => role === 'accept' && status === 'settled')
      .map(({ id }) => id)
      .sort(),
  ).toEqual(accepted.map(({ id }) => `accept/${id}`).sort());
  // no other row holds anything, and what is given away is what the chain moved or locked
  const given = (side: string) =>
    [...proposed, ...rows.filter(({ id }) => accepted.some((a) => `accept/${a.id}` === id))].filter(
      (row) => row.side === side,
    );
  const taken = (side: string) =>
    rows
      .filter(({ role, status }) => role === 'accept' && status === 'settled')
      .filter((row) => row.side === side);
  const sum = (list: readonly { units: string; amount: string }[], field: 'units' | 'amount') =>
    list.reduce((total, row) => total + BigInt(row[field]), 0n);
  expect(await one.units(one.deskAddress, 0)).toBe(
    10n ** 11n - sum(given('buy'), 'units') + sum(taken('sell'), 'units'),
  );
  expect(await one.balance(one.deskAddress, 'uusd')).toBe(
    5n * 10n ** 10n - sum(given('sell'), 'amount') + sum(taken('buy'), 'amount'),
  );
}

describe('killed with four requests for a quote', () => {
  it.each(STEPS.map((step, i) => [step, i] as const))('at the second "%s"', async (step, i) => {
    expect(await killedAt(step, 'propose', i * 10)).toBe('SIGKILL');
    await recovered();
    await check();
  });
});

describe('killed with four settlements to accept', () => {
  it.each(STEPS.map((step) => [step] as const))('at the second "%s"', async (step) => {
    const { timeNs } = await one.chain.node.status();
    const legs = (side: 'sell' | 'buy') => [
      {
        direction:
          side === 'sell' ? 'DIRECTION_PROPOSER_TO_COUNTERPARTY' : 'DIRECTION_COUNTERPARTY_TO_PROPOSER',
        right: { asset_id: one.assetId, kind_id: 0, units: '1000000' },
      },
      {
        direction:
          side === 'buy' ? 'DIRECTION_PROPOSER_TO_COUNTERPARTY' : 'DIRECTION_COUNTERPARTY_TO_PROPOSER',
        coin: { denom: 'uusd', amount: side === 'buy' ? '2000000' : '1000000' },
      },
    ];
    const messages = (['sell', 'buy', 'sell', 'buy'] as const).map((side) => ({
      '@type': '/aeva.settlement.v1.MsgPropose',
      ...{ proposer: user.address, counterparty: one.deskAddress, legs: legs(side) },
      expiry: formatTimeNs(timeNs + 3_600_000_000_000n),
    }));
    expect(await user.send(...messages)).toMatchObject({ code: 0 });
    expect(await killedAt(step, 'accept', 0)).toBe('SIGKILL');
    const pending = async () =>
      (await one.settlements()).some(
        ({ counterparty, status }) => counterparty === one.deskAddress && status === 'STATUS_PENDING',
      );
    await recovered(pending);
    expect(await pending()).toBe(false);
    await check();
  });
});
