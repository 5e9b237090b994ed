/**
 * A refusal: a tx that fails with a codespace, a code and a message, as the Cosmos SDK words it. Codes are stable;
 * 1 is reserved for what nobody foresaw.
 */
export class ChainError extends Error {
  readonly codespace: string;
  readonly code: number;

  constructor(codespace: string, code: number, message: string) {
    super(message);
    this.name = 'ChainError';
    this.codespace = codespace;
    this.code = code;
  }
}

/** The codes of codespace `sdk` that a node answers with (types/errors of the Cosmos SDK). */
export const SDK = {
  txDecode: 2,
  invalidSequence: 3,
  unauthorized: 4,
  insufficientFunds: 5,
  unknownRequest: 6,
  invalidAddress: 7,
  invalidPubKey: 8,
  unknownAddress: 9,
  invalidCoins: 10,
  outOfGas: 11,
  memoTooLarge: 12,
  insufficientFee: 13,
  tooManySignatures: 14,
  noSignatures: 15,
  invalidRequest: 18,
  txInMempool: 19,
  mempoolFull: 20,
  txTooLarge: 21,
  keyNotFound: 22,
  invalidSigner: 24,
  invalidHeight: 26,
  invalidChainId: 28,
  invalidType: 29,
  txTimeoutHeight: 30,
  unknownExtension: 31,
  wrongSequence: 32,
  logic: 35,
  notSupported: 37,
  notFound: 38,
  invalidGasLimit: 41,
} as const;

export function sdkError(code: keyof typeof SDK, message: string): ChainError {
  return new ChainError('sdk', SDK[code], message);
}

/**
 * Every refusal under one codespace, whichever module's keeper it came from: a tx fails with the codespace of the module
 * of its message (modules.md, section 4). Codes of keepers that others use (from 20 on) are unique over all modules,
 * so that they keep their meaning. The SDK's own stay as they are.
 */
export function underCodespace<T>(codespace: string, run: () => T): T {
  const relabel = (error: unknown): never => {
    if (!(error instanceof ChainError) || error.codespace === 'sdk' || error.codespace === codespace)
      throw error;
    throw new ChainError(codespace, error.code, error.message);
  };
  let answer: T;
  try {
    answer = run();
  } catch (error) {
    return relabel(error);
  }
  return answer instanceof Promise ? (answer.catch(relabel) as T) : answer;
}
