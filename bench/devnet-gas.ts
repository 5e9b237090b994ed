import { createGasMeter } from 'strata-devnet/app/gas';
import type { Context } from 'strata-devnet/app/module';
import { setCode } from 'strata-devnet/modules/evm/keeper';
import { createMachine } from 'strata-devnet/modules/evm/machine';
import { openSession } from 'strata-devnet/modules/evm/session';
import { createState } from 'strata-devnet/state/state';
import { concatBytes, hexToBytes } from 'strata-kit/bytes';
import { BENCH_PARAMETERS } from './devnet-parameters.ts';

/**
 * What gas costs in CPU time: `npx tsx bench/devnet-gas.ts [gas] [name] [library]`, the last for the library's own loop. Each row is a contract that repeats one
 * expensive thing until its gas is used up, as the worst tx of a block would. CPU time of this process, which other
 * processes do not change. docs/devnet.md has the figures.
 */

const GAS = BigInt(process.argv[2] ?? 20_000_000);
const ONLY = process.argv[3] ?? '';
const EVM_LOOP = process.argv[4] === 'library' ? 'library' : 'quick';

const parameters = BENCH_PARAMETERS;

const CONTRACT = 'c0'.repeat(20);
const OTHER = 'd0'.repeat(20);

const push = (value: bigint | number, bytes = 4) =>
  `${(0x5f + bytes).toString(16)}${BigInt(value)
    .toString(16)
    .padStart(2 * bytes, '0')}`;
/** Goes back to the JUMPDEST that `before` ends with. */
const loop = (before: string, body: string) => `${before}5b${body}${push(before.length / 2)}56`;
/** The call's data goes to memory once. */
const LOAD = `36${push(0, 1)}${push(0, 1)}37`;

function precompile(address: number, inputBytes: number, outputBytes = 64): string {
  const call = `${push(outputBytes)}${push(0x10000)}${push(inputBytes)}${push(0, 1)}${push(address, 1)}5afa50`;
  return loop(LOAD, call);
}

const word = (value: bigint | number) => BigInt(value).toString(16).padStart(64, '0');
const G1 = word(1) + word(2);
const P = 21888242871839275222246405745257275088696311157297823662689037894645226208583n;
const G2 = [
  '198e9393920d483a7260bfb731fb5d25f1aa493335a9e71297e485b7aef312c2',
  '1800deef121f1e76426a00665e5c4479674322d4f75edadd46debd5cd992f6ed',
  '090689d0585ff075ec9e99ad690c3395bc4b313370b38ef355acdadcd122975b',
  '12c85ea5db8c6deb4aab71808dcb408fe3d1e7690c43d37b4ce6cc0166fa7daa',
].join('');
const SIGNATURE =
  '456e9aea5e197a1f1af7a3e85a3212fa4049a3ba34c2289b4c860fc0b0c64ef3' +
  word(28) +
  '9242685bf161793cc25603c231bc2f568eb630ea16aa137d2664ac8038825608' +
  '4f8ae3bd7535248d0bd448298cc2e2071e56992d0774dc340c368ae950852ada';
const BLAKE = (rounds: number) =>
  `${rounds.toString(16).padStart(8, '0')}${'48c9bdf267e6096a3ba7ca8485ae67bb2bf894fe72f36e3cf1361d5f3af54fa5'.repeat(2)}${'61'.repeat(128)}${'00'.repeat(16)}01`;
const modexp = (base: number, exponent: number, modulus: number, expByte = 'ff') =>
  word(base) +
  word(exponent) +
  word(modulus) +
  'ff'.repeat(base) +
  expByte.repeat(exponent) +
  'ff'.repeat(modulus - 1) +
  'fd';

const ones = 'ff'.repeat(32);
const push32 = (hex: string) => `7f${hex}`;
/** Two operands that stay on the stack, the operation on copies of them. */
const binary = (opcode: string, a = ones, b = ones.replace(/^ff/, 'fe')) =>
  loop(push32(a) + push32(b), `81${'81'}${opcode}50`.repeat(32));
