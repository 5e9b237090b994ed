import { App, us_socket_local_port } from 'uWebSockets.js';
import { pino } from 'pino';
import { systemClock } from 'strata-kit/clock';
import { createApp, listenApp } from 'strata-testnet/app';
import { createForward } from 'strata-testnet/proxy';
import { createApi } from '../../src/api/api.ts';
import { listenApi } from '../../src/api/http.ts';
import { readIdentity } from '../../src/api/identity.ts';
import { EMPTY_SNAPSHOT } from '../../src/api/rows.ts';
import type { Store } from '../../src/store/store.ts';

/**
 * One of four servers that answer with the same bytes: `static`, uWebSockets.js and nothing else, `api`, a cached
 * route of the API, `node`, the same over node:http, or `app`, which forwards to such an API. argv: which; bytes of the body, or the API's URL. Sends
 * its port; on any message its CPU time in µs and resets it.
 */
const [which = '', given = ''] = process.argv.slice(2);
const body = Buffer.alloc(which === 'app' ? 0 : Number(given), 'strata ');
const host = '127.0.0.1';

async function listen(): Promise<number> {
  if (which === 'static') {
    return new Promise((resolve) => {
      App()
        .any('/*', (response) => {
          response.writeHeader('content-type', 'application/yaml');
          response.end(body);
        })
        .listen(host, 0, (socket) => resolve(socket === false ? 0 : us_socket_local_port(socket)));
    });
  }
  if (which === 'app') {
    const log = pino({ level: 'silent' });
    const app = await createApp([], { log, trustedProxies: 0, forward: createForward({ url: given, log }) });
    return Number(new URL(await listenApp(app, { host, port: 0 })).port);
  }
  const none = () => Promise.resolve();
  const store: Store = {
    name: 'empty',
    query: () => Promise.resolve(new Uint8Array(0)),
    command: none,
    insertNativeFiles: none,
    close: none,
  };
  const api = createApi({
    readers: [store],
    state: {
      current: () => ({
        ...EMPTY_SNAPSHOT,
        indexedHeight: 9,
        firstHeight: 1,
        latestBlockTimeNs: 0n,
        chainHeight: 9,
      }),
      refresh: () => Promise.resolve(),
    },
    chain: readIdentity(new Map(), 'bench', 'cosmos', 'aeva'),
    cursorKey: () => new Uint8Array(32),
    openapi: body,
    clock: systemClock,
    reportError: () => {},
    onAnswer: () => {},
  });
  return (await listenApi(api, { kind: which === 'node' ? 'node' : 'uws', host, port: 0 })).port;
}

const port = await listen();
let used = process.cpuUsage();
process.on('message', () => {
  const { user, system } = process.cpuUsage(used);
  used = process.cpuUsage();
  process.send?.(user + system);
});
process.on('disconnect', () => process.exit());
process.send?.(port);
