import { withFaults } from 'strata-devnet/faults/faults';
import { parseFaults } from 'strata-devnet/faults/names';
import { startRpc } from 'strata-devnet/rpc/server';
import { StrataError } from 'strata-kit/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRpcSource } from '../../src/chain/rpc/source.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import type { CheckName, CheckRow } from '../../src/modules/reconciliation/checks.ts';
import { latestChecks, routeChecks, tokenChecks } from '../../src/modules/reconciliation/checks-read.ts';
import { driftRows, exportChecks } from '../../src/modules/reconciliation/drift-read.ts';
import { MODULE_EXPORTS } from '../../src/reconcile/exports.ts';
import { openStateAt, stateAt } from '../../src/reconcile/state-at.ts';
import { recoverStore, rewindStore } from '../../src/store/recovery.ts';
import { validateAnswer } from '../support/contract.ts';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { IS_FULL } from '../support/full.ts';
import {
  exportTurns,
  openIndex,
  read,
  run,
  runExport,
  runLying,
  runWithout,
  shown,
  stored,
  withLyingSource,
} from './support/reconciling.ts';

const BLOCKS = 100;
const OLDER = 67;

interface Report {
  readonly exports: readonly { module: string; height: number; differences: number; evaluated: boolean }[];
  readonly drift: readonly {
    source: string;
    module: string;
    record: string;
    field: string;
    chain: string;
    indexer: string;
  }[];
  readonly checks: readonly { asset_id: string; kind_id: number; height: number; agree: boolean }[];
  readonly tok20_registry: readonly {
    asset_id: string;
    kind_id: number | null;
    bundle: boolean;
    indexer_address: string;
    chain_address: string;
    evaluated: boolean;
    agree: boolean;
  }[];
}

let index: IndexedDevnet;
beforeAll(async () => {
  index = await openIndex(BLOCKS);
}, 120_000);
afterAll(() => index?.close());

function names(rows: readonly CheckRow[], wanted: (row: CheckRow) => boolean): ReadonlySet<CheckName> {
  return new Set(rows.filter(wanted).map(({ check }) => check));
}

const DRIFT = 'SELECT count() FROM reconciliation_checks FINAL WHERE agree = 0';

/** The check of each route, as /v1/bridge/routes shows it. */
async function routesWithChecks() {
  interface Route {
    readonly route_id: string;
    readonly created_height: number;
    readonly i8: object | null;
  }
  return (await index.api.get<{ routes: readonly Route[] }>('/v1/bridge/routes')).routes;
}

describe('before the first run', () => {
  it('no route has a check', async () => {
    const routes = await routesWithChecks();
    expect(routes.length).toBeGreaterThan(3);
    expect(routes.map(({ i8 }) => i8)).toEqual(routes.map(() => null));
  });
});

