import { connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Readiness } from '../../src/admin/readiness.ts';
import { ADMIN_LIMITS, type AdminServer, type AdminSources, listenAdmin } from '../../src/admin/server.ts';

const READY: Readiness = { ready: true, reasons: [], stall: null };

let server: AdminServer | undefined;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server?.close();
  server = undefined;
});

async function start(sources: Partial<AdminSources> = {}, limits: Partial<typeof ADMIN_LIMITS> = {}) {
  const errors: unknown[] = [];
  server = await listenAdmin(
    {
      readiness: () => READY,
      metrics: { contentType: 'text/plain; version=0.0.4', metrics: async () => 'strata_ready 1\n' },
      onError: (error) => errors.push(error),
      ...sources,
    },
    { host: '127.0.0.1', port: 0 },
    { ...ADMIN_LIMITS, ...limits },
  );
  return { url: server.url, errors, port: Number(new URL(server.url).port) };
}

function open(port: number): Promise<{ socket: Socket; closed: Promise<void>; text: () => string }> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    sockets.push(socket);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
    });
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    socket.once('connect', () => resolve({ socket, closed, text: () => text }));
    socket.once('error', reject);
  });
}

describe('the admin listener', () => {
  it('answers GET and HEAD', async () => {
    const { url } = await start();
    const health = await fetch(`${url}/healthz`);
    expect([health.status, await health.json()]).toEqual([200, { status: 'alive' }]);
    const metrics = await fetch(`${url}/metrics?name=all`);
    expect([metrics.status, metrics.headers.get('content-type'), await metrics.text()]).toEqual([
      200,
      'text/plain; version=0.0.4',
      'strata_ready 1\n',
    ]);
    const head = await fetch(`${url}/metrics`, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '15', '']);
  });

  it('says 503 with the reasons where it is not ready', async () => {
    const readiness = { ...READY, ready: false, reasons: ['nothing is indexed yet'] };
    const { url } = await start({ readiness: () => readiness });
    const answer = await fetch(`${url}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([503, readiness]);
  });

  it('refuses other methods and paths with a code', async () => {
    const { url } = await start();
    const post = await fetch(`${url}/metrics`, { method: 'POST', body: 'x'.repeat(100_000) });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    expect(await post.json()).toMatchObject({ code: 'method_not_allowed' });
    const nowhere = await fetch(`${url}/v1/status`);
    expect([nowhere.status, await nowhere.json()]).toMatchObject([404, { code: 'not_found' }]);
  });

  it('hides why it could not answer, and tells the log', async () => {
    const { url, errors } = await start({
      readiness: () => {
        throw new Error('secret');
      },
    });
    const answer = await fetch(`${url}/readyz`);
    expect([answer.status, await answer.json()]).toEqual([
      500,
      { error: 'internal error', code: 'internal' },
    ]);
    expect(errors).toHaveLength(1);
  });

  it('names the address that it cannot listen on', async () => {
    const { port } = await start();
    const again = listenAdmin(
      { readiness: () => READY, metrics: { contentType: '', metrics: async () => '' }, onError: () => {} },
      { host: '127.0.0.1', port },
    );
    await expect(again).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('--admin'),
    });
  });
});

describe('its limits', () => {
  it('drop connections beyond their number, and keep those that are there', async () => {
    const { port } = await start({}, { maxConnections: 3 });
    const kept = await Promise.all([open(port), open(port), open(port)]);
    // each is served once, so that the server has counted all three
    for (const { socket, text } of kept) {
      socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
      await expect.poll(text).toContain('alive');
    }
    await (await open(port)).closed;
    kept[0]?.socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    await expect.poll(() => kept[0]?.text().match(/alive/g)).toHaveLength(2);
  });

  it('refuse headers that are too large', async () => {
    const { port } = await start();
    const { socket, closed } = await open(port);
    socket.on('error', () => {});
    socket.write(`GET /healthz HTTP/1.1\r\nx: ${'y'.repeat(ADMIN_LIMITS.maxHeaderBytes)}\r\n\r\n`);
    await closed;
  });

  it('end a request whose headers trickle in, and a connection that is idle', async () => {
    const { port } = await start({}, { headersMs: 200, idleMs: 60_000 });
    const trickling = await open(port);
    trickling.socket.on('error', () => {});
    trickling.socket.write('GET /healthz HTTP/1.1\r\nx: ');
    const timer = setInterval(() => trickling.socket.write('y'), 20);
    await trickling.closed;
    clearInterval(timer);
  });

  it('end a connection whose client does not read', async () => {
    const { port, url } = await start(
      { metrics: { contentType: 'text/plain', metrics: async () => 'x'.repeat(64_000_000) } },
      { idleMs: 300, maxConnections: 1 },
    );
    const slow = await open(port);
    slow.socket.on('error', () => {});
    slow.socket.write('GET /metrics HTTP/1.1\r\nhost: a\r\n\r\n');
    await expect.poll(slow.text).toContain('200 OK');
    slow.socket.pause();
    // its place, the only one, becomes free
    const status = () =>
      fetch(`${url}/healthz`, { headers: { connection: 'close' } }).then(
        (answer) => answer.status,
        () => 0,
      );
    await expect.poll(status, { timeout: 20_000 }).toBe(200);
  }, 30_000);

  it('keep a connection between two scrapes, and not for ever', async () => {
    const { port } = await start({}, { idleMs: 100, keepAliveMs: 1_000 });
    const scraper = await open(port);
    scraper.socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    await expect.poll(scraper.text).toContain('alive');
    await new Promise((resolve) => setTimeout(resolve, 400));
    scraper.socket.write('GET /readyz HTTP/1.1\r\nhost: a\r\n\r\n');
    await expect.poll(scraper.text).toContain('"ready":true');
    await scraper.closed;
  });

  it('make one text for all who ask at once', async () => {
    let made = 0;
    const { url } = await start({
      metrics: {
        contentType: 'text/plain',
        metrics: async () => {
          made++;
          await new Promise((resolve) => setTimeout(resolve, 200));
          return 'x';
        },
      },
    });
    await Promise.all(Array.from({ length: 20 }, () => fetch(`${url}/metrics`)));
    expect(made).toBeLessThan(20);
  });
});
