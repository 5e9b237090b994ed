import { createEVM, type EVM, EVMError, type EVMResult } from '@ethereumjs/evm';
import { QUICK_OPCODES, type QuickCode, type QuickState, runQuick } from './quick-opcodes.ts';

/**
 * A quicker loop for the library's interpreter: jump destinations are found once a code instead of once a call, plain
 * opcodes run here (quick-opcodes.ts), and of the others only asynchronous ones are awaited.
 *
 * It uses private fields of the library, so it is a choice of each machine (`evmLoop`): without it the library's own loop
 * runs, with the same results. A test holds both against each other. The interpreter's class is not exported: a run of one
 * STOP shows it.
 */
export async function quicken(machine: EVM): Promise<void> {
  QUICK_MACHINES.add(machine);
  const evm = await createEVM();
  const { runState } = await evm.runCode({ code: Uint8Array.of(0), gasLimit: 1_000n });
  const interpreter = Object.getPrototypeOf(runState?.interpreter) as Interpreter & { [QUICK]?: true };
  if (interpreter[QUICK] === true) return;
  interpreter[QUICK] = true;
  const analyse = interpreter._getValidJumpDestinations;
  /** By the rules, which give opcodes their costs, and by the code. */
  const analyses = new WeakMap<object, WeakMap<Uint8Array, KnownCode>>();
  const slow = interpreter.run;

  interpreter.run = async function run(this: Interpreter, code, options = {}) {
    if (options.pc !== undefined || !QUICK_MACHINES.has(this._evm)) return slow.call(this, code, options);
    const known = analyses.get(this.common) ?? new WeakMap<Uint8Array, KnownCode>();
    analyses.set(this.common, known);
    let analysis = known.get(code);
    if (analysis === undefined) {
      analysis = knownCode(code, analyse.call(this, code));
      known.set(code, analysis);
    }
    const state = this._runState;
    state.code = code;
    state.validJumps = analysis.jumps;
    state.cachedPushes = analysis.pushes;
    state.shouldDoJumpAnalysis = false;
    try {
      await execute(state, this.common, analysis);
    } catch (error) {
      if (!isEvmError(error)) throw error;
      if (error.error !== EVMError.errorMessages.STOP) return { runState: state, exceptionError: error };
    }
    return { runState: state, exceptionError: undefined };
  };
}

async function execute(state: RunState, rules: unknown, known: KnownCode): Promise<void> {
  const { opcodesCached: opcodes } = known;
  for (;;) {
    runQuick(state, known);
    if (state.programCounter >= state.code.length) return;
    const { opcodeInfo, gasHandler, opHandler } = opcodes[state.programCounter] as Opcode;
    state.opCode = opcodeInfo.code;
    let gas = opcodeInfo.feeBigInt;
    if (opcodeInfo.dynamicGas) {
      const dynamic = gasHandler(state, gas, rules);
      gas = typeof dynamic === 'bigint' ? dynamic : await dynamic;
    }
    if (opcodeInfo.isInvalid) throw new EVMError(EVMError.errorMessages.INVALID_OPCODE);
    state.gasLeft -= gas;
    if (state.gasLeft < 0n) {
      state.gasLeft = 0n;
      throw new EVMError(EVMError.errorMessages.OUT_OF_GAS);
    }
    state.programCounter++;
    const done = opHandler(state, rules);
    // metered opcodes are all marked as asynchronous
    if (done instanceof Promise) await done;
  }
}

interface KnownCode extends Analysis, QuickCode {}

function knownCode(code: Uint8Array, analysis: Analysis): KnownCode {
  const { opcodesCached, pushes } = analysis;
  const costs = new Int32Array(256).fill(-1);
  const pushed: (bigint | undefined)[] = new Array(code.length).fill(undefined);
  for (const [at, opcode] of opcodesCached.entries()) {
    // what a PUSH pushes is no opcode
    if (opcode === undefined) continue;
    const { code: byte, fee, isInvalid } = opcode.opcodeInfo;
    if (byte >= 0x60 && byte < 0x80) pushed[at] = pushes[at + 1] ?? 0n;
    if (!isInvalid && QUICK_OPCODES.includes(byte)) costs[byte] = fee;
  }
  return { ...analysis, costs, pushed };
}

function isEvmError(error: unknown): error is EVMError {
  return error instanceof EVMError;
}

const QUICK = Symbol('quick');
const QUICK_MACHINES = new WeakSet<EVM>();

/** Of the library's interpreter.js, what the loop needs. */
interface Interpreter {
  readonly _runState: RunState;
  readonly _evm: EVM;
  readonly common: object;
  run(
    code: Uint8Array,
    options?: { readonly pc?: number },
  ): Promise<{ runState: RunState; exceptionError: EVMResult['execResult']['exceptionError'] }>;
  _getValidJumpDestinations(code: Uint8Array): Analysis;
}

interface RunState extends QuickState {
  opCode: number;
  code: Uint8Array;
  validJumps: Uint8Array;
  cachedPushes: unknown;
  shouldDoJumpAnalysis: boolean;
}

interface Analysis {
  readonly jumps: Uint8Array;
  readonly pushes: Readonly<Record<number, bigint>>;
  /** None where a PUSH's bytes stand. */
  readonly opcodesCached: readonly (Opcode | undefined)[];
}

interface Opcode {
  readonly opcodeInfo: {
    readonly code: number;
    readonly fee: number;
    readonly feeBigInt: bigint;
    readonly dynamicGas: boolean;
    readonly isInvalid: boolean;
  };
  gasHandler(state: RunState, gas: bigint, rules: unknown): bigint | Promise<bigint>;
  opHandler(state: RunState, rules: unknown): unknown;
}
