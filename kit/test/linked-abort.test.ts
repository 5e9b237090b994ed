import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { linkAbort } from '../src/linked-abort.ts';

describe('a linked signal', () => {
  it('aborts with any of the outer ones, for the same reason', () => {
    for (const at of [0, 1]) {
      const outers = [new AbortController(), new AbortController()];
      const { signal } = linkAbort(...outers.map((outer) => outer.signal), undefined);
      outers[at]?.abort('stopped');
      expect([signal.aborted, signal.reason]).toEqual([true, 'stopped']);
    }
    expect(linkAbort(AbortSignal.abort('before')).signal.reason).toBe('before');
  });

  it('aborts by itself, which the outer ones do not see', () => {
    const outer = new AbortController();
    const linked = linkAbort(outer.signal);
    linked.abort();
    expect([linked.signal.aborted, outer.signal.aborted]).toEqual([true, false]);
  });

  it('leaves nothing with an outer one once it is unlinked', () => {
    const outer = new AbortController();
    const linked = linkAbort(outer.signal);
    expect(getEventListeners(outer.signal, 'abort')).toHaveLength(1);
    linked.unlink();
    expect(getEventListeners(outer.signal, 'abort')).toEqual([]);
    outer.abort();
    expect(linked.signal.aborted).toBe(false);
  });
});
