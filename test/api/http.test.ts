import { afterEach, describe, expect, test, vi } from 'vitest';
import { okAnswer, unavailableAnswer } from '../../src/api/answer.ts';
import type { Api } from '../../src/api/api.ts';

/** What listens: uWebSockets.js, or node:http where that has no binary. */

const api: Api = {
  handle: () => okAnswer(['{}']),
  refuse: () => unavailableAnswer('overloaded'),
};
const ADDRESS = { host: '127.0.0.1', port: 0 };

afterEach(() => {
  vi.doUnmock('uWebSockets.js');
  vi.resetModules();
});

describe('a Node without a binary of uWebSockets.js', () => {
  test('is told of --http node, and serves with it', async () => {
    vi.resetModules();
    vi.doMock('uWebSockets.js', () => {
      throw new Error('This version of uWS.js supports only Node.js versions 18, 20, 21 and 22');
    });
    const { listenApi } = await import('../../src/api/http.ts');
    await expect(listenApi(api, ADDRESS)).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(/no binary for Node v\S+ on \w+ \w+: give --http node/),
    });
    const server = await listenApi(api, { ...ADDRESS, kind: 'node' });
    try {
      expect(await (await fetch(`http://127.0.0.1:${server.port}/`)).json()).toEqual({});
    } finally {
      await server.close();
    }
  });
});

test('node:http refuses a port that is to be shared', async () => {
  const { listenApi } = await import('../../src/api/http.ts');
  await expect(listenApi(api, { ...ADDRESS, kind: 'node', sharedPort: true })).rejects.toMatchObject({
    code: 'config_invalid',
  });
});
