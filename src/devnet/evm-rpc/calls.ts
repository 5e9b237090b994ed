import { AbiCoder } from 'ethers';
import { encodeBech32 } from '../../core/address.ts';
import { hexToBytes } from '../../core/bytes.ts';
import { createGasMeter } from '../app/gas.ts';
import type { Context } from '../app/module.ts';
import type { Json } from '../json.ts';
import { account, setSequence } from '../modules/auth/keeper.ts';
import { balance } from '../modules/bank/keeper.ts';
import { baseFee } from '../modules/evm/fees.ts';
import type { AccessListEntry } from '../modules/evm/intrinsic-gas.ts';
import { intrinsicGasOf } from '../modules/evm/intrinsic-gas.ts';
import { BLOCK_GAS_LIMIT, type Outcome } from '../modules/evm/machine.ts';
import { secondsOf } from '../modules/evm/messages.ts';
import { openSession } from '../modules/evm/session.ts';
import { createOverlay } from '../state/overlay.ts';
import { CODES, EthereumError, invalidParams, serverError } from './errors.ts';
import { data } from './hex.ts';
import { blockHashBytes, codeSeenAt, type EthereumNode, type Standpoint, standpointOf } from './node.ts';
import { addressParam, bytesParam, objectParam, optional, quantityParam } from './params.ts';

/** Executions that leave nothing: eth_call and eth_estimateGas. */

interface CallRequest {
  readonly from: Uint8Array;
  readonly to: Uint8Array | undefined;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly gas: bigint | undefined;
  /** What a unit may cost; 0 unless given: nothing is paid. */
  readonly price: bigint;
  readonly accessList: readonly AccessListEntry[];
}

const NOBODY = new Uint8Array(20);
const TX_GAS = 21_000n;

/** What the call returns. Errors: 3 with the revert's data, -32000 for what else stops it. */
export async function call(node: EthereumNode, params: readonly Json[]): Promise<Json> {
  const request = readRequest(params[0]);
  refuseOverrides(params[2]);
  const at = standpointOf(node, params[1]);
  const outcome = await tryCall(node, at, request, request.gas ?? BLOCK_GAS_LIMIT);
  if (outcome.vmError !== '') throw executionError(outcome);
  return data(outcome.ret);
}

/** The least gas with which it succeeds, found by halving as go-ethereum does. Errors: as `call`. */
export async function estimateGas(node: EthereumNode, params: readonly Json[]): Promise<bigint> {
  const request = readRequest(params[0]);
  refuseOverrides(params[2]);
  const at = nextOf(standpointOf(node, params[1]));
  if (isPlainTransfer(node, at, request) && (await tryCall(node, at, request, TX_GAS)).vmError === '')
    return TX_GAS;
  const highest = mostGas(node, at, request);
  const first = await tryCall(node, at, request, highest);
  if (first.vmError !== '') {
    if (first.vmError === 'out of gas') throw serverError(`gas required exceeds allowance (${highest})`);
    throw executionError(first);
  }
  let low = first.gasUsed - 1n;
  let high = highest;
  // what a call down the stack is left with is 63 parts of 64
  const guess = ((first.maxGasUsed + 2_300n) * 64n) / 63n;
  if (guess < high) {
    if ((await tryCall(node, at, request, guess)).vmError === '') high = guess;
    else low = guess;
  }
  while (low + 1n < high && (high - low) * 1_000n > high * 15n) {
    const middle = (low + high) / 2n;
    if ((await tryCall(node, at, request, middle)).vmError === '') high = middle;
    else low = middle;
  }
  return high;
}

/**
 * The block that comes next, a second later: contracts that look at the time, as Uniswap's pairs do, need more gas in a
 * later block than in the one that they were changed in.
 */
function nextOf(at: Standpoint): Standpoint {
  const { height, timeNs } = at;
  return { ...at, height: height + 1, timeNs: timeNs + SECOND_NS };
}

const SECOND_NS = 1_000_000_000n;

