import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../src/core/deferred.ts';
import type { EngineFailure } from '../../src/engine/failure.ts';
import { createRunner } from '../../src/engine/runner.ts';
import { type Watch, watched } from '../../src/engine/watch.ts';

/** How a statement that may run no longer is ended, over an engine that does as it is told. */

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watch(changes: Partial<Watch>): Watch {
  return {
    deadlineMs: 1_000,
    signal: new AbortController().signal,
    cancel: async () => undefined,
    onStop: () => undefined,
    reportError: () => undefined,
    ...changes,
  };
}

describe('a statement', () => {
  it('is cancelled until the engine lets go of it, and told why; what fails in that is reported once', async () => {
    const reported: unknown[] = [];
    const reasons: string[] = [];
    const broken = new Error('no such thing');
    let cancels = 0;
    const running = deferred<void>();
    const stopped = watched(
      watch({
        cancel: async () => {
          cancels++;
          throw broken;
        },
        onStop: (reason) => reasons.push((reason as EngineFailure).type),
        reportError: (error) => reported.push(error),
      }),
      () => running.promise,
    ).catch((error: EngineFailure) => error.type);
    await vi.advanceTimersByTimeAsync(999);
    expect([cancels, reasons]).toEqual([0, []]);
    await vi.advanceTimersByTimeAsync(501);
    expect([cancels, reasons, reported]).toEqual([3, ['TIMEOUT_EXCEEDED'], [broken]]);
    running.reject(new Error('the engine lets go'));
    expect(await stopped).toBe('TIMEOUT_EXCEEDED');
    await vi.advanceTimersByTimeAsync(10_000);
    expect(cancels).toBe(3);
  });

  it('sends one cancel at a time', async () => {
    let cancels = 0;
    const running = deferred<void>();
    const sent = deferred<void>();
    const cancel = () => {
      cancels++;
      return sent.promise;
    };
    const stopped = watched(watch({ cancel }), () => running.promise);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(cancels).toBe(1);
    running.resolve();
    expect(await stopped).toBe(false);
    sent.resolve();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(cancels).toBe(1);
  });

  it('does not begin for a client that has left', async () => {
    const use = vi.fn(async () => undefined);
    const signal = AbortSignal.abort();
    await expect(watched(watch({ signal }), use)).rejects.toMatchObject({ type: 'QUERY_WAS_CANCELLED' });
    expect(use).not.toHaveBeenCalled();
  });
});

describe('a reader’s statement', () => {
  it('is waited for at the end while it is still being looked at', async () => {
    const asked = deferred<void>();
    const answered = deferred<{ bytes: Uint8Array; rows: number }>();
    const runner = createRunner({
      engine: {
        open: async () => ({
          name: 'session',
          run() {
            asked.resolve();
            return answered.promise;
          },
          async *stream() {},
          close: () => undefined,
        }),
        cancel: async () => undefined,
        close: async () => undefined,
      },
      refusedFunctions: new Set(),
      spoolFolder: '/nowhere',
      maxSpoolBytes: { owner: 1, reader: 1 },
      deadlineMs: { owner: 60_000, reader: 60_000 },
      limits: { reads: 1, readerReads: 1, writes: 1, waiting: 10 },
      reportError: () => undefined,
    });
    const prepared = runner.prepare('SELECT 1', {
      role: 'reader',
      database: undefined,
      url: { settings: new Map(), parameters: new Map() },
      signal: new AbortController().signal,
    });
    await asked.promise;
    let closed = false;
    const closing = runner.close().then(() => {
      closed = true;
    });
    await vi.advanceTimersByTimeAsync(100);
    expect(closed).toBe(false);
    answered.resolve({ bytes: Buffer.from('SELECT 1'), rows: 1 });
    expect(await prepared).toBe('SELECT 1');
    await closing;
    expect(closed).toBe(true);
  });
});
