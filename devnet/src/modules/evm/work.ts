/**
 * What an execution costs this chain in CPU time, and the gas that pays for it. Ethereum's prices are made for native
 * code. Here a call in a loop, a hash or a pairing takes up to 30 times the time that its gas stands for, and one thread
 * makes the blocks. So an execution whose work is beyond what its gas has paid for pays the difference in gas.
 *
 * Work is counted in nanoseconds by fixed numbers, so that every node counts the same; `bench/devnet-gas.ts` measures
 * them and docs/devnet.md has the table. Ordinary txs stay far below the limit and cost what they cost on Ethereum.
 */

/** 50 ms for a million of gas. */
const NS_PER_GAS = 50;
/** Before anything has been paid for: a tx has paid its intrinsic gas. */
export const FREE_NS = 6_000_000;

export interface WorkMeter {
  /** At the begin of an execution. */
  reset(): void;
  /** Gas that was paid for something that takes less time than its gas stands for. */
  pay(gas: bigint): void;
  /** The gas to pay for work beside `gas`, which it costs in any case. */
  charge(workNs: number, gas: bigint): bigint;
}

/** A call passes most of its gas on: what it counts for itself is no more than this. */
const MOST_PAID = 100_000n;

export function createWorkMeter(): WorkMeter {
  let creditNs = FREE_NS;
  const pay = (gas: bigint) => {
    creditNs += Number(gas > MOST_PAID ? MOST_PAID : gas) * NS_PER_GAS;
  };
  return {
    reset() {
      creditNs = FREE_NS;
    },
    pay,
    charge(workNs, gas) {
      pay(gas);
      creditNs -= workNs;
      if (creditNs >= 0) return 0n;
      const extra = Math.ceil(-creditNs / NS_PER_GAS);
      creditNs = 0;
      return BigInt(extra);
    },
  };
}

/** The EVM's stack, as the library shows it. */
interface Stack {
  readonly length: number;
  peek(count: number): bigint[];
}

export type OpcodeWork = (stack: Stack) => number;

/** The `place`-th value from the top, from 0; what is not there fails in the opcode itself. */
function value(stack: Stack, place: number): number {
  return place < stack.length ? Number(stack.peek(place + 1)[place]) : 0;
}

const CALL_NS = 150_000;
const KECCAK_BLOCK = 136;
const KECCAK_NS = 4_000;
const KECCAK_BLOCK_NS = 1_200;
const COPY_BYTE_NS = 65;
const CREATE_NS = 200_000;
const INIT_BYTE_NS = 150;
/** Its address follows from a hash of the code. */
const HASHED_INIT_BYTE_NS = 240;
/** Most of it comes after the execution: the log is encoded, stored, and printed for its readers. */
const LOG_NS = 100_000;
/** A topic is hashed for the bloom, twice: by the block and by those who ask for the receipt. */
const TOPIC_NS = 10_000;

const fixed =
  (ns: number): OpcodeWork =>
  () =>
    ns;
const copy =
  (place: number): OpcodeWork =>
  (stack) =>
    1_000 + value(stack, place) * COPY_BYTE_NS;
const create =
  (byteNs: number): OpcodeWork =>
  (stack) =>
    CREATE_NS + value(stack, 2) * byteNs;

/** Opcodes that take more than 50 ns for a unit of their gas. */
export const OPCODE_WORK: ReadonlyMap<number, OpcodeWork> = new Map<number, OpcodeWork>([
  [0x20, (stack) => KECCAK_NS + KECCAK_BLOCK_NS * (1 + Math.floor(value(stack, 1) / KECCAK_BLOCK))],
  [0x30, fixed(700)],
  [0x32, fixed(700)],
  [0x33, fixed(700)],
  [0x35, fixed(1_500)],
  [0x37, copy(2)],
  [0x39, copy(2)],
  [0x3c, copy(3)],
  [0x3e, copy(2)],
  [0x3f, fixed(12_000)],
  [0x40, fixed(2_500)],
  [0x41, fixed(700)],
  [0x53, fixed(800)],
  [0x54, fixed(6_000)],
  [0x55, fixed(15_000)],
  [0x5d, fixed(12_000)],
  [0xa0, fixed(LOG_NS)],
  [0xa1, fixed(LOG_NS + TOPIC_NS)],
  [0xa2, fixed(LOG_NS + 2 * TOPIC_NS)],
  [0xa3, fixed(LOG_NS + 3 * TOPIC_NS)],
  [0xa4, fixed(LOG_NS + 4 * TOPIC_NS)],
  [0xf0, create(INIT_BYTE_NS)],
  [0xf1, fixed(CALL_NS)],
  [0xf2, fixed(CALL_NS)],
  [0xf4, fixed(CALL_NS)],
  [0xf5, create(HASHED_INIT_BYTE_NS)],
  [0xfa, fixed(CALL_NS)],
]);

type PrecompileWork = (data: Uint8Array) => number;

/** Ethereum's precompiles by number; the call itself has been counted. */
const PRECOMPILE_WORK: readonly PrecompileWork[] = [
  () => 0,
  () => 150_000,
  ({ length }) => length * 5,
  ({ length }) => length * 40,
  ({ length }) => length * 2,
  modexpNs,
  () => 50_000,
  () => 4_500_000,
  ({ length }) => 12_000_000 + 12_500_000 * Math.floor(length / 192),
  (data) => 40_000 + uint32(data) * 650,
];

export function precompileNs(number: number, data: Uint8Array): number {
  return PRECOMPILE_WORK[number]?.(data) ?? 0;
}

/** Two multiplications for each bit of the exponent, of numbers with as many bytes as the longer of base and modulus. */
function modexpNs(data: Uint8Array): number {
  const [base, exponent, modulus] = [length(data, 0), length(data, 32), length(data, 64)];
  const bytes = Math.max(base, modulus);
  return 8 * Math.max(1, exponent) * (400 + Math.ceil(bytes * 12.5) + Math.ceil((bytes * bytes) / 5));
}

/** Of 32 bytes at an offset; what is beyond any real length is cut. */
function length(data: Uint8Array, offset: number): number {
  const word = data.subarray(offset, offset + 32);
  if (word.length < 32 || word.subarray(0, 29).some((byte) => byte !== 0))
    return word.length < 32 ? 0 : 1 << 24;
  return ((word[29] ?? 0) << 16) | ((word[30] ?? 0) << 8) | (word[31] ?? 0);
}

function uint32(data: Uint8Array): number {
  return data.length < 4 ? 0 : new DataView(data.buffer, data.byteOffset, 4).getUint32(0);
}
