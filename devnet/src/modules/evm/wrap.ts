import { bytesToBase64 } from 'strata-kit/bytes';
import type { Codec } from 'strata-kit/codec/codec';
import type { ChainParameters } from '../../app/parameters.ts';
import { EXTENSION, MSG_ETHEREUM_TX } from './ante.ts';
import { createTransactionReader, type EthereumTx } from './transaction.ts';

/**
 * The tx of the chain that carries a signed Ethereum tx: no signatures, the fee as it is offered. Errors: those of the
 * reader (sdk/2, 21, 24, 28, 37).
 */
export function wrapEthereumTx(
  codec: Codec,
  parameters: ChainParameters,
  raw: Uint8Array,
  read: (raw: Uint8Array) => EthereumTx = createTransactionReader(parameters.evmChainId),
): Uint8Array {
  const { from, gasLimit, maxFeePerGas } = read(raw);
  const fee = gasLimit * maxFeePerGas;
  const body = codec.encode('/cosmos.tx.v1beta1.TxBody', {
    messages: [{ '@type': MSG_ETHEREUM_TX, from: bytesToBase64(from), raw: bytesToBase64(raw) }],
    extension_options: [{ '@type': EXTENSION }],
  });
  const authInfo = codec.encode('/cosmos.tx.v1beta1.AuthInfo', {
    fee: {
      amount: fee === 0n ? [] : [{ denom: parameters.evmDenom, amount: String(fee) }],
      gas_limit: String(gasLimit),
    },
  });
  return codec.encode('/cosmos.tx.v1beta1.TxRaw', {
    body_bytes: bytesToBase64(body),
    auth_info_bytes: bytesToBase64(authInfo),
  });
}
