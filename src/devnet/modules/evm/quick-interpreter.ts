import { createEVM, type EVM, EVMError, type EVMResult } from '@ethereumjs/evm';

/**
 * A quicker loop for the library's interpreter: jump destinations are found once a code instead of once a call, and only
 * opcodes that are asynchronous are awaited. A Uniswap swap takes less than half the time (docs/devnet.md); a test holds
 * both loops against each other. The interpreter's class is not exported: a run of one STOP shows it.
 */
export async function quickenInterpreter(): Promise<void> {
  const evm = await createEVM();
  const { runState } = await evm.runCode({ code: Uint8Array.of(0), gasLimit: 1_000n });
  const interpreter = Object.getPrototypeOf(runState?.interpreter) as Interpreter & { [QUICK]?: true };
  if (interpreter[QUICK] === true) return;
  interpreter[QUICK] = true;
  const analyses = new WeakMap<Uint8Array, Analysis>();
  const analyse = interpreter._getValidJumpDestinations;
  const slow = interpreter.run;

  interpreter.run = async function run(this: Interpreter, code, options = {}) {
    if (options.pc !== undefined || this._evm.events.listenerCount('step') > 0)
      return slow.call(this, code, options);
    let analysis = analyses.get(code);
    if (analysis === undefined) {
      analysis = analyse.call(this, code);
      analyses.set(code, analysis);
    }
    const state = this._runState;
    state.code = code;
    state.validJumps = analysis.jumps;
    state.cachedPushes = analysis.pushes;
    state.shouldDoJumpAnalysis = false;
    try {
      await execute(state, this.common, code.length, analysis.opcodesCached);
    } catch (error) {
      if (!isEvmError(error)) throw error;
      if (error.error !== EVMError.errorMessages.STOP) return { runState: state, exceptionError: error };
    }
    return { runState: state, exceptionError: undefined };
  };
}

async function execute(
  state: RunState,
  rules: unknown,
  length: number,
  opcodes: readonly Opcode[],
): Promise<void> {
  while (state.programCounter < length) {
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
    if (opcodeInfo.isAsync) await done;
  }
}

function isEvmError(error: unknown): error is EVMError {
  return error instanceof EVMError;
}

const QUICK = Symbol('quick');

/** Of the library's interpreter.js, what the loop needs. */
interface Interpreter {
  readonly _runState: RunState;
  readonly _evm: EVM;
  readonly common: unknown;
  run(
    code: Uint8Array,
    options?: { readonly pc?: number },
  ): Promise<{ runState: RunState; exceptionError: EVMResult['execResult']['exceptionError'] }>;
  _getValidJumpDestinations(code: Uint8Array): Analysis;
}

interface RunState {
  programCounter: number;
  opCode: number;
  gasLeft: bigint;
  code: Uint8Array;
  validJumps: Uint8Array;
  cachedPushes: unknown;
  shouldDoJumpAnalysis: boolean;
}

interface Analysis {
  readonly jumps: Uint8Array;
  readonly pushes: unknown;
  readonly opcodesCached: readonly Opcode[];
}

interface Opcode {
  readonly opcodeInfo: {
    readonly code: number;
    readonly feeBigInt: bigint;
    readonly isAsync: boolean;
    readonly dynamicGas: boolean;
    readonly isInvalid: boolean;
  };
  gasHandler(state: RunState, gas: bigint, rules: unknown): bigint | Promise<bigint>;
  opHandler(state: RunState, rules: unknown): unknown;
}
