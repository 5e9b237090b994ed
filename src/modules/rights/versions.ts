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
      totals.append({
        asset_id: kind.assetId,
        kind_id: kind.kindId,
        height,
        supply: kind.supply,
        positions: kind.positions,
        encumbered: kind.encumbered,
        holder_count: kind.holderCount,
      });
    }
  };
}

function appendPosition(
  builder: TableBuilder<typeof POSITIONS> | TableBuilder<typeof POSITIONS_BY_HOLDER>,
  kind: MutableKind,
  { holder, units, encumbered, routed }: MutablePosition,
  height: number,
): void {
  builder.append({ asset_id: kind.assetId, kind_id: kind.kindId, holder, height, units, encumbered, routed });
}

function appendLock(
  builder: TableBuilder<typeof LOCKS> | TableBuilder<typeof LOCKS_BY_HOLDER>,
  kind: MutableKind,
  { holder, locks }: MutablePosition,
  ref: string,
  height: number,
): void {
  builder.append({
    asset_id: kind.assetId,
    kind_id: kind.kindId,
    holder,
    ref,
    height,
    units: locks?.get(ref) ?? 0n,
  });
}

function appendPlace(
  builder: TableBuilder<typeof HOLDER_ORDER>,
  kind: MutableKind,
  holder: string,
  units: bigint,
  sign: 1 | -1,
  height: number,
): void {
  builder.append({
    bucket: bucketOf(height),
    asset_id: kind.assetId,
    kind_id: kind.kindId,
    neg: -units,
    holder,
    sign,
    height,
  });
}

/** Reads positions, locks and sums back from their newest versions. */
export async function restoreHoldings(holdings: Holdings, versions: VersionReader): Promise<void> {
  await versions.latest(
    KIND_TOTALS,
    ['asset_id', 'kind_id', 'supply', 'positions', 'encumbered', 'holder_count'],
    (row) => {
      const kind = holdings.kindOf(row.asset_id, row.kind_id);
      kind.supply = row.supply;
      kind.positions = row.positions;
      kind.encumbered = row.encumbered;
      kind.holderCount = row.holder_count;
    },
  );
  let kind: MutableKind | undefined;
  await versions.latest(
    POSITIONS,
    ['asset_id', 'kind_id', 'holder', 'units', 'encumbered', 'routed'],
    (row) => {
      const [assetId, kindId, holder] = [row.asset_id, row.kind_id, row.holder];
      // those of a kind come together, and share its id
      if (kind?.assetId !== assetId || kind.kindId !== kindId) kind = holdings.kindOf(assetId, kindId);
      const [units, encumbered, routed] = [row.units, row.encumbered, row.routed];
      if (units === 0n && encumbered === 0n && routed === 0n) return;
      holdings.put(kind, holder, { units, encumbered, routed });
    },
  );
  await versions.latest(LOCKS, ['asset_id', 'kind_id', 'holder', 'ref', 'units'], (row) => {
    const of = holdings.kindOf(row.asset_id, row.kind_id);
    const [holder, ref, units] = [row.holder, row.ref, row.units];
    if (units !== 0n) holdings.putLock(of, holder, ref, units);
  });
}
