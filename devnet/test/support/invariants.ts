import { expect } from 'vitest';
import type { Devnet } from '../../src/devnet.ts';

/** What must hold after every block: the modules' invariants, and nothing that nobody foresaw. */
export function expectInvariants({ app }: Devnet): void {
  expect(app.unforeseen).toEqual([]);
  expect(app.invariants()).toEqual([]);
}
