import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createBodyBudget } from '../src/body-budget.ts';
import { createHolding } from '../src/holding.ts';
import { readBody } from '../src/http/serving.ts';

/** The bytes that requests make the chain's servers hold. */

const MAX_BODY = 1_000_000;
const body = (byteLength: number) =>
  Readable.from(
    Array.from({ length: byteLength / 50_000 }, () => Buffer.alloc(50_000, 'x')),
  ) as IncomingMessage;

describe('bodies of requests', () => {
  it('are refused while others have used up the room, but small ones', async () => {
    const budget = createBodyBudget(1_000_000);
    const first = createHolding(budget);
    const { kind } = await readBody(body(900_000), MAX_BODY, first);
    expect(kind).toBe('text');
    const second = createHolding(budget);
    expect(await readBody(body(900_000), MAX_BODY, second)).toEqual({ kind: 'busy' });
    expect(budget.heldBytes).toBeLessThan(900_000);
    expect(await readBody(body(50_000), MAX_BODY, createHolding(budget))).toMatchObject({ kind: 'text' });
    first.end();
    expect(budget.heldBytes).toBe(0);
    expect(await readBody(body(900_000), MAX_BODY, createHolding(budget))).toMatchObject({ kind: 'text' });
  });

  it('that are too long leave nothing held', async () => {
    const budget = createBodyBudget(10_000_000);
    expect(await readBody(body(1_050_000), MAX_BODY, createHolding(budget))).toEqual({ kind: 'too long' });
    expect(budget.heldBytes).toBe(0);
  });
});
