import { isObject } from 'strata-kit/json';
import type { FailedTxFact } from '../../derive/facts.ts';

/** As the SDK's baseapp begins the log of a tx that a message failed. */
const MESSAGE_INDEX = /^failed to execute message; message index: (\d{1,9}):/;
/** Of 2^255. */
const MOST_DIGITS = 77;
const AMOUNT_END = 1n << 255n;
const REMOTE = /^0x[0-9a-f]{64}$/i;

/** What the sender of a failed MsgTransferOut asked for: of fields that may hold anything. */
export interface Attempt {
  readonly routeId: string;
  readonly sender: string;
  readonly recipient: string;
  /** 0 where the message's is no amount. */
  readonly amount: bigint;
}

/**
 * The MsgTransferOut that a failed tx of codespace bridge failed at (modules.md rule 8). Undefined where the log names
 * no message, or one of another type.
 */
export function attemptOf(
  { rawLog, msgs }: Pick<FailedTxFact, 'rawLog' | 'msgs'>,
  typeUrl: string,
): Attempt | undefined {
  const index = MESSAGE_INDEX.exec(rawLog)?.[1];
  const message = index === undefined ? undefined : parsedList(msgs)[Number(index)];
  if (!isObject(message) || message['@type'] !== typeUrl) return undefined;
  const text = (name: string): string => {
    const value = message[name];
    return typeof value === 'string' ? value : '';
  };
  return {
    routeId: text('route_id'),
    sender: text('sender'),
    recipient: remoteText(text('recipient')),
    amount: amountOf(text('amount')),
  };
}

/** An account or a message of the other chain in lower case, as hex stands everywhere; any other text as it is. */
export function remoteText(text: string): string {
  return REMOTE.test(text) ? text.toLowerCase() : text;
}

function parsedList(json: string): readonly unknown[] {
  try {
    const list: unknown = JSON.parse(json);
    return Array.isArray(list) ? list : [];
  } catch (error) {
    // a message's text is the sender's: it must not stop the indexer
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function amountOf(digits: string): bigint {
  if (digits.length > MOST_DIGITS || !/^(?:0|[1-9]\d*)$/.test(digits)) return 0n;
  const amount = BigInt(digits);
  return amount < AMOUNT_END ? amount : 0n;
}
