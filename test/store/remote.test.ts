import { MessageChannel } from 'node:worker_threads';
import { StrataError } from 'strata-kit/errors';
import { describe, expect, it } from 'vitest';
import { connectStore, exposeStore } from '../../src/store/remote.ts';
import type { Store } from '../../src/store/store.ts';

/** A store that notes its calls and answers when `release` is called. */
function fakeStore(answer: (sql: string) => Promise<Uint8Array>): {
  readonly store: Store;
  readonly calls: unknown[];
} {
  const calls: unknown[] = [];
  return {
    calls,
    store: {
      name: 'fake',
      query: (sql, options) => {
        calls.push(['query', sql, options]);
        return answer(sql);
      },
      command: async (sql) => {
        calls.push(['command', sql]);
        await answer(sql);
      },
      insertNativeFiles: async (table, columns, paths) => {
        calls.push(['insert', table, columns, paths]);
      },
      close: async () => {
        calls.push(['close']);
      },
    },
  };
}

function connect(store: Store): Store {
  const { port1, port2 } = new MessageChannel();
  exposeStore(store, port1);
  return connectStore(port2);
}

describe('a store in another thread', () => {
  it('passes calls on and their bytes back', async () => {
    const pool = Buffer.from('..rows..');
    const { store, calls } = fakeStore(async () => pool.subarray(2, 6));
    const remote = connect(store);
    expect(Buffer.from(await remote.query('SELECT 1', { timeoutSeconds: 3 })).toString()).toBe('rows');
    await remote.command('TRUNCATE TABLE txs');
    await remote.insertNativeFiles('txs', ['height'], ['/spool/txs.native']);
    expect(calls).toEqual([
      ['query', 'SELECT 1', { timeoutSeconds: 3 }],
      ['command', 'TRUNCATE TABLE txs'],
      ['insert', 'txs', ['height'], ['/spool/txs.native']],
    ]);
    expect(pool.toString()).toBe('..rows..');
    await remote.close();
  });

  it('gives each call its own answer, in whatever order they come', async () => {
    const { store } = fakeStore(async (sql) => {
      await new Promise((resolve) => setTimeout(resolve, sql === 'slow' ? 50 : 0));
      return Buffer.from(sql);
    });
    const remote = connect(store);
    const answers = await Promise.all(['slow', 'a', 'b'].map((sql) => remote.query(sql)));
    expect(answers.map((bytes) => Buffer.from(bytes).toString())).toEqual(['slow', 'a', 'b']);
    await remote.close();
  });

  it('brings errors over with their code and facts', async () => {
    const { store } = fakeStore(async (sql) => {
      if (sql === 'ours') throw new StrataError('store_unreachable', 'no answer', { retryable: true });
      throw new TypeError('a bug');
    });
    const remote = connect(store);
    await expect(remote.query('ours')).rejects.toMatchObject({
      name: 'StrataError',
      code: 'store_unreachable',
      message: 'no answer',
      retryable: true,
    });
    await expect(remote.command('theirs')).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('a bug'),
    });
    await remote.close();
  });

  it('rejects what is pending when either end closes', async () => {
    const { store, calls } = fakeStore(() => new Promise(() => {}));
    const remote = connect(store);
    const pending = expect(remote.query('SELECT 1')).rejects.toMatchObject({ code: 'aborted' });
    await remote.close();
    await pending;
    await expect(remote.command('late')).rejects.toMatchObject({ code: 'aborted' });
    await remote.close();
    expect(calls.flat()).not.toContain('close');

    const { port1, port2 } = new MessageChannel();
    exposeStore(store, port1);
    const other = connectStore(port2);
    const cut = expect(other.query('SELECT 2')).rejects.toMatchObject({ code: 'aborted' });
    port1.close();
    await cut;
  });
});
