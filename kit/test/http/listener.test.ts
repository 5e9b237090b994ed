import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { closeServer, createHttpServer, listenAt } from '../../src/http/listener.ts';

const LOOPBACK = { host: '127.0.0.1', port: 0 };

/** A server with one request under way, whose response the test writes. */
async function answering() {
  const server = createHttpServer({});
  const { url } = await listenAt(server, LOOPBACK);
  const asked = new Promise<ServerResponse>((resolve) => {
    server.once('request', (_request, response) => resolve(response));
  });
  const text = fetch(url).then((answer) => answer.text());
  return { server, text, response: await asked };
}

describe('closeServer', () => {
  it('lets an answer in hand end', async () => {
    const { server, text, response } = await answering();
    const closed = closeServer(server, 600_000);
    setTimeout(() => response.end('whole'), 50);
    expect(await text).toBe('whole');
    await closed;
  });

  it('cuts the answers off after its grace, and says so first', async () => {
    const { server, text } = await answering();
    const cut = expect(text).rejects.toThrow();
    let isLate = false;
    await closeServer(server, 1, () => {
      isLate = server.listening === false;
    });
    await cut;
    expect(isLate).toBe(true);
  });
});

describe('listenAt', () => {
  it('says which address is taken, with the code and the setting that it is given', async () => {
    const server = createHttpServer({});
    const { port } = await listenAt(server, LOOPBACK);
    const again = (refusal: Parameters<typeof listenAt>[2]) =>
      listenAt(createHttpServer({}), { host: '127.0.0.1', port }, refusal);
    await expect(again({})).rejects.toMatchObject({
      code: 'port_in_use',
      message: `cannot listen at 127.0.0.1:${port}: EADDRINUSE`,
    });
    await expect(again({ code: 'config_invalid', setting: '--x' })).rejects.toMatchObject({
      code: 'config_invalid',
      message: `--x cannot listen at 127.0.0.1:${port}: EADDRINUSE`,
    });
    await closeServer(server, 0);
  });

  it('writes an IPv6 address into the URL in brackets', async () => {
    const server = createHttpServer({});
    const { port, url } = await listenAt(server, { host: '::1', port: 0 });
    expect(url).toBe(`http://[::1]:${port}`);
    await closeServer(server, 0);
  });
});
