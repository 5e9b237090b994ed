import type { TableBuilder } from '../../core/native.ts';
import type { DerivationSetup, VersionReader } from '../../derive/derivation.ts';
import { bucketOf } from './holder-order.ts';
import type { Holdings, MutableKind, MutablePosition } from './holdings.ts';
import {
  HOLDER_ORDER,
  KIND_TOTALS,
  LOCKS,
  LOCKS_BY_HOLDER,
  POSITIONS,
  POSITIONS_BY_HOLDER,
} from './tables.ts';

/** Appends the versions of what a block has changed. */
export function versionWriter(setup: DerivationSetup, { changed }: Holdings): (height: number) => void {
  const positions = [setup.table(POSITIONS), setup.table(POSITIONS_BY_HOLDER)];
  const locks = [setup.table(LOCKS), setup.table(LOCKS_BY_HOLDER)];
  const totals = setup.table(KIND_TOTALS);
  const order = setup.table(HOLDER_ORDER);

  return (height) => {
    for (const [position, { kind, before }] of changed.positions) {
      for (const builder of positions) appendPosition(builder, kind, position, height);
      if (before === position.units) continue;
      if (before > 0n) appendPlace(order, kind, position.holder, before, -1, height);
      if (position.units > 0n) appendPlace(order, kind, position.holder, position.units, 1, height);
    }
    for (const [position, refs] of changed.locks) {
      const kind = changed.positions.get(position)?.kind;
      if (kind === undefined) continue;
      for (const ref of refs) for (const builder of locks) appendLock(builder, kind, position, ref, height);
    }
    for (const kind of changed.kinds) {
      const { columns } = totals;
      columns.asset_id.text(kind.assetId);
      columns.kind_id.u32(kind.kindId);
      columns.height.u64(height);
      columns.supply.i256(kind.supply);
      columns.positions.i256(kind.positions);
      columns.encumbered.i256(kind.encumbered);
      columns.holder_count.u64(kind.holderCount);
      totals.rows++;
    }
  };
}

function appendPosition(
  builder: TableBuilder<typeof POSITIONS> | TableBuilder<typeof POSITIONS_BY_HOLDER>,
  kind: MutableKind,
  { holder, units, encumbered, routed }: MutablePosition,
  height: number,
): void {
  const { columns } = builder;
  columns.asset_id.text(kind.assetId);
  columns.kind_id.u32(kind.kindId);
  columns.holder.text(holder);
  columns.height.u64(height);
  columns.units.i256(units);
  columns.encumbered.i256(encumbered);
  columns.routed.i256(routed);
  builder.rows++;
}

function appendLock(
  builder: TableBuilder<typeof LOCKS> | TableBuilder<typeof LOCKS_BY_HOLDER>,
  kind: MutableKind,
  { holder, locks }: MutablePosition,
  ref: string,
  height: number,
): void {
  const { columns } = builder;
  columns.asset_id.text(kind.assetId);
  columns.kind_id.u32(kind.kindId);
  columns.holder.text(holder);
  columns.ref.text(ref);
  columns.height.u64(height);
  columns.units.i256(locks?.get(ref) ?? 0n);
  builder.rows++;
}

function appendPlace(
  builder: TableBuilder<typeof HOLDER_ORDER>,
  kind: MutableKind,
  holder: string,
  units: bigint,
  sign: 1 | -1,
  height: number,
): void {
  const { columns } = builder;
  columns.bucket.u64(bucketOf(height));
  columns.asset_id.text(kind.assetId);
  columns.kind_id.u32(kind.kindId);
  columns.neg.i256(-units);
  columns.holder.text(holder);
  columns.sign.i8(sign);
  columns.height.u64(height);
  builder.rows++;
}

/** Reads positions, locks and sums back from their newest versions. */
export async function restoreHoldings(holdings: Holdings, versions: VersionReader): Promise<void> {
  await versions.latest(
    KIND_TOTALS,
    ['asset_id', 'kind_id', 'supply', 'positions', 'encumbered', 'holder_count'],
    (row) => {
      const kind = holdings.kindOf(row.string(), row.u32());
      kind.supply = row.i256();
      kind.positions = row.i256();
      kind.encumbered = row.i256();
      kind.holderCount = row.u64();
    },
  );
  let kind: MutableKind | undefined;
  await versions.latest(
    POSITIONS,
    ['asset_id', 'kind_id', 'holder', 'units', 'encumbered', 'routed'],
    (row) => {
      const [assetId, kindId, holder] = [row.string(), row.u32(), row.string()];
      // those of a kind come together, and share its id
      if (kind?.assetId !== assetId || kind.kindId !== kindId) kind = holdings.kindOf(assetId, kindId);
      const [units, encumbered, routed] = [row.i256(), row.i256(), row.i256()];
      if (units === 0n && encumbered === 0n && routed === 0n) return;
      holdings.put(kind, holder, { units, encumbered, routed });
    },
  );
  await versions.latest(LOCKS, ['asset_id', 'kind_id', 'holder', 'ref', 'units'], (row) => {
    const of = holdings.kindOf(row.string(), row.u32());
    const [holder, ref, units] = [row.string(), row.string(), row.i256()];
    if (units !== 0n) holdings.putLock(of, holder, ref, units);
  });
}
