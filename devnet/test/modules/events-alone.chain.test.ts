import type { AbciEvent } from 'strata-kit/abci-event';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import { expect, it } from 'vitest';
import { RARE_CHAIN } from '../../../test/support/rare-chain.ts';
import { parseStepClock } from '../../src/comet/step-clock.ts';
import { createDealsFromEvents } from '../support/deals-from-events.ts';
import { createFromEvents } from '../support/events-alone.ts';
import { play } from '../workload/play.ts';

/** The workload's events, followed by a second reckoning, tell what the chain answers to queries. */
it('tells units, locks, income and deals by events alone', async () => {
  const reckoned = createFromEvents();
  const deals = createDealsFromEvents();
  let timeNs = 0n;
  const seen = new Set<string>();
  const follow = (events: readonly AbciEvent[]) => {
    for (const { type, attributes } of events) {
      const [namespace, module, , event] = type.split('.');
      if (namespace !== 'aeva') continue;
      const fields = attributes
        .filter(([key]) => key !== 'msg_index' && key !== 'mode')
        .map(([key, value]) => [key, JSON.parse(value) as Json] as const);
      reckoned.apply(`${module}.${event}`, Object.fromEntries(fields));
      deals.apply(`${module}.${event}`, Object.fromEntries(fields), timeNs);
      seen.add(`${module}.${event}`);
    }
  };
  const { seed, blocks, steps } = RARE_CHAIN;
  const { devnet, run } = await play(seed, { steps: parseStepClock(steps, blocks) });
  const { app } = devnet;
  const isOfEnd = ({ attributes }: AbciEvent) => attributes.at(-1)?.[1] === 'EndBlock';
  await run(blocks, 8, ({ header, results, events }) => {
    timeNs = header.timeNs;
    follow(events.filter((event) => !isOfEnd(event)));
    for (const { code, events: ofTx } of results) if (code === 0) follow(ofTx);
    follow(events.filter(isOfEnd));
    return true;
  });
  expect(reckoned.wrong).toEqual([]);
  expect(deals.wrong).toEqual([]);
  expect(app.invariants()).toEqual([]);
  // whatever moves units or income came by
  for (const event of [
    'rights.EventRedeemed',
    'waterfall.EventPoolRedeemed',
    'encumbrance.EventReleased',
    'encumbrance.EventExercised',
    'encumbrance.EventExpired',
    'payout.EventClaimed',
    'bridge.EventEscrowIncomeSwept',
    'bridge.EventTransferIn',
    'bridge.EventRouteUpdated',
    'settlement.EventExpired',
    'delegation.EventEnded',
    'waterfall.EventTierPaid',
    'waterfall.EventLiquidationClosed',
  ])
    expect([...seen]).toContain(event);

  const moment = { height: blocks, timeNs, parameters: app.parameters };
  const answer = (name: string, method = 'Export') => {
    const query = app.modules.find((module) => module.name === name)?.queries[
      `/<ns>.${name}.v1.Query/${method}`
    ];
    if (query === undefined) throw new Error(`${name} has no ${method}`);
    return query(app.state, {}, moment) as Record<string, readonly JsonObject[]>;
  };
  const rights = answer('rights');
  const kindOf = ({ asset_id, kind_id }: JsonObject) => `${asset_id} ${kind_id}`;
  const positions = rights.positions ?? [];
  expect(sorted(positions.map((of) => [`${kindOf(of)} ${of.holder}`, String(of.units)]))).toEqual(
    sorted(texts(reckoned.positions())),
  );
  const locks = positions.flatMap((of) =>
    (of.locks as readonly JsonObject[]).map(({ ref, units }) => [
      `${kindOf(of)} ${of.holder} ${ref}`,
      String(units),
    ]),
  );
  expect(sorted(locks)).toEqual(sorted(texts(reckoned.locks())));
  const supplies = (rights.supplies ?? []).filter(({ supply }) => supply !== '0');
  expect(sorted(supplies.map((of) => [kindOf(of), String(of.supply)]))).toEqual(
    sorted(texts(reckoned.supplies())),
  );
  const accruals = (answer('payout').accruals ?? []).map((of) => [
    `${kindOf(of)} ${of.denom}`,
    `${of.index},${of.carry_scaled},${of.total_distributed},${of.total_paid},${of.sum_claimable}`,
  ]);
  expect(sorted(accruals)).toEqual(sorted(texts(reckoned.accruals())));

  const lines = (list: readonly JsonObject[] | undefined, key: string, ...values: readonly string[]) =>
    sorted((list ?? []).map((of) => [String(of[key]), values.map((name) => of[name]).join(' ')]));
  expect(lines(answer('settlement').settlements, 'id', 'status')).toEqual(sorted(texts(deals.settlements())));
  expect(lines(answer('encumbrance').encumbrances, 'id', 'units', 'status')).toEqual(
    sorted(texts(deals.encumbrances())),
  );
  expect(lines(answer('delegation').delegations, 'id', 'ended')).toEqual(sorted(texts(deals.delegations())));
  const used = ['outbound', 'inbound', 'outbound_used', 'inbound_used'] as const;
  expect(lines(answer('bridge', 'Routes').routes, 'route_id', ...used)).toEqual(
    sorted(texts(deals.routes(timeNs))),
  );
  const liquidated = (answer('waterfall').waterfalls ?? []).filter((of) => 'liquidation' in of);
  const pools = liquidated.map((of) => [String(of.asset_id), String((of.liquidation as JsonObject).pool)]);
  expect(sorted(pools)).toEqual(sorted(texts(deals.pools())));
  const redemptionPools = liquidated.flatMap(({ asset_id, pools: ofKinds }) =>
    (ofKinds as readonly JsonObject[]).map(
      ({ kind_id, amount, units, remaining_amount, remaining_units }) => [
        `${asset_id} ${kind_id}`,
        [amount, units, remaining_amount, remaining_units].join(' '),
      ],
    ),
  );
  expect(sorted(redemptionPools)).toEqual(sorted(texts(deals.redemptionPools())));
}, 300_000);

function texts(map: ReadonlyMap<string, unknown>): string[][] {
  return [...map].map(([key, value]) => [key, String(value)]);
}

function sorted(rows: readonly (readonly string[])[]): string[] {
  return rows.map((row) => row.join(' = ')).sort();
}
