import { ChainError } from 'strata-kit/chain-error';

/** How a tx says that it failed. */
export interface TxFailure {
  readonly codespace: string;
  readonly code: number;
  readonly log: string;
}

/**
 * What nobody foresaw becomes a failed tx of codespace `undefined` with code 1, as the SDK says it, and is told to
 * `onUnforeseen`: it is a defect of the chain.
 */
export function failureOf(error: unknown, onUnforeseen: (error: unknown) => void): TxFailure {
  if (error instanceof ChainError)
    return { codespace: error.codespace, code: error.code, log: error.message };
  onUnforeseen(error);
  return { codespace: 'undefined', code: 1, log: 'internal error' };
}

/** Of a message; out of gas ends the whole tx and is told without the message. */
export function messageFailure({ codespace, code, log }: TxFailure, messageIndex: number): TxFailure {
  if (codespace === 'sdk' && code === 11) return { codespace, code, log };
  return { codespace, code, log: `failed to execute message; message index: ${messageIndex}: ${log}` };
}
