import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { createSeats, goneOf } from '../../src/access/seats.ts';
import { AppError } from '../../src/errors.ts';

it('no client has more queries at the node at once than its share, however many it sends', async () => {
  const atOnce = createSeats(2);
  const ends: (() => void)[] = [];
  const ask = (client: string) =>
    atOnce(client, () => new Promise<string>((resolve) => ends.push(() => resolve('answer')))).catch(
      (error: unknown) => (error instanceof AppError ? error.code : error),
    );
  const answers = [ask('a'), ask('a'), ask('a'), ask('b')];
  expect(await answers[2]).toBe('too_many_requests');
  expect(ends).toHaveLength(3);
  for (const end of ends) end();
  expect(await Promise.all(answers)).toEqual(['answer', 'answer', 'too_many_requests', 'answer']);
  const again = ask('a');
  ends.at(-1)?.();
  expect(await again).toBe('answer');
});

it('a client that goes before its answer ends its query, and one that has its answer does not', () => {
  const response = (writableFinished: boolean) =>
    Object.assign(new EventEmitter(), { writableFinished }) as unknown as ServerResponse;
  for (const finished of [true, false]) {
    const one = response(finished);
    const signal = goneOf(one);
    one.emit('close');
    expect(signal.aborted).toBe(!finished);
  }
});