const ternary = (opcode: string) =>
  loop(push32(ones) + push32(`${'ab'.repeat(32)}`) + push32(ones), `828282${opcode}50`.repeat(32));

interface Row {
  readonly name: string;
  readonly code: string;
  readonly data?: string;
}

const ROWS: readonly Row[] = [
  { name: 'ecrecover', code: precompile(1, 128), data: SIGNATURE },
  { name: 'sha256 of 0 bytes', code: precompile(2, 0) },
  { name: 'sha256 of 32 KiB', code: precompile(2, 32_768) },
  { name: 'ripemd160 of 0 bytes', code: precompile(3, 0) },
  { name: 'ripemd160 of 32 KiB', code: precompile(3, 32_768) },
  { name: 'identity of 0 bytes', code: precompile(4, 0) },
  { name: 'identity of 32 KiB', code: precompile(4, 32_768) },
  { name: 'modexp 32/32/32', code: precompile(5, 192), data: modexp(32, 32, 32) },
  { name: 'modexp 64/64/64', code: precompile(5, 96 + 192), data: modexp(64, 64, 64) },
  { name: 'modexp 256/3/256', code: precompile(5, 96 + 515), data: modexp(256, 3, 256) },
  { name: 'modexp 256/256/256', code: precompile(5, 96 + 768), data: modexp(256, 256, 256) },
  { name: 'modexp 1024/1/1024', code: precompile(5, 96 + 2049), data: modexp(1024, 1, 1024) },
  { name: 'modexp 1024/1024/1024', code: precompile(5, 96 + 3072), data: modexp(1024, 1024, 1024) },
  { name: 'modexp 1/1000/1', code: precompile(5, 96 + 1002), data: modexp(1, 1000, 1) },
  { name: 'modexp 0/0/0', code: precompile(5, 96), data: word(0) + word(0) + word(0) },
  { name: 'modexp 8/200/8', code: precompile(5, 96 + 216), data: modexp(8, 200, 8) },
  { name: 'bn254 add', code: precompile(6, 128), data: G1 + word(1) + word(P - 2n) },
  {
    name: 'bn254 add of different',
    code: precompile(6, 128),
    data:
      G1 +
      '030644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd3' +
      '15ed738c0e0a7c92e7845f96b2ae9c0a68a6a449e3538fc7ff3ebf7a5a18a2c4',
  },
  { name: 'bn254 mul', code: precompile(7, 96), data: G1 + 'f'.repeat(64) },
  { name: 'bn254 pairing of 0', code: precompile(8, 0) },
  { name: 'bn254 pairing of 1', code: precompile(8, 192), data: G1 + G2 },
  { name: 'bn254 pairing of 8', code: precompile(8, 192 * 8), data: (G1 + G2).repeat(8) },
  { name: 'blake2f of 1 round', code: precompile(9, 213), data: BLAKE(1) },
  { name: 'blake2f of 12 rounds', code: precompile(9, 213), data: BLAKE(12) },
  { name: 'blake2f of all gas', code: precompile(9, 213), data: BLAKE(Math.floor(Number(GAS) * 0.9)) },
  { name: 'keccak of 0 bytes', code: loop('', `${push(0, 1)}${push(0, 1)}2050`.repeat(32)) },
  {
    name: 'keccak of 136 bytes',
    code: loop(LOAD, `${push(136)}${push(0, 1)}2050`.repeat(32)),
    data: '11'.repeat(136),
  },
  { name: 'keccak of 256 KiB', code: loop('', `${push(262_144)}${push(0, 1)}2050`) },
  { name: 'ADD', code: binary('01') },
  { name: 'MUL', code: binary('02') },
  { name: 'DIV', code: binary('04', '0'.repeat(32) + 'f'.repeat(31) + 'd', ones) },
  { name: 'SDIV', code: binary('05', '0'.repeat(32) + 'f'.repeat(31) + 'd', ones) },
  { name: 'MOD', code: binary('06', '0'.repeat(32) + 'f'.repeat(31) + 'd', ones) },
  { name: 'SMOD', code: binary('07', '0'.repeat(32) + 'f'.repeat(31) + 'd', ones) },
  { name: 'ADDMOD', code: ternary('08') },
  { name: 'MULMOD', code: ternary('09') },
  { name: 'EXP of 1 byte', code: binary('0a', word(255), ones) },
  { name: 'EXP of 32 bytes', code: binary('0a', ones, ones) },
  { name: 'SIGNEXTEND', code: binary('0b', ones, word(3)) },
  { name: 'SLT', code: binary('12') },
  { name: 'BYTE', code: binary('1a', ones, word(3)) },
  { name: 'SHL', code: binary('1b', ones, word(77)) },
  { name: 'SAR', code: binary('1d', ones, word(77)) },
  { name: 'NOT', code: loop(push32(ones), '1919'.repeat(32)) },
  { name: 'JUMPDEST', code: loop('', '5b'.repeat(2_000)) },
  { name: 'PUSH and POP', code: loop('', `${push32(ones)}50`.repeat(500)) },
  { name: 'PC and POP', code: loop('', '5850'.repeat(500)) },
  { name: 'GAS and POP', code: loop('', '5a50'.repeat(500)) },
  { name: 'ADDRESS and POP', code: loop('', '3050'.repeat(500)) },
  { name: 'MSTORE', code: loop(push32(ones), `80${push(0, 1)}52`.repeat(100)) },
  { name: 'MSTORE8', code: loop('', `${push(1, 1)}${push(0, 1)}53`.repeat(100)) },
  { name: 'MLOAD', code: loop('', `${push(0, 1)}5150`.repeat(100)) },
  {
    name: 'memory of 4 MB in frames',
    code: loop('', `${push(1, 1)}${push(1_000_000)}53${push(0, 1)}80808080305af150`),
  },
  { name: 'MCOPY of 0 bytes', code: loop('', `${push(0, 1)}80805e`.repeat(100)) },
  { name: 'MCOPY of 256 KiB', code: loop('', `${push(262_144)}${push(0, 1)}${push(1, 1)}5e`) },
  { name: 'CALLDATALOAD', code: loop('', `${push(0, 1)}3550`.repeat(100)), data: '11'.repeat(64) },
  {
    name: 'CALLDATACOPY of 256 KiB',
    code: loop('', `${push(262_144)}${push(0, 1)}${push(0, 1)}37`),
    data: '11'.repeat(64),
  },
  {
    name: 'CALLDATACOPY of 1 byte',
    code: loop('', `${push(1, 1)}${push(0, 1)}${push(0, 1)}37`.repeat(50)),
    data: '11'.repeat(64),
  },
  { name: 'CODECOPY of 256 KiB', code: loop('', `${push(262_144)}${push(0, 1)}${push(0, 1)}39`) },
  {
    name: 'EXTCODECOPY of 0 bytes',
    code: loop('', `${push(0, 1)}${push(0, 1)}${push(0, 1)}73${OTHER}3c`.repeat(50)),
  },
  { name: 'EXTCODEHASH', code: loop('', `73${OTHER}3f50`.repeat(50)) },
  { name: 'EXTCODESIZE', code: loop('', `73${OTHER}3b50`.repeat(50)) },
  { name: 'BALANCE', code: loop('', `73${OTHER}3150`.repeat(50)) },
  { name: 'SELFBALANCE', code: loop('', '4750'.repeat(50)) },
  { name: 'BLOCKHASH', code: loop('', `${push(0, 1)}4050`.repeat(50)) },
  { name: 'SLOAD, warm', code: loop('', `${push(0, 1)}5450`.repeat(50)) },
  { name: 'SLOAD, cold', code: loop(push(0, 1), `${push(1, 1)}01${'80'}5450`.repeat(50)) },
  { name: 'SSTORE, dirty', code: loop(push(0, 1), `${push(1, 1)}0180${push(0, 1)}55`.repeat(50)) },
  { name: 'SSTORE, new', code: loop(push(0, 1), `${push(1, 1)}01808055`.repeat(50)) },
  { name: 'TLOAD', code: loop('', `${push(0, 1)}5c50`.repeat(50)) },
  { name: 'TSTORE', code: loop(push(0, 1), `${push(1, 1)}0180805d`.repeat(50)) },
  { name: 'LOG0 of 0 bytes', code: loop('', `${push(0, 1)}80a0`.repeat(50)) },
  { name: 'LOG4 of 0 bytes', code: loop('', `${push(0, 1)}80808080${'80'}a4`.repeat(50)) },
  { name: 'LOG0 of 32 KiB', code: loop('', `${push(32_768)}${push(0, 1)}a0`) },
  { name: 'CALL of an account', code: loop('', `${push(0, 1)}8080808073${OTHER}5af150`.repeat(20)) },
  { name: 'CALL of itself, with state reads', code: loop('', `${push(0, 1)}80808073${CONTRACT}5afa50`) },
  { name: 'CALL with value', code: loop('', `${push(0, 1)}808080${push(1, 1)}73${OTHER}5af150`.repeat(20)) },
  { name: 'CREATE of nothing', code: loop('', `${push(0, 1)}8080f050`) },
  { name: 'CREATE with 48 KiB of init code', code: loop('', `${push(49_152)}${push(0, 1)}80f050`) },
  {
    name: 'CREATE2 with 48 KiB of init code',
    code: loop(push(0, 1), `${push(1, 1)}0180${push(49_152)}${push(0, 1)}80f550`),
  },
  {
    name: 'CREATE of 24 KiB of code',
    code: loop('6160005f525f5f5ff0', `${push(49_152)}${push(0, 1)}80f050`),
  },
  {
    name: 'RETURNDATACOPY',
    code: loop(`${precompileOnce()}`, `${push(32_768)}${push(0, 1)}${push(0, 1)}3e`),
  },
];

