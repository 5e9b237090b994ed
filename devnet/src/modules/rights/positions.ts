import { collection, numberKey, type Reader } from '../../state/state.ts';

/** Who holds what: records and their reading. The payout module reads them too, as the bases of its accruals. */

interface PositionRecord {
  readonly units: bigint;
  /** Sum of the position's locks. */
  readonly encumbered: bigint;
}

export interface Lock {
  /** Whose lock it is: `settlement/7`, `encumbrance/3`, `delegation/2`. */
  readonly ref: string;
  readonly units: bigint;
}

export interface Position {
  readonly units: bigint;
  readonly encumbered: bigint;
  /** By ref. */
  readonly locks: readonly Lock[];
}

/** By kind and holder; there is none without units. */
export const POSITIONS = collection<PositionRecord>('rights/positions');
/** By kind, holder and ref; there is none of 0 units. */
export const LOCKS = collection<bigint>('rights/locks');
/** By kind; none before the first issue. */
export const SUPPLIES = collection<bigint>('rights/supplies');

/** No part of a key holds a `|`. */
export function kindKey(assetId: string, kindId: number): string {
  return `${assetId}|${numberKey(kindId)}`;
}

export function positionKey(assetId: string, kindId: number, holder: string): string {
  return `${kindKey(assetId, kindId)}|${holder}`;
}

const NOTHING: PositionRecord = { units: 0n, encumbered: 0n };

export function positionRecord(reader: Reader, assetId: string, kindId: number, holder: string) {
  return reader.get(POSITIONS, positionKey(assetId, kindId, holder)) ?? NOTHING;
}

/** 0 units and no locks where there is no position. */
export function position(reader: Reader, assetId: string, kindId: number, holder: string): Position {
  const prefix = `${positionKey(assetId, kindId, holder)}|`;
  const locks = [...reader.entries(LOCKS, prefix)].map(([key, units]) => ({
    ref: key.slice(prefix.length),
    units,
  }));
  return { ...positionRecord(reader, assetId, kindId, holder), locks };
}

export function lockedUnder(
  reader: Reader,
  assetId: string,
  kindId: number,
  holder: string,
  ref: string,
): bigint {
  return reader.get(LOCKS, `${positionKey(assetId, kindId, holder)}|${ref}`) ?? 0n;
}

/** Units that are not locked. */
export function transferable(reader: Reader, assetId: string, kindId: number, holder: string): bigint {
  const { units, encumbered } = positionRecord(reader, assetId, kindId, holder);
  return units - encumbered;
}

export function supply(reader: Reader, assetId: string, kindId: number): bigint {
  return reader.get(SUPPLIES, kindKey(assetId, kindId)) ?? 0n;
}

/** Who has units of the kind, by address. */
export function* holders(
  reader: Reader,
  assetId: string,
  kindId: number,
): IterableIterator<{ readonly holder: string; readonly units: bigint; readonly encumbered: bigint }> {
  const prefix = `${kindKey(assetId, kindId)}|`;
  for (const [key, record] of reader.entries(POSITIONS, prefix))
    yield { holder: key.slice(prefix.length), ...record };
}
