/** Counts the bytes of bodies that slow clients make us hold, each body once however many read it. */
export interface BodyBudget {
  /** False, and nothing is held, when the body would take what is held beyond the bound. */
  hold(body: Uint8Array): boolean;
  /** Once for each hold that was granted. */
  release(body: Uint8Array): void;
  readonly heldBytes: number;
}

/** A single body larger than the bound passes alone, as otherwise it never would. */
export function createBodyBudget(maxBytes: number): BodyBudget {
  const readers = new Map<Uint8Array, number>();
  let heldBytes = 0;
  return {
    hold(body) {
      const others = readers.get(body);
      if (others === undefined) {
        if (heldBytes > 0 && heldBytes + body.length > maxBytes) return false;
        heldBytes += body.length;
      }
      readers.set(body, (others ?? 0) + 1);
      return true;
    },
    release(body) {
      const others = (readers.get(body) ?? 1) - 1;
      if (others > 0) {
        readers.set(body, others);
        return;
      }
      if (readers.delete(body)) heldBytes -= body.length;
    },
    get heldBytes() {
      return heldBytes;
    },
  };
}
