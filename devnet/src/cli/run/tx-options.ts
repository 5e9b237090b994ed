import { inputError } from 'strata-kit/client/errors';
import { coinsWord } from 'strata-kit/client/words';
import type { Coin } from 'strata-kit/coin';
import { DEFAULT_HOME, DEFAULT_HRP, DEFAULT_NODE } from '../chain-user.ts';

/** How a tx is signed and sent. */
export interface TxOptions {
  readonly from: string;
  readonly node: string;
  readonly home: string;
  readonly hrp: string;
  readonly memo: string;
  readonly chainId: string | undefined;
  readonly gas: bigint | undefined;
  readonly gasAdjustment: number;
  readonly fees: readonly Coin[] | undefined;
  readonly accountNumber: bigint | undefined;
  readonly sequence: bigint | undefined;
  readonly timeoutHeight: bigint | undefined;
  readonly waitMs: number;
  readonly isDryRun: boolean;
  readonly isJson: boolean;
}

/** Errors: input. */
export function txOptions(given: Readonly<Record<string, string | true>>): TxOptions {
  const text = (name: string) => (typeof given[name] === 'string' ? given[name] : undefined);
  const from = text('from');
  if (from === undefined) throw inputError('the signer is missing: give --from <key>');
  const fees = text('fees');
  return {
    from,
    node: nodeUrl(text('node') ?? DEFAULT_NODE),
    home: text('home') ?? DEFAULT_HOME,
    hrp: text('hrp') ?? DEFAULT_HRP,
    memo: text('memo') ?? '',
    chainId: text('chainId'),
    gas: text('gas') === 'auto' ? undefined : whole('--gas', text('gas')),
    gasAdjustment: decimal('--gas-adjustment', text('gasAdjustment') ?? '1.3', 1, 10),
    fees: fees === undefined ? undefined : coins(fees),
    accountNumber: whole('--account-number', text('accountNumber')),
    sequence: whole('--sequence', text('sequence')),
    timeoutHeight: whole('--timeout-height', text('timeoutHeight')),
    waitMs: waitMs(text('wait')),
    isDryRun: given.dryRun === true,
    isJson: given.json === true,
  };
}

export function nodeUrl(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw inputError(`--node is '${text}', not an http or https URL`);
}

/** Of --wait. Errors: input. */
export function waitMs(text = '30'): number {
  return decimal('--wait', text, 0, 3_600) * 1_000;
}

function whole(flag: string, text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,19}$/.test(text)) return BigInt(text);
  throw inputError(`${flag} is '${text}', not a whole number`);
}

function decimal(flag: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value >= least && value <= most) return value;
  throw inputError(`${flag} is '${text}', not a number from ${least} to ${most}`);
}

function coins(text: string): readonly Coin[] {
  return coinsWord(text, '--fees').map(({ denom, amount }) => ({
    denom: String(denom),
    amount: BigInt(String(amount)),
  }));
}
