import { createLogger } from 'strata-kit/cli/logging';
import { systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { expect, it } from 'vitest';
import { openApi } from '../../src/cli/serving.ts';
import type { StoreFactory } from '../../src/store/store.ts';
import { openTestStores } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { copyRecordedStore } from '../support/worlds.ts';

/** What an API says while its store is away: one line a trouble, without a stack, however often it asks. */

it('a store that goes away is a line for its checkpoint and one for requests', async () => {
  const folder = await temporaryFolder();
  await copyRecordedStore(folder.path);
  const stores = await openTestStores(folder.path);
  let isAway = false;
  const leaving: StoreFactory = {
    ...stores,
    open: async (session) => {
      const store = await stores.open(session);
      const query: typeof store.query = async (sql, options) => {
        if (!isAway) return store.query(sql, options);
        const cause = new Error('connect ECONNREFUSED 127.0.0.1:1');
        throw new StrataError('store_unreachable', `The store does not answer: ${cause.message}`, { cause });
      };
      return { ...store, query };
    },
  };
  const lines: string[] = [];
  const log = createLogger({ format: 'pretty', level: 'info', write: (text) => lines.push(text) });
  const served = await openApi(leaving, log);
  try {
    isAway = true;
    // four readings of the checkpoint
    await systemClock.sleep(1_000);
    for (let height = 1; height <= 5; height++) {
      expect((await served.api.handle('GET', `/v1/blocks/${height}`)).status).toBe(500);
    }
  } finally {
    await served.close();
    await stores.close();
    await folder.remove();
  }
  const reason = 'The store does not answer: connect ECONNREFUSED 127.0.0.1:1';
  expect(lines.map((line) => line.replace(/^\[.*?\] /, ''))).toEqual([
    `WARN: the checkpoint could not be read, and the last one known is served: ${reason}\n`,
    `WARN: a request failed: ${reason} {"code":"store_unreachable","target":"/v1/blocks/1"}\n`,
  ]);
});

it('a failure that is foreseen is logged by its code and reason, any other with its stack', () => {
  const lines: string[] = [];
  const log = createLogger({ format: 'json', level: 'info', write: (text) => lines.push(text) });
  log.warn({ err: new StrataError('node_unreachable', 'no node'), failures: 2 }, 'the comparison failed');
  log.warn({ err: new TypeError('a bug') }, 'the comparison failed');
  const [foreseen, bug] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(foreseen).toMatchObject({ code: 'node_unreachable', reason: 'no node', failures: 2 });
  expect(foreseen).not.toHaveProperty('err');
  expect(bug?.err).toMatchObject({ type: 'TypeError', stack: expect.stringContaining('a bug') });
});