function precompileOnce(): string {
  return `${push(0, 1)}80${push(32_768)}${push(0, 1)}${push(4, 1)}5afa50`;
}

for (const row of ROWS) {
  if (!row.name.includes(ONLY)) continue;
  const { cpuMs, gasUsed, error } = await measure(row);
  const perMillion = (cpuMs / Number(gasUsed)) * 1e6;
  console.log(
    `${row.name.padEnd(36)} ${(cpuMs / 1_000).toFixed(2).padStart(7)} s  ${perMillion.toFixed(1).padStart(8)} ms/Mgas  ${gasUsed} gas  ${error}`,
  );
}

async function measure({ code, data = '' }: Row) {
  const state = createState();
  const context: Context = {
    state,
    parameters,
    height: 10,
    timeNs: 1_700_000_000n * 1_000_000_000n,
    blockHash: new Uint8Array(32),
    gas: createGasMeter(),
    emit: () => undefined,
    emitPlain: () => undefined,
  };
  const machine = await createMachine(parameters.evmChainId, { evmLoop: EVM_LOOP });
  setCode(state, CONTRACT, bytes(code));
  setCode(state, OTHER, new Uint8Array(24_576).fill(0x5b).fill(0, 0, 1));
  const input = bytes(data);
  const run = (gasLimit: bigint) =>
    machine.execute(
      openSession(context).session,
      { height: 10n, timestamp: 1_700_000_000n, coinbase: new Uint8Array(20), baseFee: 0n },
      {
        from: new Uint8Array(20).fill(7),
        to: bytes(CONTRACT),
        value: 0n,
        data: input,
        gasLimit,
        intrinsicGas: 21_000n,
        gasPrice: 0n,
        accessList: [],
      },
    );
  await run(300_000n);
  state.takeChanges();
  const from = process.cpuUsage();
  const outcome = await run(GAS);
  const { user, system } = process.cpuUsage(from);
  return { cpuMs: (user + system) / 1_000, gasUsed: outcome.gasUsed, error: outcome.vmError };
}

function bytes(hex: string): Uint8Array {
  return concatBytes([hexToBytes(hex) ?? new Uint8Array(0)]);
}
