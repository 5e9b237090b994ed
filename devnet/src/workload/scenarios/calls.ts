import { concatBytes, hexToBytes, utf8ToBytes } from 'strata-kit/bytes';
import { keccak256 } from 'strata-kit/hash';
import type { AbiValue } from '../abi.ts';
import { encodeCall } from '../abi.ts';
import type { Account } from '../accounts.ts';
import { ETHEREUM_TX_TYPES } from '../sign-ethereum.ts';
import type { Stage } from '../stage.ts';
import { type EthereumPlan, expectSuccess, type Outcome, type Steps, Surprise, sendAny } from '../step.ts';

/** Calls of contracts. */

/** Far beyond any block's time, in seconds. */
export const NO_DEADLINE = 2n ** 40n;
export const FOREVER = 2n ** 256n - 1n;

export interface CallOptions {
  readonly value?: bigint;
  readonly gasLimit?: bigint;
}

/** In any of the three kinds of txs. */
export function call(
  stage: Stage,
  from: Account,
  to: Uint8Array | undefined,
  data: Uint8Array,
  options: CallOptions = {},
): EthereumPlan {
  return { kind: 'ethereum', from, to, data, type: stage.random.pick(ETHEREUM_TX_TYPES), ...options };
}

/** A call that does what it is meant to. Errors: Surprise. */
export function* does(
  stage: Stage,
  from: Account,
  to: Uint8Array,
  signature: string,
  values: readonly AbiValue[],
  options?: CallOptions,
): Steps<Outcome> {
  const outcome = yield* sendAny(call(stage, from, to, encodeCall(signature, values), options));
  expectSuccess(outcome);
  const failed = failureOf(outcome);
  if (failed !== undefined) throw new Surprise(`${signature}: ${failed}`);
  return outcome;
}

/** A call that ends in the EVM: the tx has code 0, gas is paid, nothing else happens. Errors: Surprise. */
export function* reverts(plan: EthereumPlan): Steps<Outcome> {
  const outcome = yield* sendAny(plan);
  expectSuccess(outcome);
  if (failureOf(outcome) === undefined) throw new Surprise('a call did not fail');
  return outcome;
}

/** The VM's error as the event `ethereum_tx` names it; undefined for a success. */
export function failureOf({ events }: Outcome): string | undefined {
  return events
    .filter(({ type }) => type === 'ethereum_tx')
    .flatMap(({ attributes }) => attributes)
    .find(([key]) => key === 'ethereumTxFailed')?.[1];
}

/** keccak256 of the pair's creation code in @uniswap/v2-core 1.0.1, which the router has in its own code. */
const PAIR_CODE_HASH = hexToBytes('96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f');

/** Where the factory makes the pair of two tokens (CREATE2). */
export function pairOf(factory: Uint8Array, a: Uint8Array, b: Uint8Array): Uint8Array {
  const sorted = Buffer.compare(a, b) < 0 ? [a, b] : [b, a];
  const salt = keccak256(concatBytes(sorted));
  const hash = PAIR_CODE_HASH ?? utf8ToBytes('');
  return keccak256(concatBytes([Uint8Array.of(0xff), factory, salt, hash])).slice(12);
}
