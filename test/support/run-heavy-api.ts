import { okAnswer, unavailableAnswer } from '../../src/api/answer.ts';
import type { Api } from '../../src/api/api.ts';
import { listenApi } from '../../src/api/http.ts';

/**
 * A process whose API answers each request with a new body of argv[2] bytes and may hold argv[3] bytes of them, over
 * the listener argv[4]. It sends its port, and on any message what it holds after a garbage collection. Needs --expose-gc.
 */
const [bodyBytes = 0, maxHeldBytes = 0] = process.argv.slice(2).map(Number);
const api: Api = {
  handle: async (_method, target) =>
    okAnswer([target === '/small' ? '{}' : Buffer.alloc(bodyBytes, 'strata ')]),
  refuse: () => unavailableAnswer('overloaded'),
};
const kind = process.argv[4] === 'node' ? 'node' : 'uws';
const server = await listenApi(api, { kind, host: '127.0.0.1', port: 0, maxHeldBytes });
process.on('message', () => {
  (globalThis as { gc?: () => void }).gc?.();
  process.send?.({ rssBytes: process.memoryUsage().rss, heldBytes: server.heldBytes });
});
process.on('disconnect', () => process.exit());
process.send?.(server.port);
