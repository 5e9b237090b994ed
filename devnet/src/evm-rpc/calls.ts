import { hexToBytes } from 'strata-kit/bytes';
import type { Caller } from 'strata-kit/http/caller';
import type { Json } from 'strata-kit/proto-json';
import type { AccessListEntry } from '../modules/evm/intrinsic-gas.ts';
import type { CallMoment, CallRequest } from '../simulation/ethereum-calls.ts';
import { SimulationStop } from '../simulation/stop.ts';
import { CODES, EthereumError, invalidParams, serverError } from './errors.ts';
import { data } from './hex.ts';
import { blockHashBytes, type EthereumNode, type Standpoint, standpointOf } from './node.ts';
import { addressParam, bytesParam, objectParam, optional, quantityParam } from './params.ts';

/** eth_call and eth_estimateGas: they execute in a thread of their own (devnet/src/simulation). */

const NOBODY = new Uint8Array(20);

/** What the call returns. Errors: 3 with the revert's data, -32005 when too many wait, -32000 for what else stops it. */
export async function call(node: EthereumNode, params: readonly Json[], caller: Caller): Promise<Json> {
  const request = readRequest(params[0]);
  refuseOverrides(params[2]);
  const at = standpointOf(node, params[1]);
  const simulation = { kind: 'call', request, moment: momentOf(at) } as const;
  return data(await stoppable(node.simulations.ethereumCall(simulation, at.height, caller)));
}

/** The least gas with which it succeeds. Errors: as `call`. */
export async function estimateGas(
  node: EthereumNode,
  params: readonly Json[],
  caller: Caller,
): Promise<bigint> {
  const request = readRequest(params[0]);
  refuseOverrides(params[2]);
  const at = standpointOf(node, params[1]);
  const simulation = { kind: 'estimate', request, moment: nextOf(momentOf(at)) } as const;
  return stoppable(node.simulations.estimateGas(simulation, at.height, caller));
}

async function stoppable<T>(result: Promise<T>): Promise<T> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof SimulationStop) || error.reason === 'failed') throw error;
    if (error.reason === 'busy' || error.reason === 'no_thread')
      throw new EthereumError(CODES.limit, error.message);
    throw serverError(error.message);
  }
}

function momentOf({ height, timeNs, block }: Standpoint): CallMoment {
  const proposer = block === undefined ? undefined : hexToBytes(block.header.proposerAddress);
  return { height, timeNs, blockHash: blockHashBytes(block), proposer: proposer ?? NOBODY };
}

/**
 * The block that comes next, a second later: contracts that look at the time, as Uniswap's pairs do, need more gas in a
 * later block than in the one that they were changed in.
 */
function nextOf(moment: CallMoment): CallMoment {
  const { height, timeNs } = moment;
  return { ...moment, height: height + 1, timeNs: timeNs + SECOND_NS };
}

const SECOND_NS = 1_000_000_000n;

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
