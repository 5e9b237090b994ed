import { ChainError } from 'strata-kit/chain-error';
import { accountState, simulatedGas } from 'strata-kit/client/accounts';
import { bech32Of, type Key } from 'strata-kit/client/keys';
import { type TxContent, unsignedTx } from 'strata-kit/client/tx';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Chain } from '../chain.ts';
import { AppError } from '../errors.ts';

/** What a tx says that is only simulated, which has no limit. */
const SIMULATED_GAS = 200_000n;
/** Of what a simulation took, in hundredths: states change until a block takes the tx. */
const MARGIN = 150n;
/** Simulations that lose their sequence to a block in between, which an account with many txs on their way has often. */
const TRIES = 10;

export function feeOf({ facts }: Pick<Chain, 'facts'>, gasLimit: bigint): TxContent['fee'] {
  const amount = gasLimit * facts.minGasPrice;
  return amount === 0n ? [] : [{ denom: facts.gasDenom, amount }];
}

/**
 * The gas limit of messages of one signer: half as much again as a simulation takes. Errors: the ChainError with which the
 * tx would fail; ClientError; AppError unavailable for an account without coins, or when blocks took its sequence each time.
 */
export async function gasLimitOf(chain: Chain, key: Key, messages: readonly JsonObject[]): Promise<bigint> {
  const { codec, node, facts } = chain;
  for (let left = TRIES; ; left--) {
    const state = await accountState(codec, node, bech32Of(facts.hrp, key));
    if (state === undefined) throw noAccount(bech32Of(facts.hrp, key));
    const signer = { key, accountNumber: state.number, sequence: state.sequence };
    const content = { messages, gasLimit: SIMULATED_GAS, fee: feeOf(chain, SIMULATED_GAS) };
    try {
      const used = await simulatedGas(codec, node, unsignedTx(codec, content, [signer]));
      return (used * MARGIN + 99n) / 100n;
    } catch (error) {
      if (!(error instanceof ChainError) || !/account sequence mismatch/.test(error.message)) throw error;
      // that says nothing of the messages
      if (left <= 1) {
        throw new AppError('unavailable', `blocks took the sequence of ${TRIES} simulations`, {
          cause: error,
        });
      }
    }
  }
}

export function noAccount(address: string): AppError {
  return new AppError('unavailable', `the chain has no account ${address}: it has never been paid`);
}
