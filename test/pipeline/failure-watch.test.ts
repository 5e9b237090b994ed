import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createFailureWatch } from '../../src/pipeline/failure-watch.ts';

/** A writer's failure, awaited beside everything else that a run awaits. */
describe('a failure watch', () => {
  it('lets values and errors through while all is well', async () => {
    const watch = createFailureWatch();
    expect(await watch.guard(Promise.resolve(7))).toBe(7);
    await expect(watch.guard(Promise.reject(new Error('own')))).rejects.toThrow('own');
  });

  it('rejects what waits and what comes later with the first failure', async () => {
    const watch = createFailureWatch();
    const waiting = watch.guard(new Promise(() => undefined));
    watch.fail(new Error('disk full'));
    watch.fail(new Error('thread ended'));
    await expect(waiting).rejects.toThrow('disk full');
    await expect(watch.guard(Promise.resolve(7))).rejects.toThrow('disk full');
  });

  it('keeps no value that has passed', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const watch = createFailureWatch();
    const pass = async (): Promise<WeakRef<object>> => new WeakRef(await watch.guard(Promise.resolve({})));
    const seen = await pass();
    await new Promise((resolve) => setTimeout(resolve, 10));
    collect();
    expect(seen.deref()).toBeUndefined();
    watch.fail(new Error('the watch was alive to the end'));
  });
});
