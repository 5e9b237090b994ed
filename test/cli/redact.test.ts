import { describe, expect, it } from 'vitest';
import { createRedactor, redactUrl } from '../../src/core/url.ts';

describe('redactUrl', () => {
  it.each([
    ['http://127.0.0.1:26657', 'http://127.0.0.1:26657'],
    ['http://reader:secret@db:8123/chain', 'http://***@db:8123/chain'],
    ['https://node.example/v1/0123456789abcdef0123/rpc', 'https://node.example/v1/***/rpc'],
    ['https://node.example/?api_key=abc&x=1', 'https://node.example?api_key=***&x=***'],
    ['http://me:p@ss@db:99999', 'http://***@db:99999'],
    ['localhost:8080', 'localhost:8080'],
  ])('%s is shown as %s', (url, shown) => expect(redactUrl(url)).toBe(shown));
});

describe('createRedactor', () => {
  it('hides the secrets of known URLs wherever they turn up', () => {
    const redact = createRedactor(['https://me:p%40ssword@node/0123456789abcdef0123'], ['hunter2']);
    expect(redact('p@ssword, p%40ssword, hunter2 and /0123456789abcdef0123')).toBe('***, ***, *** and /***');
    expect(redact('connect http://you:word@other:1/x failed')).toBe('connect http://***@other:1/x failed');
  });

  it('leaves short words alone', () => {
    expect(createRedactor([], ['in', ''])('block in hand')).toBe('block in hand');
  });
});
