import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFakeClock, type FakeClock } from '../../../../test/support/fake-clock.ts';
import { openDatabase } from '../../../src/database/database.ts';
import type { AppDatabase } from '../../../src/database/tables.ts';
import { createLimits } from '../../../src/desk/limits.ts';
import { createTrades, type NewTrade, type Trades } from '../../../src/desk/trades.ts';
import { DATABASES, type TestDatabase } from '../support/databases.ts';

/** What the desk writes down, in both kinds of database, and what another process reads there. */

describe.each(DATABASES)('in %s', (_, make) => {
  let made: TestDatabase;
  let database: AppDatabase;
  let clock: FakeClock;
  let trades: Trades;
  beforeEach(async () => {
    made = await make();
    database = await openDatabase(made.choice);
    clock = createFakeClock();
    trades = createTrades(database, clock);
  });
  afterEach(async () => {
    await database.destroy();
    await made.remove();
  });

  const trade = (id: string, more: Partial<NewTrade> = {}): NewTrade => ({
    ...{
      id,
      role: 'propose',
      settlement_id: null,
      address: 'aeva1a',
      symbol: 'ORCH',
      asset_id: 'ab',
      attempts: 1,
    },
    ...{ kind: -1, kind_ids: '0,1', side: 'buy', units: String(2n ** 254n), price: '3', amount: '7' },
    ...more,
  });
  const tx = {
    ...{ hash: 'AB', bytes: Uint8Array.of(1, 2, 255), sequence: 2n ** 60n },
    ...{ timeoutHeight: 30n, signedHeight: 10 },
  };

  it('a trade goes from reserved to signed to proposed to its end', async () => {
    await trades.reserve(trade('a'));
    expect(await trades.unresolved()).toMatchObject([{ ...trade('a'), status: 'reserved', hash: null }]);
    await trades.sign('a', tx);
    await database.destroy();
    // another process
    database = await openDatabase(made.choice);
    trades = createTrades(database, clock);
    expect(await trades.unresolved()).toMatchObject([
      {
        status: 'signed',
        hash: 'AB',
        tx: 'AQL/',
        sequence: String(2n ** 60n),
        timeout_height: '30',
        signed_height: '10',
      },
    ]);
    await trades.end('a', 'proposed', { settlementId: '12' });
    expect(await trades.unresolved()).toEqual([]);
    expect(await trades.proposed()).toMatchObject([{ id: 'a', settlement_id: '12' }]);
    await trades.end('a', 'expired');
    expect(await trades.proposed()).toEqual([]);
    expect(await trades.find('a')).toMatchObject({ status: 'expired', settlement_id: '12', note: '' });
  });

  it('one of an id stands once: again only when it has ended', async () => {
    await trades.reserve(trade('accept/1', { role: 'accept', settlement_id: '1' }));
    await expect(trades.reserve(trade('accept/1'))).rejects.toThrow();
    await trades.end('accept/1', 'released', { note: `why\0 ${'x'.repeat(1_000)}` });
    expect((await trades.find('accept/1'))?.note).toHaveLength(500);
    await trades.reserve(trade('accept/1', { attempts: 2 }));
    expect(await trades.find('accept/1')).toMatchObject({ status: 'reserved', attempts: 2, note: '' });
    await expect(trades.sign('nobody', tx)).rejects.toMatchObject({ code: 'unavailable' });
    await trades.end('accept/1', 'released');
    // nothing is broadcast for what nobody holds
    await expect(trades.sign('accept/1', tx)).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('proposals have their turn, and what ended long ago goes', async () => {
    for (const id of ['a', 'b', 'c']) {
      await trades.reserve(trade(id));
      await trades.end(id, 'proposed', { settlementId: id });
      await clock.advance(10);
    }
    expect((await trades.proposed(2)).map(({ id }) => id)).toEqual(['a', 'b']);
    await trades.touch(['a', 'b']);
    await trades.touch([]);
    expect((await trades.proposed(2)).map(({ id }) => id)).toEqual(['c', 'a']);
    await trades.end('a', 'settled');
    await clock.advance(1_000);
    await trades.end('b', 'settled');
    await trades.purge(500);
    const left = await database.selectFrom('desk_trades').select('id').orderBy('id').execute();
    expect(left.map(({ id }) => id)).toEqual(['b', 'c']);
  });

  it('a limit has room again when its oldest is ten minutes old, and forgets no sooner', async () => {
    const limits = createLimits(database, clock);
    await limits.take('ip/a', 2);
    await clock.advance(100_000);
    await limits.take('ip/a', 2);
    await limits.take('ip/b', 2);
    await expect(limits.take('ip/a', 2)).rejects.toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 500,
    });
    await clock.advance(499_999);
    await expect(createLimits(database, clock).take('ip/a', 2)).rejects.toMatchObject({
      retryAfterSeconds: 1,
    });
    await clock.advance(1);
    await limits.take('ip/a', 2);
    await expect(limits.take('ip/a', 2)).rejects.toMatchObject({ retryAfterSeconds: 100 });
    await clock.advance(600_000);
    await limits.take('ip/c', 1);
    expect(await database.selectFrom('desk_calls').select('caller').execute()).toEqual([{ caller: 'ip/c' }]);
  });
});
