import { type EVMOpts, getOpcodesForHF, paramsEVM } from '@ethereumjs/evm';
import { QUICK_OPCODES } from './quick-opcodes.ts';
import { OPCODE_WORK, type OpcodeWork, type WorkMeter } from './work.ts';

type Rules = Parameters<typeof getOpcodesForHF>[0];
type AddedOpcode = Extract<NonNullable<EVMOpts['customOpcodes']>[number], { logicFunction: unknown }>;
type GasOf = NonNullable<AddedOpcode['gasFunction']>;
type RunState = Parameters<GasOf>[0];

/** A word of memory is read and written at the plain price; more is for memory that is new. */
const MEMORY_OPCODES: ReadonlySet<number> = new Set([0x51, 0x52]);

/**
 * The library's opcodes, with the gas for work beyond their price (work.ts). It takes them as `customOpcodes`. What is
 * quick has no work to speak of and stays as it is.
 */
export function meteredOpcodes(rules: Rules, meter: WorkMeter): AddedOpcode[] {
  // the prices, which the library adds when it makes an EVM
  rules.updateParams(paramsEVM);
  const { opcodes, handlers, dynamicGasHandlers } = getOpcodesForHF(rules);
  const metered: AddedOpcode[] = [];
  for (const [opcode, { name, fee, isInvalid }] of opcodes) {
    const logicFunction = handlers.get(opcode);
    const isPlain = QUICK_OPCODES.includes(opcode) && !MEMORY_OPCODES.has(opcode);
    if (isPlain || isInvalid || logicFunction === undefined) continue;
    const price = dynamicGasHandlers.get(opcode);
    const free = MEMORY_OPCODES.has(opcode) ? BigInt(fee) : 0n;
    const gasFunction = meteredGas(price, OPCODE_WORK.get(opcode), free, meter);
    metered.push({ opcode, opcodeName: name, baseFee: fee, gasFunction, logicFunction });
  }
  return metered;
}

function meteredGas(
  price: GasOf | undefined,
  work: OpcodeWork | undefined,
  free: bigint,
  meter: WorkMeter,
): GasOf {
  const priced = (state: RunState, gas: bigint): bigint => {
    if (work !== undefined) return gas + chargeWork(state, meter, work(state.stack), gas);
    meter.pay(gas - free);
    return gas;
  };
  const gasOf = (state: RunState, fee: bigint, rules: Rules) => {
    const gas = price === undefined ? fee : price(state, fee, rules);
    return typeof gas === 'bigint' ? priced(state, gas) : gas.then((known) => priced(state, known));
  };
  // the library awaits either, and its type names one at a time
  return gasOf as GasOf;
}

/** What a call passes on was reckoned before: never more than 63 parts of 64 of what is left now (EIP-150). */
function chargeWork(state: RunState, meter: WorkMeter, workNs: number, gas: bigint): bigint {
  const extra = meter.charge(workNs, gas);
  const left = state.gasLeft - gas - extra;
  if (extra > 0n && left >= 0n && state.messageGasLimit !== undefined) {
    const most = left - left / 64n;
    if (state.messageGasLimit > most) state.messageGasLimit = most;
  }
  return extra;
}
