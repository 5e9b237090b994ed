import { asAskError } from '../data/errors.ts';
import { sentence } from '../text/message.ts';
import { durationText } from '../text/times.ts';
import { ChainRefusal, NoAccount } from '../wallet/prepare.ts';
import { refusalText } from '../wallet/refusals.ts';
import { WalletError } from '../wallet/wallet.ts';

/** Why nothing was signed, or what the chain refused, and whether the account has no coins yet. */
export interface Stop {
  readonly text: string;
  readonly needsCoins: boolean;
}

export function stopOf(error: unknown): Stop {
  if (error instanceof NoAccount) {
    return {
      text: 'The chain does not know this account yet: it comes into being with its first coins, and fees are paid with them.',
      needsCoins: true,
    };
  }
  if (error instanceof ChainRefusal) {
    return { text: refusalText(error.message), needsCoins: /insufficient|smaller than/.test(error.message) };
  }
  if (error instanceof WalletError) return { text: error.message, needsCoins: false };
  const { status, message, retryAfterSeconds } = asAskError(error);
  if (status === 0) return { text: 'The app does not answer. Nothing was signed.', needsCoins: false };
  return { text: `${sentence(message)}${waitText(retryAfterSeconds)}`, needsCoins: false };
}

/** ` Try again in 8 min 20 s.`, or nothing. */
export function waitText(seconds: number | undefined): string {
  return seconds === undefined ? '' : ` Try again in ${durationText(seconds)}.`;
}
