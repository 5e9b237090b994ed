import { hexToBytes } from 'strata-kit/bytes';
import { describe, expect, it } from 'vitest';
import { createGasMeter } from '../../src/app/gas.ts';
import type { Context } from '../../src/app/module.ts';
import { setCode } from '../../src/modules/evm/keeper.ts';
import { createMachine } from '../../src/modules/evm/machine.ts';
import { openSession } from '../../src/modules/evm/session.ts';
import { createState } from '../../src/state/state.ts';

const CONTRACT = 'c0'.repeat(20);
const INTRINSIC = 21_000n;

/** How often a contract calls, and what it uses. */
async function run(code: string, gasLimit: bigint, data = '') {
  const state = createState();
  const context: Context = {
    state,
    parameters: {
      chainId: 'work-1',
      evmChainId: 9_000n,
      namespace: 'aeva',
      hrp: 'aeva',
      gasDenom: 'aaeva',
      gasDecimals: 18,
      evmDenom: 'aaeva',
      stableDenom: 'uusd',
      minGasPrice: 0n,
      bridgeAuthority: '',
      relayer: '',
    },
    height: 10,
    timeNs: 0n,
    blockHash: new Uint8Array(32),
    gas: createGasMeter(),
    emit: () => undefined,
    emitPlain: () => undefined,
  };
  let calls = -1;
  const machine = await createMachine(9_000n, { onCall: () => calls++ });
  setCode(state, CONTRACT, bytes(code));
  const outcome = await machine.execute(
    openSession(context).session,
    { height: 10n, timestamp: 0n, coinbase: new Uint8Array(20), baseFee: 0n },
    {
      from: new Uint8Array(20).fill(7),
      to: bytes(CONTRACT),
      value: 0n,
      data: bytes(data),
      gasLimit,
      intrinsicGas: INTRINSIC,
      gasPrice: 0n,
      accessList: [],
    },
  );
  return { calls, gasUsed: outcome.gasUsed, vmError: outcome.vmError, logs: outcome.logs.length };
}

function bytes(hex: string): Uint8Array {
  return Uint8Array.from(hexToBytes(hex) ?? []);
}

/** The call's data in memory, then this precompile with all of it, `times` times, or until the gas is used up. */
function calling(number: number, inputBytes: number, times?: number): string {
  const call = `604061800061${inputBytes.toString(16).padStart(4, '0')}5f60${number.toString(16).padStart(2, '0')}5afa50`;
  const load = '365f5f37';
  return times === undefined ? `${load}5b${call}600456` : load + call.repeat(times);
}

const word = (value: number) => value.toString(16).padStart(64, '0');
const MODEXP = word(1) + word(1_000) + word(1) + 'ff'.repeat(1_002);
const POINT = word(1) + word(2);

describe('the gas of work that takes long here', () => {
  it.each([
    ['ecrecover', 1, 128, '11'.repeat(128), 400],
    ['identity of nothing', 4, 0, '', 400],
    ['modexp of a long exponent', 5, 1_098, MODEXP, 20],
    ['bn254 multiplication', 7, 96, POINT + 'ff'.repeat(32), 15],
    ['blake2f', 9, 213, `00001000${'00'.repeat(208)}01`, 30],
  ])('holds a million of it in %s to 50 ms of this chain', async (_, number, size, data, most) => {
    const { calls, vmError } = await run(calling(number, size), 1_000_000n, data);
    expect(vmError).toBe('out of gas');
    expect(calls).toBeGreaterThan(0);
    expect(calls).toBeLessThan(most);
  });

  it('is not run first and paid afterwards', async () => {
    const rounds = `00ffffff${'00'.repeat(208)}01`;
    const { vmError } = await run(calling(9, 213, 1), 40_000_000n, rounds);
    // the call fails, its caller goes on with what it kept
    expect(vmError).toBe('');
  });

  it('is not passed on twice to a contract that calls itself', async () => {
    const { calls, vmError } = await run(
      `5f5f5f5f73${CONTRACT}5afa50${'5f5f5f5f73'}${CONTRACT}5afa50`,
      3_000_000n,
    );
    expect(vmError).toBe('');
    expect(calls).toBeLessThan(1_100);
  });

  it('is Ethereum’s own for a tx that does a little of everything', async () => {
    const data = '11'.repeat(128);
    const used = async (times: number) => (await run(calling(1, 128, times), 5_000_000n, data)).gasUsed;
    // 3,000, 100 for the call, and what its PUSHes take
    expect((await used(3)) - (await used(2))).toBe(3_118n);
    expect((await used(400)) - (await used(399))).toBeGreaterThan(3_118n);
  });
});

it('a hash of much costs what it costs on Ethereum', async () => {
  // PUSH3 262144, PUSH0, KECCAK256, POP
  const used = async (times: number) => (await run('620400005f2050'.repeat(times), 5_000_000n)).gasUsed;
  expect((await used(30)) - (await used(29))).toBe(30n + 6n * 8_192n + 7n);
});

it('logs beyond a few cost what they take to be stored and read: 20,000 fill a block', async () => {
  const gasOf = async (logs: number) => (await run('5f5fa0'.repeat(logs), 5_000_000n)).gasUsed;
  // LOG0 and two PUSH0
  expect((await gasOf(60)) - (await gasOf(59))).toBe(375n + 4n);
  expect((await gasOf(101)) - (await gasOf(100))).toBe(2_004n);
  // until 100,000 gas are left: JUMPDEST, a LOG4, GAS, PUSH3, LT, PUSH0, JUMPI
  const { logs, vmError } = await run(`5b5f5f5f5f5f5fa4620186a05a115f57`, 40_000_000n);
  expect(vmError).toBe('');
  expect(logs).toBeGreaterThan(10_000);
  expect(logs).toBeLessThan(15_000);
});

it('a call of the point evaluation fails and is no defect', async () => {
  expect((await run(calling(10, 192, 1), 200_000n, '01'.repeat(192))).vmError).toBe('');
});
