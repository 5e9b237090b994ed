import { createEVM, type EVM } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import { Interface } from 'ethers';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { chainRules } from '../../src/modules/evm/chain-rules.ts';
import { MAKER, REVERTER } from '../../src/modules/evm/contracts/artifacts.ts';
import { meteredOpcodes } from '../../src/modules/evm/metered-opcodes.ts';
import { quicken } from '../../src/modules/evm/quick-interpreter.ts';
import { createWorkMeter } from '../../src/modules/evm/work.ts';

const CALLER = new Address(new Uint8Array(20).fill(1));
const GAS = 400_000n;

/** One EVM runs the quick loop, the other the library's own. Both charge for work. */
describe('the quick loop and the library’s', () => {
  let quick: EVM;
  let slow: EVM;
  const meters = new Map<EVM, ReturnType<typeof createWorkMeter>>();

  async function open(): Promise<EVM> {
    const rules = chainRules(9_000n);
    const meter = createWorkMeter();
    const evm = await createEVM({ common: rules, customOpcodes: meteredOpcodes(rules, meter) });
    meters.set(evm, meter);
    return evm;
  }

  beforeAll(async () => {
    slow = await open();
    quick = await open();
    await quicken(quick);
  });

  /** As the machine does before each execution: what one leaves of its free work must not pay for the next. */
  const resetWork = (evm: EVM) => meters.get(evm)?.reset();

  async function run(evm: EVM, to: Address | undefined, data: string, gasLimit = GAS) {
    resetWork(evm);
    const { createdAddress, execResult } = await evm.runCall({
      caller: CALLER,
      gasLimit,
      data: Buffer.from(data.slice(2), 'hex'),
      ...(to === undefined ? {} : { to }),
    });
    const { exceptionError, executionGasUsed, gasRefund, returnValue, logs } = execResult;
    return {
      created: createdAddress?.toString(),
      error: exceptionError?.error,
      executionGasUsed,
      gasRefund,
      returned: Buffer.from(returnValue).toString('hex'),
      logs: logs?.map((parts) => JSON.stringify(parts.map((part) => Buffer.from(part as Uint8Array)))),
    };
  }

  async function both(to: Address | undefined, data: string, gasLimit?: bigint) {
    const [a, b] = [await run(quick, to, data, gasLimit), await run(slow, to, data, gasLimit)];
    expect(a).toEqual(b);
    return a;
  }

  it('end alike in every way in which a call can end', async () => {
    for (const { abi, bytecode } of [REVERTER, MAKER]) {
      const { created } = await both(undefined, bytecode);
      const to = new Address(Buffer.from(String(created).slice(2), 'hex'));
      const face = new Interface(abi);
      const calls = {
        note: [3],
        withReason: ['so'],
        withCustomError: [3],
        withPanic: [1],
        withDivision: [1],
        withNothing: [],
        withInvalid: [],
        withoutGas: [],
        afterNote: [1],
        caught: [5],
        notes: [],
        make: [9],
        makeAt: [`0x${'07'.repeat(32)}`, 9],
      };
      for (const [name, values] of Object.entries(calls))
        if (face.hasFunction(name)) await both(to, face.encodeFunctionData(name, values));
    }
  });

  it('are two loops, and charge alike for work beyond what is free', async () => {
    const plain = Buffer.from('5b600056', 'hex');
    const timeOf = async (evm: EVM) => {
      const before = process.cpuUsage().user;
      await evm.runCode({ code: plain, gasLimit: 400_000n });
      return process.cpuUsage().user - before;
    };
    await timeOf(slow);
    expect(await timeOf(quick)).toBeLessThan(await timeOf(slow));
    // calls of itself, hashes, logs, new memory, a creation: each beyond 6 ms of work
    for (const body of [
      '5f5f5f5f305a5af150',
      '6120005f2050',
      '5f5fa0',
      '5a5a5a525050',
      '5f5f5ff050',
      '5a545050',
    ]) {
      const [used] = [await both(undefined, `0x${body.repeat(400)}`, 30_000_000n)];
      expect(used.executionGasUsed).toBeGreaterThan(0n);
    }
  });

  it('end alike on code that is broken', async () => {
    // stack underflow, an unknown opcode, a jump into a push, a push that the code's end cuts off, an endless loop
    for (const code of ['0x01', '0x0c', '0x600256', '0x61ff', '0x5b600056', '0x5f5f5f5f5ffd']) {
      const bytes = code.slice(2);
      const size = (bytes.length / 2).toString(16).padStart(2, '0');
      // PUSH code MSTORE RETURN, as creation code
      const creation = `0x${bytes === '' ? '' : `60${size}600c60003960${size}6000f3`}${bytes}`;
      const { created } = await both(undefined, creation);
      await both(new Address(Buffer.from(String(created).slice(2), 'hex')), '0x');
    }
  });

  const edge = fc.constantFrom(
    ...[0n, 1n, 2n, 31n, 32n, 255n, 256n, 257n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 64n, 2n ** 128n + 5n],
    ...[2n ** 192n - 1n, 2n ** 255n, 2n ** 256n - 1n],
  );
  const push = fc
    .oneof({ weight: 3, arbitrary: edge }, { weight: 1, arbitrary: fc.bigInt(0n, 2n ** 256n - 1n) })
    .map((value) => {
      const hex = value.toString(16);
      const digits = hex.padStart(hex.length + (hex.length % 2), '0');
      return `${(0x5f + digits.length / 2).toString(16)}${digits}`;
    });
  const plain = fc
    .constantFrom(
      ...[0x01, 0x02, 0x03, 0x04, 0x06, 0x0b, 0x10, 0x11, 0x12, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1a],
      ...[0x1b, 0x1c, 0x1d, 0x20, 0x50, 0x51, 0x52, 0x53, 0x56, 0x57, 0x58, 0x59, 0x5a, 0x5b, 0x5f],
      ...[0x80, 0x81, 0x82, 0x8f, 0x90, 0x91, 0x92, 0x9f, 0x0c, 0xfe],
    )
    .map((opcode) => opcode.toString(16).padStart(2, '0'));
  /** Where a word may be read or written, and somewhere to jump to. */
  const place = fc.constantFrom('5f51', '602051', '6001600052', '60ff604152', '5b', '60045700', '6003565b');
  const program = fc
    .array(
      fc.oneof(
        { weight: 5, arbitrary: push },
        { weight: 8, arbitrary: plain },
        { weight: 1, arbitrary: place },
      ),
      { minLength: 1, maxLength: 60 },
    )
    .map((parts) => Buffer.from(parts.join(''), 'hex'));

  const end = async (evm: EVM, code: Uint8Array, gasLimit: bigint) => {
    resetWork(evm);
    const { exceptionError, executionGasUsed, runState } = await evm.runCode({ code, gasLimit });
    return {
      error: exceptionError?.error,
      executionGasUsed,
      // where an error leaves it is nobody's business
      at: exceptionError === undefined ? runState?.programCounter : undefined,
      stack: runState?.stack.getStack().map(String),
      words: String(runState?.memoryWordCount),
      memory: Buffer.from(runState?.memory._store ?? []).toString('hex'),
    };
  };

  it('end alike at the end of the stack: by PUSH0, by PUSH1, by DUP1', async () => {
    for (const opcode of ['5f', '6001', '80'])
      for (const times of [1_023, 1_024]) {
        const code = Buffer.from(`5f${opcode.repeat(times)}`, 'hex');
        const ended = await end(quick, code, 100_000n);
        expect(ended).toEqual(await end(slow, code, 100_000n));
        expect(ended.error).toBe(times === 1_023 ? undefined : 'stack overflow');
      }
  });

  it('end alike on any code, with the same stack, memory and gas', async () => {
    await fc.assert(
      fc.asyncProperty(program, fc.constantFrom(40n, 200n, 3_000n), async (code, gasLimit) => {
        expect(await end(quick, code, gasLimit)).toEqual(await end(slow, code, gasLimit));
      }),
      { numRuns: 400 },
    );
  });
});
