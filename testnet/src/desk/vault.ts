import type { Chain } from '../chain.ts';
import { givenBy, heldOf, type Pot, readPots } from './inventory.ts';
import type { Refusal } from './refusals.ts';
import type { Trades } from './trades.ts';

/** How a pot stands. */
export interface Stand {
  /** What the chain lets the desk give now, less what is held for txs that no block is known to have. */
  readonly free: bigint;
  /** By open proposals of the desk: those that are on the chain, and those on their way. */
  readonly promised: bigint;
  /** The pot with what open proposals have taken out of it. */
  readonly total: bigint;
  /** The day's exposure bounds `free`, not what there is. */
  readonly isCapped?: boolean;
}

/** As of the newest block. Errors: AppError unavailable. */
export async function standsOf(
  chain: Chain,
  trades: Trades,
  address: string,
  pots: readonly Pot[],
): Promise<ReadonlyMap<Pot, Stand>> {
  // before the chain is asked: what is resolved in between counts twice rather than never
  const [unresolved, proposed] = [await trades.unresolved(), await trades.proposed()];
  const onChain = await readPots(chain, address, pots);
  return new Map(
    [...onChain].map(([pot, held]) => {
      const waiting = heldOf(pot, unresolved);
      const escrowed = heldOf(pot, proposed);
      const asked = heldOf(
        pot,
        unresolved.filter(({ role }) => role === 'propose'),
      );
      return [pot, { free: held - waiting, promised: asked + escrowed, total: held + escrowed }];
    }),
  );
}

/** A side runs low when it is not worth this many stable base units any more: 100 coins. */
const LOW = 100_000_000n;

export function isWorthLittle(amount: bigint): boolean {
  return amount < LOW;
}

export function coinsAreLow({ free }: Stand): boolean {
  return isWorthLittle(free);
}

/** Of the kinds that move together, the scarcest counts. */
export function unitsAreLow(stands: readonly Stand[], price: bigint, decimals: number): boolean {
  return stands.some(({ free }) => free * price < LOW * 10n ** BigInt(decimals));
}

/** Why a trade does not fit into what the desk may give; undefined when it does. */
export function shortage(
  stands: ReadonlyMap<Pot, Stand>,
  trade: Parameters<typeof givenBy>[0],
  { isProposal }: { readonly isProposal: boolean },
): Refusal | undefined {
  const { pots, amount } = givenBy(trade);
  for (const pot of pots) {
    const stand = stands.get(pot);
    if (stand === undefined || amount > stand.free) return runsLow(stand?.isCapped === true);
    if (isProposal && (stand.promised + amount) * 2n > stand.total) {
      const text =
        'open proposals would hold more than half of what the desk has: try again when some have ended';
      return { reason: 'open_proposals', text };
    }
  }
  return undefined;
}

/** The desk has too little, or has given as much of it as it gives in a day. */
export function runsLow(isCapped: boolean): Refusal {
  return isCapped
    ? {
        reason: 'exposure',
        text: 'the desk has given as much of this within a day as it may: try again later',
      }
    : { reason: 'inventory', text: 'the desk does not have so much left' };
}
