import { int256 } from '../../derive/int256.ts';
import type { KindHoldings, Position, RightsState, SettledNode, UnitsListener } from './state.ts';

/** Positions, locks and sums in memory, and what a block has changed of them. */
export interface Holdings extends RightsState {
  kindOf(assetId: string, kindId: number): MutableKind;
  changeUnits(kind: MutableKind, holder: string, change: bigint): MutablePosition;
  /** Answers what is left under the ref. */
  changeLock(kind: MutableKind, holder: string, ref: string, change: bigint): bigint;
  /** Since the last call of forgetChanges, in the order of the first change. */
  readonly changed: Changes;
  forgetChanges(): void;
  /** Read back from their versions, which changes nothing else. */
  put(kind: MutableKind, holder: string, values: Pick<Position, 'units' | 'encumbered' | 'routed'>): void;
  putLock(kind: MutableKind, holder: string, ref: string, units: bigint): void;
}

export interface Changes {
  /** With the units at the start of the block. */
  readonly positions: ReadonlyMap<MutablePosition, { readonly kind: MutableKind; readonly before: bigint }>;
  readonly locks: ReadonlyMap<MutablePosition, ReadonlySet<string>>;
  readonly kinds: ReadonlySet<MutableKind>;
}

export class MutablePosition implements Position {
  readonly holder: string;
  units = 0n;
  encumbered = 0n;
  routed = 0n;
  locks: Map<string, bigint> | undefined = undefined;
  settled: SettledNode | undefined = undefined;

  constructor(holder: string) {
    this.holder = holder;
  }

  get isEmpty(): boolean {
    if (this.units !== 0n || this.encumbered !== 0n || this.routed !== 0n || this.locks !== undefined)
      return false;
    for (let node = this.settled; node !== undefined; node = node.next) if (node.accrued !== 0n) return false;
    return true;
  }
}

export class MutableKind implements KindHoldings {
  readonly assetId: string;
  readonly kindId: number;
  supply = 0n;
  positions = 0n;
  encumbered = 0n;
  holderCount = 0;
  readonly byHolder = new Map<string, MutablePosition>();

  constructor(assetId: string, kindId: number) {
    this.assetId = assetId;
    this.kindId = kindId;
  }
}

export function createHoldings(): Holdings {
  const kinds = new Map<string, MutableKind>();
  const listeners: UnitsListener[] = [];
  const routedListeners: UnitsListener[] = [];
  const positions = new Map<MutablePosition, { kind: MutableKind; before: bigint }>();
  const locks = new Map<MutablePosition, Set<string>>();
  const changedKinds = new Set<MutableKind>();

  const getKind = (assetId: string, kindId: number) => kinds.get(kindKey(assetId, kindId));

  const kindOf = (assetId: string, kindId: number): MutableKind => {
    const found = getKind(assetId, kindId);
    if (found !== undefined) return found;
    const made = new MutableKind(assetId, kindId);
    kinds.set(kindKey(assetId, kindId), made);
    return made;
  };

  const positionIn = (kind: MutableKind, holder: string): MutablePosition => {
    const found = kind.byHolder.get(holder);
    if (found !== undefined) return found;
    const made = new MutablePosition(holder);
    kind.byHolder.set(holder, made);
    return made;
  };

  /** Before the change. */
  const note = (kind: MutableKind, position: MutablePosition): void => {
    if (!positions.has(position)) positions.set(position, { kind, before: position.units });
  };

  const setLock = (position: MutablePosition, ref: string, units: bigint): void => {
    if (units !== 0n) {
      position.locks ??= new Map();
      position.locks.set(ref, units);
      return;
    }
    position.locks?.delete(ref);
    if (position.locks?.size === 0) position.locks = undefined;
  };

  return {
    getKind,
    kindOf,
    getPosition: (assetId, kindId, holder) => getKind(assetId, kindId)?.byHolder.get(holder),
    positionOf: (assetId, kindId, holder) => positionIn(kindOf(assetId, kindId), holder),
    *holders(assetId, kindId) {
      for (const position of getKind(assetId, kindId)?.byHolder.values() ?? []) {
        if (position.units > 0n) yield position;
      }
    },
    beforeUnitsChange: (listener) => {
      listeners.push(listener);
    },
    beforeRoutedChange: (listener) => {
      routedListeners.push(listener);
    },
    changeUnits(kind, holder, change) {
      const position = positionIn(kind, holder);
      for (const listener of listeners) listener(kind.assetId, kind.kindId, position);
      note(kind, position);
      const wasHolder = position.units > 0n;
      position.units = int256(position.units + change);
      kind.positions = int256(kind.positions + change);
      kind.holderCount += Number(position.units > 0n) - Number(wasHolder);
      changedKinds.add(kind);
      return position;
    },
    changeLock(kind, holder, ref, change) {
      const position = positionIn(kind, holder);
      note(kind, position);
      const left = int256((position.locks?.get(ref) ?? 0n) + change);
      setLock(position, ref, left);
      position.encumbered = int256(position.encumbered + change);
      kind.encumbered = int256(kind.encumbered + change);
      changedKinds.add(kind);
      const refs = locks.get(position);
      if (refs === undefined) locks.set(position, new Set([ref]));
      else refs.add(ref);
      return left;
    },
    changeRouted(assetId, kindId, holder, change) {
      const kind = kindOf(assetId, kindId);
      const position = positionIn(kind, holder);
      for (const listener of routedListeners) listener(assetId, kindId, position);
      note(kind, position);
      position.routed = int256(position.routed + change);
    },
    dropIfEmpty(assetId, kindId, position) {
      if (position instanceof MutablePosition && position.isEmpty) {
        getKind(assetId, kindId)?.byHolder.delete(position.holder);
      }
    },
    changed: { positions, locks, kinds: changedKinds },
    forgetChanges() {
      for (const [position, { kind }] of positions) {
        if (position.isEmpty) kind.byHolder.delete(position.holder);
      }
      positions.clear();
      locks.clear();
      changedKinds.clear();
    },
    put: (kind, holder, values) => {
      Object.assign(positionIn(kind, holder), values);
    },
    putLock: (kind, holder, ref, units) => setLock(positionIn(kind, holder), ref, units),
    dropEmpty() {
      for (const kind of kinds.values()) {
        for (const [holder, position] of kind.byHolder) if (position.isEmpty) kind.byHolder.delete(holder);
      }
    },
  };
}

function kindKey(assetId: string, kindId: number): string {
  return `${assetId} ${kindId}`;
}
