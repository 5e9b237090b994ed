import type { BodyBudget } from './body-budget.ts';

/**
 * The bytes that one request makes a server hold: its body, or an answer that is in the making or waits for its reader.
 * The first 64 kB are not counted, so that small requests are served when others have used up the budget; connections
 * bound them.
 */
export interface Holding {
  /** False, and these bytes are not held, where the budget has no room for them or the holding has ended. */
  hold(bytes: Uint8Array): boolean;
  /** Of bytes that the request needs no more. */
  giveBack(bytes: Uint8Array): void;
  /** Gives all back, for good. */
  end(): void;
}

const FREE_BYTES = 65_536;

export function createHolding(budget: BodyBudget): Holding {
  const held: Uint8Array[] = [];
  let free = FREE_BYTES;
  let isOver = false;
  return {
    hold(bytes) {
      if (isOver) return false;
      if (bytes.length <= free) {
        free -= bytes.length;
        return true;
      }
      if (!budget.hold(bytes)) return false;
      held.push(bytes);
      return true;
    },
    giveBack(bytes) {
      const at = held.lastIndexOf(bytes);
      if (at < 0) return;
      held.splice(at, 1);
      budget.release(bytes);
    },
    end() {
      isOver = true;
      for (const bytes of held.splice(0)) budget.release(bytes);
    },
  };
}
