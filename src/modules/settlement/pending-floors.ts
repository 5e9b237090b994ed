/** Above every id: nothing is pending. */
export const NO_FLOOR = (1n << 64n) - 1n;

/** By party, the oldest of its pending settlements. */
export interface PendingFloors {
  /** The least id of those that are pending, NO_FLOOR where none is. */
  floorOf(party: string): bigint;
  add(party: string, id: bigint): void;
  remove(party: string, id: bigint): void;
}

export function createPendingFloors(): PendingFloors {
  /** Ids in ascending order, which is the order in which a chain gives them out. */
  const pending = new Map<string, { ids: Set<bigint>; newest: bigint }>();
  return {
    floorOf(party) {
      const first = pending.get(party)?.ids.values().next();
      return first === undefined || first.done === true ? NO_FLOOR : first.value;
    },
    add(party, id) {
      const held = pending.get(party);
      if (held === undefined) {
        pending.set(party, { ids: new Set([id]), newest: id });
      } else if (id > held.newest) {
        held.ids.add(id);
        held.newest = id;
      } else {
        held.ids = new Set([...held.ids, id].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)));
      }
    },
    remove(party, id) {
      const held = pending.get(party);
      held?.ids.delete(id);
      if (held?.ids.size === 0) pending.delete(party);
    },
  };
}
