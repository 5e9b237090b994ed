import { ChainError, sdkError } from 'strata-kit/chain-error';
import { account, setSequence } from '../modules/auth/keeper.ts';
import { coinsText } from '../modules/bank/coins.ts';
import { moduleAddress, send } from '../modules/bank/keeper.ts';
import { leastFee } from './gas-price.ts';
import type { AnteContext, AnteOutcome } from './module.ts';
import { chargeSignatures, emitSignatures, takePublicKeys, verifySigners } from './signatures.ts';
import type { Tx } from './tx.ts';

/** auth's parameters, as the SDK's own defaults. */
export const AUTH_PARAMETERS = {
  maxMemoCharacters: 256,
  txSigLimit: 7,
  txSizeCostPerByte: 10,
  sigVerifyCostEd25519: 590,
  sigVerifyCostSecp256k1: 1_000,
} as const;

/** The checks before an ordinary tx, in the order and the words of the Cosmos SDK 0.53. */
export function runAnte(context: AnteContext, tx: Tx): AnteOutcome {
  const [extension] = tx.extensions;
  if (extension !== undefined) throw sdkError('unknownExtension', `${extension}: unknown extension options`);
  if (tx.isUnordered)
    throw sdkError('notSupported', 'unordered transactions are not enabled: feature not supported');
  checkSignatureCount(tx);
  checkTimeout(context, tx);
  const { maxMemoCharacters, txSizeCostPerByte } = AUTH_PARAMETERS;
  const memoBytes = Buffer.byteLength(tx.memo);
  if (memoBytes > maxMemoCharacters) {
    throw sdkError(
      'memoTooLarge',
      `maximum number of characters is ${maxMemoCharacters} but received ${memoBytes} characters: memo too large`,
    );
  }
  context.gas.consume(tx.bytes.length * txSizeCostPerByte, 'txSize');
  deductFee(context, tx);
  takePublicKeys(context, tx);
  emitSignatures(context, tx);
  checkSignatureLimit(tx);
  chargeSignatures(context, tx);
  verifySigners(context, tx);
  for (const signer of tx.signers)
    setSequence(context, signer, (account(context.state, signer)?.sequence ?? 0n) + 1n);
  return { gasWanted: tx.fee.gasLimit, chargesState: true };
}

function checkSignatureCount({ signatures, signers }: Tx): void {
  if (signatures.length === 0) throw sdkError('noSignatures', 'no signatures supplied');
  if (signatures.length !== signers.length) {
    throw sdkError(
      'unauthorized',
      `wrong number of signers; expected ${signers.length}, got ${signatures.length}: unauthorized`,
    );
  }
}

function checkSignatureLimit({ signers }: Tx): void {
  const { txSigLimit } = AUTH_PARAMETERS;
  if (signers.length > txSigLimit) {
    throw sdkError(
      'tooManySignatures',
      `signatures: ${signers.length}, limit: ${txSigLimit}: maximum number of signatures exceeded`,
    );
  }
}

function checkTimeout({ height }: AnteContext, { timeoutHeight }: Tx): void {
  if (timeoutHeight > 0n && BigInt(height) > timeoutHeight) {
    throw sdkError(
      'txTimeoutHeight',
      `block height: ${height}, timeout height: ${timeoutHeight}: tx timeout height`,
    );
  }
}

function deductFee(context: AnteContext, { fee, signers }: Tx): void {
  const { state, parameters, mode } = context;
  if (fee.granter !== '') throw sdkError('invalidRequest', 'fee grants are not enabled: invalid request');
  if (fee.gasLimit === 0n && mode !== 'simulate' && context.height > 0)
    throw sdkError('invalidGasLimit', 'must provide positive gas: invalid gas limit');
  if (mode !== 'simulate') requireFee(context, fee);
  const payer = fee.payer === '' ? (signers[0] as string) : fee.payer;
  if (account(state, payer) === undefined)
    throw sdkError('unknownAddress', `fee payer address: ${payer} does not exist: unknown address`);
  const coins = fee.coins.filter(({ amount }) => amount > 0n);
  if (coins.length > 0) {
    try {
      send(context, payer, moduleAddress(parameters, 'fee_collector'), coins);
    } catch (error) {
      // as the SDK wraps it once more
      if (!(error instanceof ChainError) || error.code !== 5) throw error;
      throw sdkError('insufficientFunds', `${error.message}: insufficient funds`);
    }
  }
  context.emitPlain('tx', [
    ['fee', coinsText(fee.coins)],
    ['fee_payer', payer],
  ]);
}

/** In the gas denom alone, at the least price or above. */
function requireFee({ parameters }: AnteContext, fee: Tx['fee']): void {
  const { gasDenom } = parameters;
  const required = leastFee(parameters, fee.gasLimit);
  const [coin] = fee.coins;
  const given = coin?.denom === gasDenom && fee.coins.length === 1 ? coin.amount : 0n;
  if (given < required || (fee.coins.length > 0 && coin?.denom !== gasDenom) || fee.coins.length > 1) {
    throw sdkError(
      'insufficientFee',
      `insufficient fees; got: ${coinsText(fee.coins)} required: ${required}${gasDenom}: insufficient fee`,
    );
  }
}
