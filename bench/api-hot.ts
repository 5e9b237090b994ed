import { App, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
import type { LoadResult } from './support/load.ts';
import { type Figure, quantile } from './support/report.ts';
import { runLoad } from './support/run-load.ts';
import { type ApiParts, withServer } from './support/serve-api.ts';

const CONNECTIONS = 64;
const TARGETS = ['/v1/stats', '/v1/txs?limit=20'];

interface Round extends LoadResult {
  /** Of the serving process, which is this one, a request. */
  readonly cpuMicros: number;
}

/**
 * A cached answer against an answer of the same size that a bare uWebSockets.js handler returns, in the same process and
 * for the same load, in turns. The generator shares two cores with the server, so what the server itself pays for a
 * request is printed too: it is the rate that it could reach.
 */
export async function benchHotRoutes(parts: ApiParts, seconds: number, rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  const api = await parts.create();
  for (const target of TARGETS) {
    const size = (await api.handle('GET', target)).body.length;
    const { port, close } = await listenStatic(size);
    const ours: Round[] = [];
    const theirs: Round[] = [];
    await withServer(api, async (url) => {
      for (let round = 0; round < rounds; round++) {
        theirs.push(await measure(`http://127.0.0.1:${port}`, target, seconds));
        ours.push(await measure(url, target, seconds));
      }
    });
    close();
    const rate = (found: readonly Round[]) => median(found.map(({ requests, seconds: s }) => requests / s));
    const cpu = (found: readonly Round[]) => median(found.map(({ cpuMicros }) => cpuMicros));
    figures.push(
      { name: `cached ${target} (${size} bytes)`, value: rate(ours), unit: 'requests/s' },
      { name: '  a static answer of the same size', value: rate(theirs), unit: 'requests/s' },
      { name: `cached ${target} ÷ static`, value: rate(ours) / rate(theirs), unit: 'ratio', aim: '≥ 0.7' },
      {
        name: '  the same by server CPU a request',
        value: cpu(theirs) / cpu(ours),
        unit: 'ratio',
        aim: '≥ 0.7',
      },
      { name: '  server CPU a request', value: cpu(ours), unit: 'µs' },
      { name: '  generator', value: median(ours.map(({ cores }) => cores)), unit: 'cores' },
    );
  }
  return figures;
}

async function measure(url: string, target: string, seconds: number): Promise<Round> {
  const started = process.cpuUsage();
  const result = await runLoad({ url, connections: CONNECTIONS, seconds, targets: [target] });
  const { user, system } = process.cpuUsage(started);
  return { ...result, cpuMicros: (user + system) / result.requests };
}

async function listenStatic(size: number): Promise<{ port: number; close(): void }> {
  const body = Buffer.alloc(size, 'x');
  const app = App();
  app.any('/*', (response) => {
    response.writeHeader('content-type', 'application/json; charset=utf-8');
    response.end(body);
  });
  return new Promise((resolve, reject) => {
    app.listen('127.0.0.1', 0, (socket) => {
      if (socket === false) return reject(new Error('no port'));
      resolve({ port: us_socket_local_port(socket), close: () => us_listen_socket_close(socket) });
    });
  });
}

function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}
