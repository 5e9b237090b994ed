import type { PackedAny, PackedContent } from 'strata-kit/client/sign-direct';
import { signTx, type TxSigner } from 'strata-kit/client/tx';
import type { Json, JsonObject } from 'strata-kit/proto-json';
import { leastFee } from '../app/gas-price.ts';
import type { ChainParameters } from '../app/parameters.ts';
import type { Account } from './accounts.ts';
import { type SignedEthereumTx, signEthereumPayload, wrapEthereumPayloads } from './sign-ethereum.ts';
import type { AnteFault, CosmosPlan, EthereumPlan, TxPlan } from './step.ts';

/** From a plan to the bytes of a tx. */

export interface MessageEncoder {
  encode(typeUrl: string, message: JsonObject): Uint8Array;
}

/** An account's number and the sequence of its next tx. */
export interface Standing {
  readonly number: bigint;
  readonly sequence: bigint;
}

const BASE_GAS = 150_000n;
const MESSAGE_GAS = 250_000n;
const ETHEREUM_GAS = 500_000n;
/** Of the SDK's default parameters. */
const MAX_MEMO_CHARS = 256;

export function createTxMaker(
  parameters: ChainParameters,
  encoder: MessageEncoder,
): (plan: TxPlan, standingOf: (account: Account) => Standing) => Uint8Array {
  const resolve = (message: JsonObject): PackedAny => {
    const { '@type': type, ...fields } = message;
    const typeUrl = String(type).replace('<ns>', parameters.namespace);
    return { typeUrl, value: encoder.encode(typeUrl, fields as Readonly<Record<string, Json>>) };
  };

  function cosmosTx(plan: CosmosPlan, standingOf: (account: Account) => Standing): Uint8Array {
    const gasLimit = plan.gasLimit ?? BASE_GAS + MESSAGE_GAS * BigInt(plan.messages.length);
    const tx: CosmosTx = {
      messages: plan.messages.map(resolve),
      signers: plan.signers.map((account) => {
        const { number, sequence } = standingOf(account);
        return { key: account, accountNumber: number, sequence };
      }),
      chainId: parameters.chainId,
      fee: [{ denom: parameters.gasDenom, amount: leastFee(parameters, gasLimit) }],
      gasLimit,
      memo: plan.memo ?? '',
    };
    return plan.fault === undefined ? signCosmosTx(tx) : signFaulty(tx, plan.fault);
  }

  function signed(plan: EthereumPlan, sequence: bigint): SignedEthereumTx {
    const tx = {
      type: plan.type ?? 'dynamic-fee',
      from: plan.from,
      nonce: sequence + (plan.nonceOffset ?? 0n),
      chainId: parameters.evmChainId,
      to: plan.to,
      value: plan.value ?? 0n,
      data: plan.data ?? new Uint8Array(),
      gasLimit: plan.gasLimit ?? ETHEREUM_GAS,
      gasPrice: parameters.minGasPrice,
      gasDenom: parameters.evmDenom,
    };
    return { tx, payload: signEthereumPayload(tx) };
  }

  function ethereumTx(
    plans: readonly EthereumPlan[],
    standingOf: (account: Account) => Standing,
  ): Uint8Array {
    const before = (at: number): bigint =>
      BigInt(plans.slice(0, at).filter(({ from }) => from === plans[at]?.from).length);
    return wrapEthereumPayloads(
      plans.map((plan, at) => signed(plan, standingOf(plan.from).sequence + before(at))),
    );
  }

  return (plan, standingOf) => {
    if (plan.kind === 'cosmos') return cosmosTx(plan, standingOf);
    return ethereumTx(plan.kind === 'ethereum' ? [plan] : plan.txs, standingOf);
  };
}

interface CosmosTx extends PackedContent {
  readonly signers: readonly TxSigner[];
  readonly chainId: string;
}

function signCosmosTx(tx: CosmosTx): Uint8Array {
  return signTx(tx, tx.signers, tx.chainId);
}

function signFaulty(tx: CosmosTx, fault: AnteFault): Uint8Array {
  const shifted = (by: bigint): CosmosTx => ({
    ...tx,
    signers: tx.signers.map((signer) => ({ ...signer, sequence: signer.sequence + by })),
  });
  const halfFee = tx.fee.map(({ denom, amount }) => ({ denom, amount: BigInt(amount) / 2n }));
  const hugeFee = tx.fee.map(({ denom }) => ({ denom, amount: 10n ** 40n }));
  switch (fault) {
    case 'sequence ahead':
      return signCosmosTx(shifted(3n));
    case 'sequence behind':
      return signCosmosTx(shifted(-1n));
    case 'fee too small':
      return signCosmosTx({ ...tx, fee: halfFee });
    case 'no fee':
      return signCosmosTx({ ...tx, fee: [] });
    case 'fee beyond the balance':
      return signCosmosTx({ ...tx, fee: hugeFee });
    case 'another chain':
      return signCosmosTx({ ...tx, chainId: `${tx.chainId}-other` });
    case 'timed out':
      return signCosmosTx({ ...tx, timeoutHeight: 1n });
    case 'memo too long':
      return signCosmosTx({ ...tx, memo: 'm'.repeat(MAX_MEMO_CHARS + 1) });
    case 'bad signature': {
      const bytes = signCosmosTx(tx);
      // the last byte is the signature's
      bytes[bytes.length - 1] = (bytes[bytes.length - 1] as number) ^ 1;
      return bytes;
    }
  }
}
