/** What the rights module holds in memory, and what modules that read it see. Everything is as of the event at hand. */
export interface RightsState {
  /** Undefined where the holder has neither units nor locks, nor income that is not paid. */
  getPosition(assetId: string, kindId: number, holder: string): Position | undefined;
  /** Made where there is none. */
  positionOf(assetId: string, kindId: number, holder: string): Position;
  /** Undefined before the kind's first issue. */
  getKind(assetId: string, kindId: number): KindHoldings | undefined;
  /** Those with more than 0 units, in no order. */
  holders(assetId: string, kindId: number): Iterable<Position>;
  /** Called before every change of a position's units, in the order in which listeners came. */
  beforeUnitsChange(listener: UnitsListener): void;
  /** As beforeUnitsChange, before every change of the units whose income goes to others. */
  beforeRoutedChange(listener: UnitsListener): void;
  /** Changes how much of a holder's income goes to others; payout's to call. */
  changeRouted(assetId: string, kindId: number, holder: string, change: bigint): void;
  /** Lets go of a position of which nothing is left: no units, no locks, no income to pay. */
  dropIfEmpty(assetId: string, kindId: number, position: Position): void;
  /** Of all of them. */
  dropEmpty(): void;
}

export type UnitsListener = (assetId: string, kindId: number, position: Position) => void;

/** The sums of a kind. */
export interface KindTotals {
  /** As the events moved it. */
  readonly supply: bigint;
  /** Sum of its positions' units. */
  readonly positions: bigint;
  readonly encumbered: bigint;
  /** Positions of more than 0 units. */
  readonly holderCount: number;
}

export interface KindHoldings extends KindTotals {
  readonly assetId: string;
  readonly kindId: number;
}

/** What a holder has of a kind. There may be millions: each field is 8 bytes, and a BigInt 24. */
export interface Position {
  readonly holder: string;
  readonly units: bigint;
  /** Sum of the locks. */
  readonly encumbered: bigint;
  /** Units whose income goes to others. */
  readonly routed: bigint;
  /** By ref; undefined where there is none. */
  readonly locks: ReadonlyMap<string, bigint> | undefined;
  /** Payout's: how far the holder's own income is settled, a node a denom; it stands here so that it costs no map. */
  settled: SettledNode | undefined;
}

/** How far a basis is settled in a denom (modules.md rule 4). */
export interface SettledNode {
  /** Its accrual's number in the kind. */
  readonly denomIndex: number;
  lastIndex: bigint;
  accrued: bigint;
  next: SettledNode | undefined;
}
