/**
 * The opcodes that make nine tenths of what contracts do, without an allocation beyond their results. Each does the
 * plain case alone: an empty or full stack, too little gas, memory that is not paid for yet, a jump to nowhere and every
 * other opcode are left to the library, which then finds the state as if it had come there by itself.
 */

export interface QuickState {
  programCounter: number;
  gasLeft: bigint;
  readonly code: Uint8Array;
  readonly validJumps: Uint8Array;
  readonly stack: { readonly _store: bigint[]; _len: number };
  readonly memory: { readonly _store: Uint8Array };
  readonly memoryWordCount: bigint;
}

export interface QuickCode {
  /** By opcode; -1 for those that are left to the library. */
  readonly costs: Int32Array;
  /** By the place of a PUSH: what it pushes. */
  readonly pushed: readonly (bigint | undefined)[];
}

/** STOP stands first among those that are not here. */
export const QUICK_OPCODES: readonly number[] = [
  ...[0x01, 0x02, 0x03, 0x04, 0x10, 0x11, 0x14, 0x15, 0x16, 0x17, 0x18, 0x19, 0x1b, 0x1c],
  ...[0x50, 0x51, 0x52, 0x56, 0x57, 0x5b, 0x5f],
  ...Array.from({ length: 64 }, (_, i) => 0x60 + i),
];

const MAX_STACK = 1_024;
const WORD = 32;
const MODULUS = 2n ** 256n;
const MAX = MODULUS - 1n;
const UINT32 = 4_294_967_296;
/** Below it, high · 2^32 + low is exact. */
const EXACT_HIGH = 2_097_152;
const EXACT = 9_007_199_254_740_991n;

/** Goes on until the code ends or something is not plain. */
export function runQuick(state: QuickState, { costs, pushed }: QuickCode): void {
  const { code, stack, validJumps } = state;
  const store = stack._store;
  const memory = state.memory._store;
  const memoryEnd = Math.min(Number(state.memoryWordCount) * WORD, memory.length);
  let view: DataView | undefined;
  let height = stack._len;
  let at = state.programCounter;
  let gas = Number(state.gasLeft);

  loop: while (at < code.length) {
    const opcode = code[at] as number;
    const cost = costs[opcode] as number;
    if (cost < 0 || gas < cost) break;
    if (opcode >= 0x60) {
      if (opcode < 0x80) {
        if (height >= MAX_STACK) break;
        store[height++] = pushed[at] as bigint;
        at += opcode - 0x5f;
      } else if (opcode < 0x90) {
        const from = height - (opcode - 0x7f);
        if (from < 0 || height >= MAX_STACK) break;
        store[height++] = store[from] as bigint;
      } else {
        const from = height - 1 - (opcode - 0x8f);
        if (from < 0) break;
        const top = store[height - 1] as bigint;
        store[height - 1] = store[from] as bigint;
        store[from] = top;
      }
      at++;
      gas -= cost;
      continue;
    }
    if (opcode === 0x5b) {
      at++;
      gas -= cost;
      continue;
    }
    if (opcode === 0x5f) {
      if (height >= MAX_STACK) break;
      store[height++] = 0n;
      at++;
      gas -= cost;
      continue;
    }
    if (height < 1) break;
    const a = store[height - 1] as bigint;
    switch (opcode) {
      case 0x15:
        store[height - 1] = a === 0n ? 1n : 0n;
        break;
      case 0x19:
        store[height - 1] = MAX - a;
        break;
      case 0x50:
        height--;
        break;
      case 0x51: {
        const offset = Number(a);
        if (offset + WORD > memoryEnd) break loop;
        view ??= viewOf(memory);
        store[height - 1] = readWord(view, offset);
        break;
      }
      case 0x56: {
        const to = Number(a);
        if (validJumps[to] !== 1) break loop;
        height--;
        at = to - 1;
        break;
      }
      default: {
        if (height < 2) break loop;
        const b = store[height - 2] as bigint;
        if (opcode === 0x52) {
          const offset = Number(a);
          if (offset + WORD > memoryEnd) break loop;
          view ??= viewOf(memory);
          writeWord(view, offset, b);
          height -= 2;
        } else if (opcode === 0x57) {
          if (b !== 0n) {
            const to = Number(a);
            if (validJumps[to] !== 1) break loop;
            at = to - 1;
          }
          height -= 2;
        } else {
          height--;
          store[height - 1] = binary(opcode, a, b);
        }
      }
    }
    at++;
    gas -= cost;
  }
  stack._len = height;
  state.programCounter = at;
  state.gasLeft = BigInt(gas);
}

function binary(opcode: number, a: bigint, b: bigint): bigint {
  switch (opcode) {
    case 0x01: {
      const sum = a + b;
      return sum > MAX ? sum - MODULUS : sum;
    }
    case 0x02:
      return BigInt.asUintN(256, a * b);
    case 0x03: {
      const difference = a - b;
      return difference < 0n ? difference + MODULUS : difference;
    }
    case 0x04:
      return b === 0n ? 0n : a / b;
    case 0x10:
      return a < b ? 1n : 0n;
    case 0x11:
      return a > b ? 1n : 0n;
    case 0x14:
      return a === b ? 1n : 0n;
    case 0x16:
      return a & b;
    case 0x17:
      return a | b;
    case 0x18:
      return a ^ b;
    case 0x1b:
      return a > 255n ? 0n : BigInt.asUintN(256, b << a);
    default:
      return a > 255n ? 0n : b >> a;
  }
}

function viewOf(memory: Uint8Array): DataView {
  return new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
}

function readWord(view: DataView, offset: number): bigint {
  const high = view.getBigUint64(offset);
  const second = view.getBigUint64(offset + 8);
  const third = view.getBigUint64(offset + 16);
  if (high === 0n && second === 0n && third === 0n) {
    const upper = view.getUint32(offset + 24);
    if (upper < EXACT_HIGH) return BigInt(upper * UINT32 + view.getUint32(offset + 28));
  }
  return (((((high << 64n) | second) << 64n) | third) << 64n) | view.getBigUint64(offset + 24);
}

function writeWord(view: DataView, offset: number, value: bigint): void {
  if (value <= EXACT) {
    const small = Number(value);
    view.setFloat64(offset, 0);
    view.setFloat64(offset + 8, 0);
    view.setFloat64(offset + 16, 0);
    view.setUint32(offset + 24, Math.floor(small / UINT32));
    view.setUint32(offset + 28, small % UINT32);
    return;
  }
  // each takes the lowest 64 bits of what it is given
  view.setBigUint64(offset, value >> 192n);
  view.setBigUint64(offset + 8, value >> 128n);
  view.setBigUint64(offset + 16, value >> 64n);
  view.setBigUint64(offset + 24, value);
}
