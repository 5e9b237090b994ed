import { okAnswer, unavailableAnswer } from '../../src/api/answer.ts';
import type { Api } from '../../src/api/api.ts';
import { listenApi } from '../../src/api/server.ts';

/**
 * A process whose API answers each request with a new body of argv[2] bytes and may hold argv[3] bytes of them. It sends
 * its port, and on any message what it holds after a garbage collection. Needs --expose-gc.
 */
const [bodyBytes = 0, maxHeldBytes = 0] = process.argv.slice(2).map(Number);
const api: Api = {
  handle: async (_method, target) =>
    okAnswer([target === '/small' ? '{}' : Buffer.alloc(bodyBytes, 'strata ')]),
  refuse: () => unavailableAnswer('overloaded'),
};
const server = await listenApi(api, { host: '127.0.0.1', port: 0, maxHeldBytes });
process.on('message', () => {
  (globalThis as { gc?: () => void }).gc?.();
  process.send?.({ rssBytes: process.memoryUsage().rss, heldBytes: server.heldBytes });
});
process.on('disconnect', () => process.exit());
process.send?.(server.port);
