/**
 * A module that lies outside of Strata: how many settlements that touch an asset were settled, by day. The day is UTC's
 * unless the configuration says otherwise: `chain: { modules: { settled_per_day: { utc_offset_hours: 2 } } }`.
 *
 *     strata start --rpc … --modules examples/modules/settled-per-day/module.js
 *     curl http://127.0.0.1:8080/v1/assets/<id>/settled-per-day
 *
 * docs/modules.md explains what each part is for.
 *
 * @typedef {import('../../../src/modules/kit.ts').Kit} Kit
 * @typedef {import('../../../src/modules/kit.ts').Module} Module
 */

const MODULE = 'settled_per_day';

/** @param {Kit} kit */
const tableOf = ({ table, columns: { text, u64 } }) =>
  table({
    name: 'settled_per_day',
    module: MODULE,
    // each row is a version of the record that these columns name; the newest one up to a height is the record as of it
    key: ['asset_id', 'day'],
    columns: { asset_id: text, day: text, height: u64, settled: u64 },
  });

const SETTLED = {
  type: 'settlement.v1.EventSettled',
  /** @param {import('../../../src/modules/kit.ts').Fields} fields */
  read: (fields) => ({ assetIds: fields.texts('asset_ids') }),
  /** @param {{assetIds: readonly string[]}} event */
  subjects: ({ assetIds }) => ({ accounts: [], assets: assetIds }),
};

const HOUR_NS = 3_600_000_000_000n;

/**
 * Values of the configuration are texts.
 *
 * @param {Kit} kit
 */
const parametersOf = ({ z }) =>
  z.strictObject({ utc_offset_hours: z.coerce.number().int().min(-12).max(14).default(0) });

/** @typedef {{utc_offset_hours: number}} Own */

/** @type {(kit: Kit, table: ReturnType<typeof tableOf>) => import('../../../src/modules/kit.ts').Derivation<unknown, Own>} */
const derivation = (kit, table) => ({
  module: MODULE,
  tables: [table],
  reads: [],
  parameters: parametersOf(kit),
  open(setup) {
    const offsetNs = BigInt(setup.own.utc_offset_hours) * HOUR_NS;
    const builder = setup.table(table);
    /** @type {Map<string, number>} by `asset day` */
    const settled = new Map();
    /** @type {Set<string>} what this block has changed */
    const changed = new Set();
    return {
      state: undefined,
      handlers: [
        kit.on(SETTLED, ({ assetIds }, { timeNs }) => {
          // the block's time: a derivation never asks a clock
          const day = kit.formatTimeNs(timeNs + offsetNs).slice(0, 10);
          for (const assetId of new Set(assetIds)) {
            const key = `${assetId} ${day}`;
            settled.set(key, (settled.get(key) ?? 0) + 1);
            changed.add(key);
          }
        }),
      ],
      endBlock({ height }) {
        for (const key of changed) {
          const [asset_id = '', day = ''] = key.split(' ');
          builder.append({ asset_id, day, height, settled: settled.get(key) ?? 0 });
        }
        changed.clear();
      },
      restore: (versions) =>
        versions.latest(table, ['asset_id', 'day', 'settled'], (row) => {
          settled.set(`${row.asset_id} ${row.day}`, row.settled);
        }),
    };
  },
});

/** @type {(kit: Kit) => Module} */
export const module = (kit) => {
  const table = tableOf(kit);
  const rows = kit.selection(table, ['day', 'settled']);
  return {
    name: MODULE,
    derivation: derivation(kit, table),
    routes: [
      {
        path: '/v1/assets/{id}/settled-per-day',
        query: ['limit'],
        cache: 'head',
        handle: async (request, context) => {
          const assetId = kit.pathParam(request, 'id');
          if (!/^[0-9a-f]{64}$/.test(assetId)) {
            throw new kit.StrataError('bad_request', 'an asset id is 64 lower-case hex digits');
          }
          const limit = kit.parseLimit(request.query.get('limit'));
          const newest = kit.latestVersions(
            context.snapshot,
            table,
            rows.columns,
            `asset_id = ${kit.quote(assetId)}`,
          );
          const sql = `SELECT ${rows.columns} FROM (${newest}) ORDER BY day DESC LIMIT ${kit.uintLiteral(limit)}`;
          const days = kit.readAll(await context.query(sql), rows.read);
          return { parts: [JSON.stringify({ asset_id: assetId, days })] };
        },
      },
    ],
  };
};