describe('a chain that tells the truth', () => {
  it.each(IS_FULL ? [BLOCKS, OLDER] : [BLOCKS])(
    'agrees in every number and every record at height %i',
    async (height) => {
      const found = await run({ height, deep: true });
      expect(found.height).toBe(height);
      expect(found.rows.filter(({ agree }) => !agree)).toEqual([]);
      expect(names(found.rows, ({ evaluated }) => evaluated)).toEqual(
        new Set(['nonce', 'kind', 'token', 'route']),
      );
      expect(found.unserved).toEqual([]);
      expect(found.agreed).toBeGreaterThan(100);
      expect(found.exports.map(({ module }) => module)).toEqual(MODULE_EXPORTS.map(({ module }) => module));
      for (const { module, records, differences } of found.exports) {
        expect(differences, module).toEqual([]);
        expect(records, module).toBeGreaterThan(5);
      }
    },
  );

  it('is compared with every kind, token, issuer and route that it has', async () => {
    const { assets, nonces } = (await index.query('asset', 'Export')) as unknown as {
      assets: { id: string; kinds: unknown[] }[];
      nonces: unknown[];
    };
    const { routes } = (await index.query('bridge', 'Export')) as unknown as { routes: unknown[] };
    const kinds = assets.reduce((sum, asset) => sum + asset.kinds.length, 0);
    const { rows } = await run();
    const count = (check: CheckName) => rows.filter((row) => row.check === check).length;
    expect([count('kind'), count('token'), count('nonce'), count('route')]).toEqual([
      kinds,
      kinds + assets.length,
      nonces.length,
      routes.length,
    ]);
    const some = rows.find(
      ({ check, chain }) => check === 'kind' && 'accruals' in chain && chain.accruals.length > 0,
    );
    expect(some).toBeDefined();
  });

  it('is asked about one asset alone where one is named', async () => {
    const { assetId = '' } = (await run()).rows.find(({ check }) => check === 'kind') ?? {};
    const found = await run({ assetId });
    expect(new Set(found.rows.map((row) => row.assetId))).toEqual(new Set(['', assetId]));
    expect(found.rows.filter(({ check }) => check === 'nonce')).toHaveLength(1);
  });

  it('is shown by /v1/invariants, the newest height of each kind', async () => {
    await run({ height: OLDER });
    const found = await run();
    const report = await index.api.get<Report>('/v1/invariants');
    const kinds = found.rows.filter(({ check }) => check === 'kind');
    expect(report.checks).toHaveLength(kinds.length);
    expect(report.checks.every(({ height, agree }) => height === BLOCKS && agree)).toBe(true);
    const order = report.checks.map((each) => `${each.asset_id} ${String(each.kind_id).padStart(3, '0')}`);
    expect(order).toEqual([...order].sort());
    const [first] = kinds;
    const one = await index.api.get<{ checks: unknown[]; tok20_registry: Report['tok20_registry'] }>(
      `/v1/invariants?asset=${first?.assetId}`,
    );
    expect(one.checks[0]).toEqual({
      asset_id: first?.assetId,
      kind_id: 0,
      height: BLOCKS,
      agree: true,
      chain: first?.chain,
      indexer: first?.indexer,
    });
    expect(one.tok20_registry[0]).toMatchObject({
      kind_id: null,
      bundle: true,
      evaluated: true,
      agree: true,
    });
    expect(one.tok20_registry[0]?.chain_address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    expect(await index.api.get(`/v1/invariants?asset=${'0'.repeat(64)}`)).toEqual({
      checks: [],
      tok20_registry: [],
      exports: [],
      drift: [],
    });
    await index.api.expectError('/v1/invariants?asset=ABC', 400);
  });
});

describe('a chain that lies to queries', () => {
  it('disagrees in exactly the rows that it lies about, and a repetition replaces them', async () => {
    const before = await stored(DRIFT);
    expect(before).toBe(0);
    const found = await runLying(`query-value@${BLOCKS}`);
    expect(names(found.rows, ({ agree }) => !agree)).toEqual(new Set(['nonce', 'kind', 'route']));
    expect(names(found.rows, ({ agree }) => agree)).toEqual(new Set(['token']));
    expect(found.disagreed).toBe(found.rows.filter(({ check }) => check !== 'token').length);
    expect(await stored(DRIFT)).toBe(found.disagreed);
    expect(await shown()).toMatchObject({ driftTotal: found.disagreed, reconciliations: found.sequence });
    const checks = await read(latestChecks);
    expect(checks.length).toBeGreaterThan(10);
    expect(checks.every(({ agree }) => !agree)).toBe(true);
    await run();
    expect(await stored(DRIFT)).toBe(0);
    expect((await shown()).driftTotal).toBe(0);
  });

  it.each([
    ['rights.Totals.supply', 'kind', 'supply'],
    ['rights.Totals.positions', 'kind', 'positions'],
    ['rights.Totals.encumbered', 'kind', 'encumbered'],
    ['asset.NextNonce.next_nonce', 'nonce', 'next_nonce'],
    ['bridge.Actual.actual', 'route', 'actual'],
  ] as const)('about %s: each such row says by how much', async (field, check, name) => {
    const { rows } = await runLying(`query-value:${field}@${BLOCKS}`);
    const wrong = rows.filter(({ agree }) => !agree);
    expect(names(wrong, () => true)).toEqual(new Set([check]));
    expect(wrong.length).toBe(rows.filter((row) => row.check === check).length);
    for (const { chain, indexer } of wrong) {
      const [a, b] = [chain, indexer].map((side) =>
        BigInt((side as unknown as Record<string, string>)[name] ?? ''),
      );
      expect((a ?? 0n) - (b ?? 0n)).toBe(1n);
    }
  });

  it.each(['index', 'carry_scaled', 'total_distributed', 'total_paid', 'module_held'])(
    'about the %s of accruals: kinds with income disagree',
    async (field) => {
      const { rows } = await runLying(`query-value:payout.Accruals.${field}@${BLOCKS}`);
      const wrong = rows.filter(({ agree }) => !agree);
      // the first accrual of each asset that has one is wrong
      const withIncome = rows.filter(({ chain }) => 'accruals' in chain && chain.accruals.length > 0);
      expect(wrong.length).toBe(new Set(withIncome.map(({ assetId }) => assetId)).size);
      expect(wrong.length).toBeGreaterThan(2);
    },
  );

  it('about its own counters of a route: the row says that these are not right, and agrees', async () => {
    const { rows } = await runLying(`query-value:bridge.Route.outbound@${BLOCKS}`);
    const routes = rows.filter(({ check }) => check === 'route');
    expect(routes.every(({ agree, chain }) => agree && 'ok' in chain && chain.ok === false)).toBe(true);
  });
});

describe('a node that does not serve a query', () => {
  const unknown = 'unknown query path: unknown request';
  const unfound = new StrataError('node_unreachable', 'nobody is there');

  it('gives rows that were not evaluated where they can say so, and none elsewhere', async () => {
    const found = await runWithout((path) => path.includes('.rights.') || path.includes('.bridge.'), unknown);
    expect(found.disagreed).toBe(0);
    expect(names(found.rows, ({ evaluated }) => !evaluated)).toEqual(new Set(['token', 'route']));
    expect(names(found.rows, ({ evaluated }) => evaluated)).toEqual(new Set(['nonce']));
    expect(found.unserved.map(({ path }) => path).sort()).toEqual([
      '/aeva.bridge.v1.Query/Actual',
      '/aeva.bridge.v1.Query/Route',
      '/aeva.rights.v1.Query/Position',
      '/aeva.rights.v1.Query/Tokens',
      '/aeva.rights.v1.Query/Totals',
    ]);
    const token = found.rows.find(({ check }) => check === 'token');
    expect(token).toMatchObject({ agree: true, chain: { address: '' } });
    const tokens = await read(tokenChecks);
    expect(tokens.length).toBeGreaterThan(10);
    for (const token of tokens)
      expect(token).toMatchObject({ evaluated: false, agree: true, chain_address: '' });
    const routes = await read((context) =>
      routeChecks(
        context,
        found.rows.map(({ subject }) => subject),
      ),
    );
    expect(routes.size).toBeGreaterThan(3);
    for (const route of routes.values()) {
      expect(route).toMatchObject({ chain_actual: '', chain_ok: false, evaluated: false, agree: true });
    }
    await run();
  });

  it('has no state of the height: nothing is compared', async () => {
    const found = await runLying('prune@80');
    expect(found.height).toBe(BLOCKS);
    expect(found.disagreed).toBe(0);
    const { chain, signer, app } = index.devnet;
    const pruned = withFaults(chain, parseFaults(['prune@80']), { signer, codec: app.codec });
    const rpc = await startRpc({ chain: pruned, port: 0 });
    const source = createRpcSource({ urls: [rpc.url] });
    const old = await run({ source, height: 20 });
    await source.close();
    await rpc.close();
    expect([old.evaluated, old.disagreed]).toEqual([0, 0]);
    expect(old.notEvaluated).toBeGreaterThan(5);
  });

  it('knows no such record: that is a difference', async () => {
    const found = await runWithout(
      (path) => path.endsWith('/Tokens'),
      'rpc error: code = NotFound desc = asset: not found: key not found',
    );
    expect(names(found.rows, ({ agree }) => !agree)).toEqual(new Set(['token']));
    await run();
  });

  it('cannot be reached: the run fails, and what it had stored stays', async () => {
    const { source } = index;
    const failing = {
      ...source,
      abciQuery: async (...[path, ...rest]: Parameters<BlockSource['abciQuery']>) => {
        if (path.includes('.rights.')) throw unfound;
        return source.abciQuery(path, ...rest);
      },
    };
    const runs = await stored('SELECT count() FROM reconciliations');
    await expect(run({ source: failing })).rejects.toMatchObject({ code: 'node_unreachable' });
    expect(await stored('SELECT count() FROM reconciliations')).toBe(runs + 1);
    expect(await stored(DRIFT)).toBe(0);
  });
});

describe('whole modules in their turns', () => {
  const MODULES = MODULE_EXPORTS.map(({ module }) => module);
  const { signal } = new AbortController();
  const report = () =>
    read(async (context) => ({
      exports: await exportChecks(context),
      drift: await driftRows(context),
    }));
  const rows = "SELECT count() FROM reconciliation_checks WHERE check IN ('export', 'difference')";

  it('are each compared once, and agree; a restart goes on with the one of the oldest comparison', async () => {
    const turns = exportTurns();
    const first: string[] = [];
    for (let turn = 0; turn < 5; turn++) first.push((await turns.next(signal))?.module ?? '');
    const restarted = exportTurns();
    for (let turn = 0; turn < 5; turn++) first.push((await restarted.next(signal))?.module ?? '');
    expect(first).toEqual([...MODULES, MODULES[0]]);
    const { exports, drift } = await report();
    expect(exports.map(({ module }) => module)).toEqual(MODULES.toSorted());
    for (const each of exports)
      expect(each).toMatchObject({ height: BLOCKS, evaluated: true, differences: 0 });
    expect(drift).toEqual([]);
    expect((await shown()).driftTotal).toBe(0);
  });

  it('that differ are drift until a later comparison agrees, however often the chain says something else', async () => {
    const { sequence } = await run();
    for (const field of IS_FULL
      ? ['units', 'supply', 'units', 'supply', 'units', 'supply']
      : ['units', 'supply']) {
      await withLyingSource(`query-value:rights.Export.${field}@${BLOCKS}`, (source) =>
        runExport('rights', source),
      );
    }
    const lying = await shown();
    expect(lying.driftTotal).toBe(1);
    expect(lying.reconciliations).toBeGreaterThan(sequence);
    const { drift, exports } = await report();
    const answer = { checks: [], tok20_registry: [], exports, drift };
    expect(validateAnswer('/v1/invariants', 200, answer)).toEqual([]);
    expect(drift).toMatchObject([{ source: 'export', module: 'rights', height: BLOCKS, field: 'supply' }]);
    const [{ record = '', chain, indexer } = {}] = drift;
    expect(BigInt(chain ?? '') - BigInt(indexer ?? '')).toBe(1n);
    expect(exports.find(({ module }) => module === 'rights')).toMatchObject({ differences: 1, agree: false });
    const asset = /[0-9a-f]{64}/.exec(record)?.[0] ?? '';
    const of = async (id: string) => (await read((context) => driftRows(context, id))).length;
    expect([await of(asset), await of('0'.repeat(64))]).toEqual([1, 0]);
    // of each comparison before only the last one's rows are left
    expect(await stored(`${rows} AND startsWith(subject, 'rights')`)).toBe(2);
    await runExport('rights');
    expect([(await report()).drift, (await shown()).driftTotal]).toEqual([[], 0]);
  });

  const answering = (value: Uint8Array): BlockSource => ({
    ...index.source,
    abciQuery: async () => ({ code: 0, log: '', height: BLOCKS, value }),
  });

  it('of which the chain says nothing at all differ in every record, of which a part is kept', async () => {
    const { compared } = await runExport('payout', answering(new Uint8Array()));
    expect(compared?.leftOut).toBe(0);
    const count = compared?.differences.length ?? 0;
    expect(count).toBeGreaterThan(50);
    expect((await shown()).driftTotal).toBe(count);
    await runExport('payout');
    expect((await shown()).driftTotal).toBe(0);
  });

  it.each([
    // positions of no asset, two bytes each
    ['of too many records', () => answering(Buffer.from('0a00'.repeat(200_001), 'hex'))],
    ['of broken bytes', () => answering(Buffer.from('0aff', 'hex'))],
    [
      'of one endless record',
      () => answering(Buffer.concat([Buffer.from('0ac1843d', 'hex'), Buffer.alloc(1_000_001)])),
    ],
    [
      'too large to be taken',
      () => ({
        ...index.source,
        abciQuery: () => Promise.reject(new StrataError('node_bad_answer', 'more than 24000000 bytes')),
      }),
    ],
  ])('with an Export %s are not compared, and what was found before stays', async (_, source) => {
    await withLyingSource(`query-value:rights.Export.units@${BLOCKS}`, (lying) => runExport('rights', lying));
    const found = await runExport('rights', source());
    expect(found.compared).toBeUndefined();
    expect(found.unserved.map(({ path }) => path)).toEqual(['/aeva.rights.v1.Query/Export']);
    const { drift, exports } = await report();
    expect(exports.find(({ module }) => module === 'rights')).toMatchObject({
      evaluated: false,
      agree: true,
    });
    expect(drift).toHaveLength(1);
    await runExport('rights');
    expect((await shown()).driftTotal).toBe(0);
  });
});

describe('the rows', () => {
  it('have a sequence that grows, whatever the clock says', async () => {
    const first = await run();
    const second = await run();
    expect(second.sequence).toBe(first.sequence + 1);
    expect(await stored('SELECT max(sequence) FROM reconciliations')).toBe(second.sequence);
  });

  it('refuse a height that the store does not hold', async () => {
    await expect(run({ height: BLOCKS + 1 })).rejects.toMatchObject({ code: 'config_invalid' });
  });

  it('are not written where the state is taken away while it is compared', async () => {
    const store = await index.api.stores.open('test');
    const { state } = (await openStateAt(store)) ?? {};
    await state?.assertServed();
    const gone = {
      ...store,
      query: (sql: string) => store.query(sql.replace('FROM checkpoints', `$& WHERE height < ${BLOCKS}`)),
    };
    const { generations } = await shown();
    const missing = new Map([...generations, ['rights', 99]]);
    await expect(stateAt(gone, generations, BLOCKS).assertServed()).rejects.toMatchObject({
      code: 'store_busy',
    });
    await expect(stateAt(store, missing, BLOCKS).assertServed()).rejects.toMatchObject({
      code: 'store_busy',
    });
    await store.close();
  });

  it.runIf(IS_FULL)('that agree go when newer ones have followed them for an hour, others stay', async () => {
    const hour = 3_600_000;
    const count = (where: string) => stored(`SELECT count() FROM reconciliation_checks FINAL WHERE ${where}`);
    await runLying('query-value:rights.Totals.supply@60-60', { height: 60, nowMs: 2 * hour });
    const wrong = await count('height = 60 AND agree = 0');
    expect(wrong).toBeGreaterThan(5);
    const { rows } = await run({ height: 70, nowMs: 2 * hour });
    const [{ assetId } = { assetId: '' }] = rows.filter(({ check }) => check === 'kind');
    await run({ nowMs: 3 * hour - 10 });
    expect(await count('height = 70')).toBe(rows.length);
    expect(await count('height = 60 AND agree = 1')).toBeGreaterThan(5);
    await run({ nowMs: 3 * hour + 10 });
    expect(await count('height = 60 AND agree = 1')).toBe(0);
    expect(await count('height = 60 AND agree = 0')).toBe(wrong);
    expect(await count('height = 70')).toBe(0);
    expect(await count(`height = ${BLOCKS} AND asset_id = '${assetId}'`)).toBeGreaterThan(2);
  });

  it.runIf(IS_FULL)(
    'that agree never go where they hide one that did not, which a merge may not have dropped yet',
    async () => {
      const later = 10 * 3_600_000;
      const store = await index.api.stores.open('test');
      const write = (subject: string, height: number, sequence: number, agree: number) =>
        store.command(
          `INSERT INTO reconciliation_checks SELECT 'nonce', '', -1, '${subject}', ${height}, ${sequence}, 1, ${agree}, '{}', '{}'`,
        );
      const setting = 'max_bytes_to_merge_at_max_space_in_pool';
      // no merge, while deletions go on
      await store.command(`ALTER TABLE reconciliation_checks MODIFY SETTING ${setting} = 1`);
      await write('hidden', 40, 1, 0);
      await write('hidden', 40, 2, 1);
      await write('plain', 41, 2, 1);
      await write('hidden', BLOCKS, 2, 1);
      await write('plain', BLOCKS, 2, 1);
      await run({ nowMs: later });
      expect(await stored('SELECT count() FROM reconciliation_checks WHERE height = 41')).toBe(0);
      expect(
        await stored('SELECT count() FROM reconciliation_checks FINAL WHERE height = 40 AND agree = 0'),
      ).toBe(0);
      await store.command(`ALTER TABLE reconciliation_checks RESET SETTING ${setting}`);
      await store.close();
    },
  );

  it('are the newest that there is where a route shows its check', async () => {
    await run();
    await index.goOn(1);
    const routes = await routesWithChecks();
    const checked = routes.filter(({ i8 }) => i8 !== null);
    expect(checked.length).toBeGreaterThan(3);
    for (const { route_id, i8 } of checked) {
      const { actual, expected } = await index.query('bridge', 'Actual', { route_id }, BLOCKS);
      const agreed = { chain_ok: true, evaluated: true, agree: true };
      expect(i8, route_id).toEqual({
        height: BLOCKS,
        chain_actual: actual,
        indexer_actual: expected,
        ...agreed,
      });
    }
    // only a route of the block after it has none
    const unchecked = routes.filter(({ i8 }) => i8 === null);
    expect(unchecked.every(({ created_height }) => created_height === BLOCKS + 1)).toBe(true);
  });

  it('above a height go with a rewind to it', async () => {
    await run({ height: OLDER });
    await run();
    const newest = `SELECT count() FROM reconciliation_checks WHERE height = ${BLOCKS + 1}`;
    expect(await stored(newest)).toBeGreaterThan(0);
    const store = await index.api.stores.open('rewind');
    await recoverStore(store);
    const { checkpoint } = await rewindStore(store, BLOCKS);
    await store.close();
    expect(checkpoint.height).toBe(BLOCKS);
    expect(await stored(newest)).toBe(0);
    expect(await stored(`SELECT count() FROM reconciliations WHERE height > ${BLOCKS}`)).toBe(0);
    expect(await stored('SELECT count() FROM reconciliation_checks')).toBeGreaterThan(0);
  });
});
