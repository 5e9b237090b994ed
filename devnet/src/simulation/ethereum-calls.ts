import { AbiCoder } from 'ethers';
import { encodeBech32 } from 'strata-kit/address';
import { bytesToHex } from 'strata-kit/bytes';
import { createGasMeter } from '../app/gas.ts';
import type { Context } from '../app/module.ts';
import type { ChainParameters } from '../app/parameters.ts';
import { CODES, EthereumError, serverError } from '../evm-rpc/errors.ts';
import { data } from '../evm-rpc/hex.ts';
import { account, setSequence } from '../modules/auth/keeper.ts';
import { baseFee } from '../modules/evm/fees.ts';
import type { AccessListEntry } from '../modules/evm/intrinsic-gas.ts';
import { intrinsicGasOf } from '../modules/evm/intrinsic-gas.ts';
import type { Machine, Outcome } from '../modules/evm/machine.ts';
import { secondsOf } from '../modules/evm/messages.ts';
import { precompileCode, stableAddress } from '../modules/evm/precompiles.ts';
import { openSession } from '../modules/evm/session.ts';
import { codeAt } from '../modules/evm/state-manager.ts';
import { extendedBalance } from '../modules/precisebank/keeper.ts';
import { createOverlay } from '../state/overlay.ts';
import type { Reader } from '../state/state.ts';
import { SIMULATION_GAS } from './limits.ts';

/** Executions that leave nothing: eth_call and eth_estimateGas. */

export interface CallRequest {
  readonly from: Uint8Array;
  readonly to: Uint8Array | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly gas: bigint | undefined;
  /** What a unit may cost; 0 unless given: nothing is paid. */
  readonly price: bigint;
  readonly accessList: readonly AccessListEntry[];
}

/** The block that an execution sees. */
export interface CallMoment {
  readonly height: number;
  readonly timeNs: bigint;
  readonly blockHash: Uint8Array;
  /** 20 bytes. */
  readonly proposer: Uint8Array;
}

export interface World {
  readonly parameters: ChainParameters;
  readonly machine: Machine;
  readonly reader: Reader;
  readonly moment: CallMoment;
}

const TX_GAS = 21_000n;

/** What the call returns. Errors: 3 with the revert's data, -32000 for what else stops it. */
export async function call(world: World, request: CallRequest): Promise<Uint8Array> {
  const outcome = await tryCall(world, request, request.gas ?? SIMULATION_GAS);
  if (outcome.vmError !== '') throw executionError(outcome);
  return outcome.ret;
}

/** The least gas with which it succeeds, found by halving as go-ethereum does. Errors: as `call`. */
export async function estimateGas(world: World, request: CallRequest): Promise<bigint> {
  if (isPlainTransfer(world, request) && (await tryCall(world, request, TX_GAS)).vmError === '')
    return TX_GAS;
  const highest = mostGas(world, request);
  const first = await tryCall(world, request, highest);
  if (first.vmError !== '') {
    if (first.vmError === 'out of gas') throw serverError(`gas required exceeds allowance (${highest})`);
    throw executionError(first);
  }
  let low = first.gasUsed - 1n;
  let high = highest;
  // what a call down the stack is left with is 63 parts of 64
  const guess = ((first.maxGasUsed + 2_300n) * 64n) / 63n;
  if (guess < high) {
    if ((await tryCall(world, request, guess)).vmError === '') high = guess;
    else low = guess;
  }
  while (low + 1n < high && (high - low) * 1_000n > high * 15n) {
    const middle = (low + high) / 2n;
    if ((await tryCall(world, request, middle)).vmError === '') high = middle;
    else low = middle;
  }
  return high;
}

function isPlainTransfer(
  { parameters, reader }: World,
  { to, data: bytes, accessList }: CallRequest,
): boolean {
  if (to === undefined || bytes.length > 0 || accessList.length > 0) return false;
  const tokens = precompileCode(reader, stableAddress(parameters));
  return codeAt({ state: reader, precompileCode: tokens }, bytesToHex(to)).length === 0;
}

/** What is allowed, what was asked for, or what the sender can pay. */
function mostGas({ reader, parameters }: World, { from, value, gas, price }: CallRequest): bigint {
  let most = gas === undefined || gas > SIMULATION_GAS ? SIMULATION_GAS : gas;
  if (price === 0n) return most;
  const held = extendedBalance(reader, parameters, encodeBech32(parameters.hrp, from));
  if (held < value) throw insufficientFunds();
  const payable = (held - value) / price;
  if (payable < most) most = payable;
  return most;
}

async function tryCall(world: World, request: CallRequest, gas: bigint): Promise<Outcome> {
  const { parameters, machine, reader, moment } = world;
  const gasLimit = gas > SIMULATION_GAS ? SIMULATION_GAS : gas;
  const intrinsicGas = intrinsicGasOf(request);
  if (gasLimit < intrinsicGas)
    return {
      gasUsed: gasLimit,
      maxGasUsed: gasLimit,
      vmError: 'out of gas',
      ret: new Uint8Array(0),
      logs: [],
      balanceChanges: [],
    };
  const { timeNs, height, blockHash, proposer } = moment;
  const context: Context = {
    state: createOverlay(reader),
    parameters,
    height,
    timeNs,
    blockHash,
    gas: createGasMeter(),
    emit: () => undefined,
    emitPlain: () => undefined,
  };
  const sender = encodeBech32(parameters.hrp, request.from);
  if (extendedBalance(reader, parameters, sender) < request.value) throw insufficientFunds();
  setSequence(context, sender, (account(reader, sender)?.sequence ?? 0n) + 1n);
  return machine.execute(
    openSession(context).session,
    {
      height: BigInt(height),
      timestamp: secondsOf(timeNs),
      coinbase: proposer,
      baseFee: baseFee(parameters),
    },
    { ...request, gasLimit, intrinsicGas, gasPrice: request.price },
  );
}

function insufficientFunds(): EthereumError {
  return serverError('insufficient funds for gas * price + value');
}

const ERROR_STRING = '08c379a0';

function executionError({ vmError, ret }: Outcome): EthereumError {
  if (vmError !== 'execution reverted') return serverError(vmError);
  const reason = reasonOf(ret);
  const message = reason === undefined ? vmError : `${vmError}: ${reason}`;
  return new EthereumError(CODES.revert, message, data(ret));
}

/** Undefined where the data is no Error(string). */
function reasonOf(ret: Uint8Array): string | undefined {
  if (Buffer.from(ret.subarray(0, 4)).toString('hex') !== ERROR_STRING) return undefined;
  try {
    return String(AbiCoder.defaultAbiCoder().decode(['string'], ret.subarray(4))[0]);
  } catch {
    // a contract may revert with any bytes: these are shown as they are
    return undefined;
  }
}
