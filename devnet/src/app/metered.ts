import type { State } from '../state/state.ts';
import type { GasMeter } from './module.ts';

/** The Cosmos SDK's costs of a key-value store (store/types/gas.go, KVGasConfig). */
const READ_FLAT = 1_000;
const READ_BYTE = 3;
const WRITE_FLAT = 2_000;
const WRITE_BYTE = 30;
const DELETE_FLAT = 1_000;
const NEXT_FLAT = 30;

/** A state whose reads and writes cost gas. */
export function meterState(state: State, gas: GasMeter): State {
  return {
    get(collection, key) {
      gas.consume(READ_FLAT, 'ReadFlat');
      const value = state.get(collection, key);
      gas.consume(READ_BYTE * (key.length + sizeOf(value)), 'ReadPerByte');
      return value;
    },
    *entries(collection, prefix) {
      for (const entry of state.entries(collection, prefix)) {
        gas.consume(NEXT_FLAT + READ_BYTE * (entry[0].length + sizeOf(entry[1])), 'IterNextFlat');
        yield entry;
      }
    },
    set(collection, key, value) {
      gas.consume(WRITE_FLAT, 'WriteFlat');
      gas.consume(WRITE_BYTE * (key.length + sizeOf(value)), 'WritePerByte');
      state.set(collection, key, value);
    },
    delete(collection, key) {
      gas.consume(DELETE_FLAT, 'Delete');
      state.delete(collection, key);
    },
    mark: () => state.mark(),
    revert: (mark) => state.revert(mark),
  };
}

/** Values are immutable, so that an object's size is reckoned once. */
const sizes = new WeakMap<object, number>();

/** About the bytes that a record would take. */
function sizeOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return value.length;
    case 'bigint':
      return value.toString(16).length;
    case 'number':
      return 8;
    case 'boolean':
      return 1;
    case 'object':
      return value === null ? 0 : sizeOfObject(value);
    default:
      return 0;
  }
}

function sizeOfObject(value: object): number {
  const known = sizes.get(value);
  if (known !== undefined) return known;
  let size = 0;
  if (value instanceof Uint8Array) size = value.length;
  else if (Array.isArray(value)) for (const part of value) size += 1 + sizeOf(part);
  else {
    // undefined fields are not stored: a record that was read back has none
    for (const [key, part] of Object.entries(value))
      if (part !== undefined) size += key.length + sizeOf(part);
  }
  sizes.set(value, size);
  return size;
}
