import { EVMError, type PrecompileFunc } from '@ethereumjs/evm';
import { keccak256, sha256 } from 'strata-kit/hash';
import { recoverPoint } from 'strata-kit/secp256k1';
import { precompileNs, type WorkMeter } from './work.ts';

/** Native code and WebAssembly in place of the library's JavaScript, for Common's `customCrypto`. */
export const NATIVE_CRYPTO = {
  keccak256,
  sha256,
  /** The 64 bytes of the public key. `v` is 27 or 28. Errors: where no key has made the signature. */
  ecrecover(hash: Uint8Array, v: bigint, r: Uint8Array, s: Uint8Array): Uint8Array {
    const signature = new Uint8Array(64);
    signature.set(r, 0);
    signature.set(s, 32);
    return recoverPoint(signature, Number(v) - 27, hash);
  },
};

/** EIP-4844's point evaluation: this chain has no blobs and no trusted setup for it. */
const POINT_EVALUATION = 10;

type Result = Awaited<ReturnType<PrecompileFunc>>;

/** A precompile of the library, by its number, with the gas that its work costs here. */
export function metered(number: number, run: PrecompileFunc, meter: WorkMeter): PrecompileFunc {
  if (number === POINT_EVALUATION)
    return ({ gasLimit }) => failed(EVMError.errorMessages.INVALID_INPUTS, gasLimit);
  return (input) => {
    const extra = meter.charge(precompileNs(number, input.data), 0n);
    if (extra > input.gasLimit) return failed(EVMError.errorMessages.OUT_OF_GAS, input.gasLimit);
    const result = run({ ...input, gasLimit: input.gasLimit - extra });
    return result instanceof Promise ? result.then(paid) : paid(result);

    function paid(one: Result): Result {
      meter.pay(one.executionGasUsed);
      return { ...one, executionGasUsed: one.executionGasUsed + extra };
    }
  };
}

function failed(error: string, gas: bigint): Result {
  return {
    exceptionError: new EVMError(error as EVMError['error']),
    returnValue: new Uint8Array(0),
    executionGasUsed: gas,
  };
}