function isPlainTransfer(
  node: EthereumNode,
  { reader }: Standpoint,
  { to, data: bytes, accessList }: CallRequest,
): boolean {
  if (to === undefined || bytes.length > 0 || accessList.length > 0) return false;
  return codeSeenAt(node, reader, to).length === 0;
}

function readRequest(param: Json | undefined): CallRequest {
  const request = objectParam(param, 'transaction');
  const from = optional(request.from, 'from', addressParam) ?? NOBODY;
  const list = optional(request.accessList, 'accessList', readAccessList) ?? [];
  return {
    from,
    to: optional(request.to, 'to', addressParam),
    value: optional(request.value, 'value', quantityParam) ?? 0n,
    data: optional(request.input ?? request.data, 'data', bytesParam) ?? new Uint8Array(0),
    gas: optional(request.gas, 'gas', quantityParam),
    price: optional(request.maxFeePerGas ?? request.gasPrice, 'gasPrice', quantityParam) ?? 0n,
    accessList: list,
  };
}

function readAccessList(value: Json | undefined): AccessListEntry[] {
  if (!Array.isArray(value)) throw invalidParams('invalid argument: accessList is no list');
  return (value as readonly Json[]).map((entry) => {
    const { address, storageKeys } = objectParam(entry, 'accessList');
    const slots = Array.isArray(storageKeys) ? (storageKeys as readonly Json[]) : [];
    return {
      address: addressParam(address, 'accessList'),
      slots: slots.map((slot) => bytesParam(slot, 'storageKeys')),
    };
  });
}

function refuseOverrides(value: Json | undefined): void {
  if (value !== undefined && value !== null) throw invalidParams('state overrides are not served');
}

/** A block's, what was asked for, or what the sender can pay. */
function mostGas(
  node: EthereumNode,
  { reader }: Standpoint,
  { from, value, gas, price }: CallRequest,
): bigint {
  const { hrp, gasDenom } = node.parameters;
  let most = gas === undefined || gas > BLOCK_GAS_LIMIT ? BLOCK_GAS_LIMIT : gas;
  if (price === 0n) return most;
  const held = balance(reader, encodeBech32(hrp, from), gasDenom);
  if (held < value) throw insufficientFunds();
  const payable = (held - value) / price;
  if (payable < most) most = payable;
  return most;
}

function tryCall(node: EthereumNode, at: Standpoint, request: CallRequest, gas: bigint): Promise<Outcome> {
  const { parameters } = node;
  const gasLimit = gas > BLOCK_GAS_LIMIT ? BLOCK_GAS_LIMIT : gas;
  const intrinsicGas = intrinsicGasOf(request);
  if (gasLimit < intrinsicGas)
    return Promise.resolve({
      gasUsed: gasLimit,
      maxGasUsed: gasLimit,
      vmError: 'out of gas',
      ret: new Uint8Array(0),
      logs: [],
      balanceChanges: [],
    });
  const { timeNs, height } = at;
  const proposer = at.block === undefined ? undefined : hexToBytes(at.block.header.proposerAddress);
  const context: Context = {
    state: createOverlay(at.reader),
    parameters,
    height,
    timeNs,
    blockHash: blockHashBytes(at.block),
    gas: createGasMeter(),
    emit: () => undefined,
    emitPlain: () => undefined,
  };
  const sender = encodeBech32(parameters.hrp, request.from);
  if (balance(at.reader, sender, parameters.gasDenom) < request.value)
    return Promise.reject(insufficientFunds());
  setSequence(context, sender, (account(at.reader, sender)?.sequence ?? 0n) + 1n);
  return node.withMachine((machine) =>
    machine.execute(
      openSession(context).session,
      {
        height: BigInt(height),
        timestamp: secondsOf(timeNs),
        coinbase: proposer ?? NOBODY,
        baseFee: baseFee(parameters),
      },
      { ...request, gasLimit, intrinsicGas, gasPrice: request.price },
    ),
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
