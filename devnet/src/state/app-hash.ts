import { hash } from 'node:crypto';
import type { Change, Collection } from './state.ts';

/**
 * The app hash: the sum modulo 2^256 of a SHA-256 for each record, as 32 bytes in upper-case hex. It depends on the
 * state's records alone, in whatever order they came, and a block costs what it changes. It tells two states apart; it
 * gives no proofs.
 */
export interface AppHash {
  /** Of the state after these changes. */
  apply(changes: readonly Change[]): string;
  /** A record that is there already: at start. */
  add(collection: Collection<unknown>['name'], key: string, text: string): void;
  current(): string;
}

const MODULUS_BITS = 256;

export function createAppHash(): AppHash {
  let sum = 0n;
  const current = () => sum.toString(16).padStart(64, '0').toUpperCase();
  return {
    apply(changes) {
      let difference = 0n;
      for (const { collection, key, before, after } of changes) {
        if (before !== undefined) difference -= recordHash(collection, key, before);
        if (after !== undefined) difference += recordHash(collection, key, after);
      }
      sum = BigInt.asUintN(MODULUS_BITS, sum + difference);
      return current();
    },
    add(collection, key, text) {
      sum = BigInt.asUintN(MODULUS_BITS, sum + recordHash(collection, key, text));
    },
    current,
  };
}

/** Names and keys hold no NUL. */
function recordHash(collection: string, key: string, text: string): bigint {
  return BigInt(`0x${hash('sha256', `${collection}\0${key}\0${text}`, 'hex')}`);
}
