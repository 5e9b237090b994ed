import { systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { latestVersions } from '../api/as-of.ts';
import type { ReadMany, RouteContext } from '../api/route.ts';
import { EMPTY_SNAPSHOT, readAll } from '../api/rows.ts';
import { hasAsset } from '../modules/asset/assets-read.ts';
import { type AccrualJson, accrualsOf } from '../modules/payout/accruals-read.ts';
import { type ClaimableEntryJson, claimableOf } from '../modules/payout/claimable-read.ts';
import { locksOf, positionsOf } from '../modules/rights/positions-read.ts';
import { LOCKS, POSITIONS } from '../modules/rights/tables.ts';
import { openStateAt } from '../reconcile/state-at.ts';
import { readCheckpoint } from '../store/checkpoints.ts';
import { quote, uintLiteral } from '../store/sql.ts';
import type { Store } from '../store/store.ts';

/** Derived state as of a height, through the functions that the API's routes read with. */

export interface StateQuery {
  /** Undefined: the newest. */
  readonly height: number | undefined;
  /** One of the two at least. */
  readonly assetId: string | undefined;
  /** Canonical bech32. */
  readonly account: string | undefined;
}

export interface PositionAsOf {
  readonly assetId: string;
  readonly kindId: number;
  readonly holder: string;
  readonly units: bigint;
  readonly encumbered: bigint;
  readonly locks: readonly { readonly ref: string; readonly units: bigint }[];
}

export interface StateAsOf {
  readonly height: number;
  readonly timeNs: bigint;
  readonly positions: readonly PositionAsOf[];
  /** Smaller ones of an asset with more than MAX_POSITIONS. */
  readonly positionsLeftOut: number;
  /** Of the asset. */
  readonly accruals: readonly AccrualJson[] | undefined;
  /** By the account. */
  readonly claimable: readonly ClaimableEntryJson[] | undefined;
}

export const MAX_POSITIONS = 1_000;
const QUERY_SECONDS = 600;

type Reading = Pick<RouteContext, 'snapshot' | 'query' | 'gather' | 'kept' | 'clock' | 'endMs'>;

/** Errors: config_invalid for a height that the store does not hold, or no modules; not_found for the asset. */
export async function readStateAt(
  store: Store,
  { height, assetId, account }: StateQuery,
): Promise<StateAsOf> {
  const opened = await openStateAt(store, height);
  const checkpoint = await readCheckpoint(store);
  if (opened === undefined || checkpoint === undefined) {
    throw new StrataError(
      'config_invalid',
      'the store derives no modules: it has no positions at any height',
    );
  }
  const { timeNs, state } = opened;
  const context = readingAt(store, checkpoint.generations, state.height, timeNs);
  if (assetId !== undefined && !(await hasAsset(context, assetId))) {
    throw new StrataError('not_found', `There is no asset ${assetId} as of height ${state.height}`);
  }
  const isWanted = (each: { readonly assetId: string }): boolean =>
    assetId === undefined || each.assetId === assetId;
  const held =
    account === undefined
      ? await holdersOf(context, assetId ?? '')
      : { positions: (await ofAccount(context, account)).filter(isWanted), leftOut: 0 };
  const claimable = account === undefined ? undefined : await claimableOf(context, account);
  return {
    height: state.height,
    timeNs,
    positions: held.positions,
    positionsLeftOut: held.leftOut,
    accruals: assetId === undefined ? undefined : await accrualsOf(context, assetId),
    claimable: claimable?.filter((entry) => isWanted({ assetId: entry.asset_id })),
  };
}

/** What the modules' read functions take of a request, as of an older height. */
function readingAt(
  store: Store,
  generations: ReadonlyMap<string, number>,
  indexedHeight: number,
  latestBlockTimeNs: bigint,
): Reading {
  const kept = new Map<unknown, unknown>();
  const reading = {
    snapshot: { ...EMPTY_SNAPSHOT, indexedHeight, latestBlockTimeNs, generations },
    query: (sql: string) => store.query(sql, { timeoutSeconds: QUERY_SECONDS }),
  };
  return {
    ...reading,
    gather: async <V>(read: ReadMany<V>, key: string) => (await read(reading, [key])).get(key),
    kept: <T>(create: () => T): T => {
      const found = kept.get(create) ?? create();
      kept.set(create, found);
      return found as T;
    },
    clock: systemClock,
    endMs: Number.POSITIVE_INFINITY,
  };
}

async function ofAccount(context: Reading, account: string): Promise<readonly PositionAsOf[]> {
  const locks = await locksOf(context, account);
  return (await positionsOf(context, account)).map((position) => ({
    ...position,
    holder: account,
    locks: locks.filter(({ assetId, kindId }) => assetId === position.assetId && kindId === position.kindId),
  }));
}

/** The largest first, by kind. */
async function holdersOf(
  { snapshot, query }: Reading,
  assetId: string,
): Promise<{ readonly positions: readonly PositionAsOf[]; readonly leftOut: number }> {
  const ofAsset = `asset_id = ${quote(assetId)}`;
  const newest = latestVersions(snapshot, POSITIONS, 'kind_id, holder, units, encumbered', ofAsset);
  const from = `FROM (${newest}) WHERE units != 0 OR encumbered != 0`;
  const [total = 0] = readAll(await query(`SELECT count() ${from}`), (row) => row.u64());
  const order = `ORDER BY units DESC, kind_id, holder LIMIT ${uintLiteral(MAX_POSITIONS)}`;
  const found = readAll(await query(`SELECT kind_id, holder, units, encumbered ${from} ${order}`), (row) => ({
    assetId,
    kindId: row.u32(),
    holder: row.string(),
    units: row.i256(),
    encumbered: row.i256(),
  }));
  const holders = [...new Set(found.map(({ holder }) => quote(holder)))];
  if (holders.length === 0) return { positions: [], leftOut: 0 };
  const where = `${ofAsset} AND holder IN (${holders.join(', ')})`;
  const locks = readAll(
    await query(latestVersions(snapshot, LOCKS, 'kind_id, holder, ref, units', where)),
    (row) => ({ kindId: row.u32(), holder: row.string(), ref: row.string(), units: row.i256() }),
  );
  const positions = found
    .map((position) => ({
      ...position,
      locks: locks.filter(
        ({ kindId, holder, units }) =>
          units !== 0n && kindId === position.kindId && holder === position.holder,
      ),
    }))
    .sort((a, b) => a.kindId - b.kindId);
  return { positions, leftOut: total - found.length };
}
