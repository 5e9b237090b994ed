import type { JsonObject } from 'strata-kit/proto-json';
import type { Chain } from '../chain.ts';
import type { DeskTradeRow } from '../database/tables.ts';

/** What the desk can give: the chain's own numbers, less what it has promised and the chain does not know yet. */

export type Gives = Pick<DeskTradeRow, 'side' | 'asset_id' | 'kind_ids' | 'units' | 'amount'>;

/** `coins`, or `<asset id>/<kind id>` */
export type Pot = string;

const COINS: Pot = 'coins';

/** What a trade takes out of the desk's pots, the same amount out of each. */
export function givenBy({ side, asset_id, kind_ids, units, amount }: Gives): {
  readonly pots: readonly Pot[];
  readonly amount: bigint;
} {
  if (side === 'sell') return { pots: [COINS], amount: BigInt(amount) };
  return { pots: kind_ids.split(',').map((kindId) => `${asset_id}/${kindId}`), amount: BigInt(units) };
}

/** What a trade brings in, the same amount into each pot. */
export function receivedBy(trade: Gives): ReturnType<typeof givenBy> {
  return givenBy({ ...trade, side: trade.side === 'sell' ? 'buy' : 'sell' });
}

export function heldOf(pot: Pot, trades: readonly Gives[]): bigint {
  return trades
    .map(givenBy)
    .filter(({ pots }) => pots.includes(pot))
    .reduce((sum, { amount }) => sum + amount, 0n);
}

/** At the newest block: coins of the bank, units that nothing locks. Errors: AppError unavailable. */
export async function readPots(
  chain: Chain,
  address: string,
  pots: readonly Pot[],
): Promise<ReadonlyMap<Pot, bigint>> {
  return new Map(
    await Promise.all(
      pots.map(
        async (pot) =>
          [pot, pot === COINS ? await coins(chain, address) : await units(chain, address, pot)] as const,
      ),
    ),
  );
}

async function coins(chain: Chain, address: string): Promise<bigint> {
  const request = { address, denom: chain.facts.stableDenom };
  const { balance } = await chain.query('/cosmos.bank.v1beta1.Query/Balance', request);
  return BigInt(String((balance as JsonObject | null)?.amount ?? 0));
}

async function units(chain: Chain, holder: string, pot: Pot): Promise<bigint> {
  const [asset_id = '', kindId] = pot.split('/');
  const path = `/${chain.facts.namespace}.rights.v1.Query/Position`;
  const { position } = await chain.query(path, { asset_id, kind_id: Number(kindId), holder });
  const { units: held, locks } = (position ?? {}) as JsonObject;
  const locked = ((locks ?? []) as readonly JsonObject[]).reduce(
    (sum, lock) => sum + BigInt(String(lock.units)),
    0n,
  );
  return BigInt(String(held ?? 0)) - locked;
}
