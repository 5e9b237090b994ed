import { createEVM, type EVM } from '@ethereumjs/evm';
import { Address } from '@ethereumjs/util';
import { Interface } from 'ethers';
import { beforeAll, describe, expect, it } from 'vitest';
import { MAKER, REVERTER } from '../../../src/devnet/modules/evm/contracts/artifacts.ts';
import { quickenInterpreter } from '../../../src/devnet/modules/evm/quick-interpreter.ts';

const CALLER = new Address(new Uint8Array(20).fill(1));
const GAS = 400_000n;

/** One EVM runs the quick loop; the other is listened to at every step, and so runs the library's own. */
describe('the quick loop and the library’s', () => {
  let quick: EVM;
  let slow: EVM;
  let steps = 0;

  beforeAll(async () => {
    await quickenInterpreter();
    quick = await createEVM();
    slow = await createEVM();
    slow.events.on('step', () => {
      steps += 1;
    });
  });

  async function run(evm: EVM, to: Address | undefined, data: string) {
    const { createdAddress, execResult } = await evm.runCall({
      caller: CALLER,
      gasLimit: GAS,
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

  async function both(to: Address | undefined, data: string) {
    const before = steps;
    const [a, b] = [await run(quick, to, data), await run(slow, to, data)];
    expect(a).toEqual(b);
    expect(steps).toBeGreaterThan(before);
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
});
