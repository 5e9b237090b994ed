import type { GraphKind } from '../../../../../../clients/ts/src/client.ts';

/** Where everything of the picture stands, in px from its top. */
export interface Layout {
  readonly height: number;
  readonly kinds: readonly KindBar[];
  readonly holders: readonly HolderRow[];
  /** By kind, then by holder as they are listed. */
  readonly bands: readonly Band[];
}

export interface KindBar {
  readonly kindId: number;
  readonly top: number;
  readonly height: number;
}

export interface HolderRow {
  /** Undefined: all others together. */
  readonly holder: string | undefined;
  /** Of its label. */
  readonly top: number;
  readonly rowHeight: number;
  /** Of its bar, within the row. */
  readonly barTop: number;
  readonly barHeight: number;
}

/** A holder's part of a kind. */
export interface Band {
  readonly kindId: number;
  readonly holder: string | undefined;
  readonly units: string;
  readonly locked: string;
  /** Its upper edge at the kind's bar and at the holder's. */
  readonly from: number;
  readonly to: number;
  readonly size: number;
  /** Of `size`, at the lower edge: what cannot move. */
  readonly lockedSize: number;
}

const MOST_HOLDERS = 9;
const KINDS_HEIGHT = 520;
const LEAST_KIND = 40;
const MOST_KIND = 150;
const KIND_GAP = 28;
const ROW_HEIGHT = 26;
const ROW_GAP = 4;

interface Part {
  readonly kindId: number;
  readonly holder: string | undefined;
  readonly units: bigint;
  readonly locked: bigint;
  readonly share: number;
  readonly lockedShare: number;
}

/**
 * Kinds as bars on the left, each as high as the other, whatever its supply; holders on the right, largest first, by the
 * sum of their shares of each kind; a band between them as thick as the share. Kinds without units are left out. All but
 * the nine largest holders are one row.
 */
export function layOut(kinds: readonly GraphKind[]): Layout {
  const issued = kinds.filter(({ supply }) => BigInt(supply) > 0n);
  const shown = largest(issued);
  const parts = issued.flatMap((kind) => partsOf(kind, shown));
  const names = [...shown, ...(parts.some(({ holder }) => holder === undefined) ? [undefined] : [])];
  const kindHeight = Math.min(MOST_KIND, Math.max(LEAST_KIND, KINDS_HEIGHT / Math.max(1, issued.length)));
  const sizeOf = (list: readonly Part[]) => list.reduce((sum, { share }) => sum + share, 0) * kindHeight;
  const rowOf = (holder: string | undefined) => sizeOf(parts.filter((part) => part.holder === holder));
  const rowHeights = names.map((holder) => Math.max(ROW_HEIGHT, rowOf(holder)));
  const left = issued.length * (kindHeight + KIND_GAP) - KIND_GAP;
  const right = rowHeights.reduce((sum, each) => sum + each + ROW_GAP, -ROW_GAP);
  const height = Math.ceil(Math.max(left, right, ROW_HEIGHT));

  const bars = issued.map(({ kind_id }, i) => ({
    kindId: kind_id,
    top: (height - left) / 2 + i * (kindHeight + KIND_GAP),
    height: kindHeight,
  }));
  const rows: HolderRow[] = [];
  let top = (height - right) / 2;
  for (const [i, holder] of names.entries()) {
    const rowHeight = rowHeights[i] ?? ROW_HEIGHT;
    const barHeight = rowOf(holder);
    rows.push({ holder, top, rowHeight, barTop: top + (rowHeight - barHeight) / 2, barHeight });
    top += rowHeight + ROW_GAP;
  }
  return { height, kinds: bars, holders: rows, bands: bandsOf(parts, bars, rows, kindHeight) };
}

function largest(kinds: readonly GraphKind[]): readonly string[] {
  const sums = new Map<string, number>();
  for (const { supply, holders } of kinds)
    for (const { holder, units } of holders)
      sums.set(holder, (sums.get(holder) ?? 0) + ratio(BigInt(units), BigInt(supply)));
  return [...sums]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, MOST_HOLDERS)
    .map(([holder]) => holder);
}

/** A kind's parts in the order of `shown`, then what is left of its supply. */
function partsOf({ kind_id: kindId, supply, holders }: GraphKind, shown: readonly string[]): readonly Part[] {
  const whole = BigInt(supply);
  const part = (holder: string | undefined, units: bigint, locked: bigint): Part => ({
    kindId,
    holder,
    units,
    locked,
    share: ratio(units, whole),
    lockedShare: ratio(locked, whole),
  });
  const named = shown.flatMap((name) => {
    const found = holders.find(({ holder }) => holder === name);
    return found === undefined ? [] : [part(name, BigInt(found.units), BigInt(found.encumbered))];
  });
  const others = holders.filter(({ holder }) => !shown.includes(holder));
  const rest = named.reduce((left, { units }) => left - units, whole);
  const locked = others.reduce((sum, { encumbered }) => sum + BigInt(encumbered), 0n);
  return rest > 0n ? [...named, part(undefined, rest, locked)] : named;
}

function bandsOf(
  parts: readonly Part[],
  bars: readonly KindBar[],
  rows: readonly HolderRow[],
  kindHeight: number,
): readonly Band[] {
  const used = new Map<number | string | undefined, number>();
  const take = (key: number | string | undefined, start: number, size: number): number => {
    const at = used.get(key) ?? start;
    used.set(key, at + size);
    return at;
  };
  return parts.map(({ kindId, holder, units, locked, share, lockedShare }) => {
    const size = share * kindHeight;
    return {
      kindId,
      holder,
      units: units.toString(),
      locked: locked.toString(),
      from: take(kindId, bars.find((bar) => bar.kindId === kindId)?.top ?? 0, size),
      to: take(holder, rows.find((row) => row.holder === holder)?.barTop ?? 0, size),
      size,
      lockedSize: Math.min(share, lockedShare) * kindHeight,
    };
  });
}

/** Between 0 and 1, to a millionth: only for sizes on the screen. */
function ratio(part: bigint, whole: bigint): number {
  if (part <= 0n) return 0;
  return part >= whole ? 1 : Number((part * 1_000_000n) / whole) / 1e6;
}
