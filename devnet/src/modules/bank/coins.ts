import { sdkError } from 'strata-kit/chain-error';
import type { Coin } from 'strata-kit/coin';
import type { Json, JsonObject } from 'strata-kit/proto-json';

/** Coins as the SDK prints and checks them. */

const DENOM = /^[a-zA-Z][a-zA-Z0-9/:._-]{2,127}$/;
/** math.Int of the SDK holds 256 bits. */
const MAX_AMOUNT = 2n ** 256n;

/** Sorted by denom: `3uusd`, `250aaeva,1uusd`; empty text for none. */
export function coinsText(coins: readonly Coin[]): string {
  const [only] = coins;
  if (coins.length === 1 && only !== undefined) return `${only.amount}${only.denom}`;
  return [...coins]
    .sort(byDenom)
    .map(({ denom, amount }) => `${amount}${denom}`)
    .join(',');
}

export function coinToJson({ denom, amount }: Coin): JsonObject {
  return { denom, amount: String(amount) };
}

/**
 * The coins of a message: sorted by denom, no denom twice, amounts positive. Errors: sdk/10 (invalid coins), worded
 * with the coins as given.
 */
export function requireCoins(json: Json | undefined): Coin[] {
  const list = Array.isArray(json) ? (json as readonly JsonObject[]) : [];
  const given = list.map(({ denom, amount }) => ({
    denom: String(denom ?? ''),
    amount: String(amount ?? ''),
  }));
  const valid = given.every(
    ({ denom, amount }, i) =>
      DENOM.test(denom) &&
      /^[1-9]\d{0,77}$/.test(amount) &&
      BigInt(amount) < MAX_AMOUNT &&
      (i === 0 || (given[i - 1]?.denom ?? '') < denom),
  );
  if (!valid || given.length === 0)
    throw sdkError(
      'invalidCoins',
      `${given.map(({ denom, amount }) => `${amount}${denom}`).join(',')}: invalid coins`,
    );
  return given.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) }));
}

function byDenom(a: Coin, b: Coin): number {
  return a.denom < b.denom ? -1 : a.denom > b.denom ? 1 : 0;
}
