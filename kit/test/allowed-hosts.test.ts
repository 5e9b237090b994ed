import { describe, expect, it } from 'vitest';
import { isAllowedHost, isAllowedOrigin, isHostName, isLoopbackHost } from '../src/allowed-hosts.ts';

const LOOPBACK = { host: '127.0.0.1', port: 8090 };
const ANYWHERE = { host: '0.0.0.0', port: 8090 };

describe('a page whose DNS name points at this machine', () => {
  it.each([
    'evil.example',
    'evil.example:8090',
    'localhost.evil.example',
    'evillocalhost',
    '127.0.0.1.evil.example:8090',
  ])('is refused as %s, wherever the server listens', (host) => {
    for (const listen of [LOOPBACK, ANYWHERE, { host: '::', port: 8090 }])
      expect(isAllowedHost(host, listen, ['strata.example.com'])).toBe(false);
  });

  it.each([
    undefined,
    '',
    ':8090',
    'localhost:8090:80',
    'evil.example@localhost',
    'localhost/evil.example',
    'localhost#.evil.example',
    'localhost, evil.example',
    '[::1',
    '::1',
    'localhost:999999',
    'localhost%00.evil.example',
  ])('is refused as %s, which names no host', (host) => {
    expect(isAllowedHost(host, ANYWHERE, [])).toBe(false);
  });
});

describe('a Host header is accepted', () => {
  it.each([
    'localhost',
    'LOCALHOST:8090',
    'localhost.:8090',
    'app.localhost:80',
    '127.0.0.1:8090',
    '127.0.0.53',
    '[::1]:8090',
    '[0:0:0:0:0:0:0:1]',
  ])('for the loopback name %s, whatever the port', (host) => {
    expect(isAllowedHost(host, LOOPBACK, [])).toBe(true);
  });

  it('for the address that the server listens at', () => {
    expect(isAllowedHost('10.0.0.5:8090', { host: '10.0.0.5' }, [])).toBe(true);
    expect(isAllowedHost('node-1:26657', { host: 'node-1' }, [])).toBe(true);
    expect(isAllowedHost('[fd00::1]:26657', { host: 'fd00:0::1' }, [])).toBe(true);
    expect(isAllowedHost('10.0.0.6:8090', { host: '10.0.0.5' }, [])).toBe(false);
  });

  it('for any IP address where the server listens at every address', () => {
    for (const listen of [ANYWHERE, { host: '::' }, { host: '0:0:0:0:0:0:0:0' }])
      for (const host of ['192.168.1.5:8090', '[fd00::1]:8090'])
        expect(isAllowedHost(host, listen, [])).toBe(true);
    expect(isAllowedHost('192.168.1.5:8090', LOOPBACK, [])).toBe(false);
  });

  it('for a configured name, and for no name below it', () => {
    const allowed = ['Strata.Example.com', 'bücher.example', '192.168.1.5'];
    for (const host of [
      'strata.example.com',
      'strata.example.COM:443',
      'xn--bcher-kva.example',
      '192.168.1.5',
    ])
      expect(isAllowedHost(host, LOOPBACK, allowed)).toBe(true);
    expect(isAllowedHost('x.strata.example.com', LOOPBACK, allowed)).toBe(false);
  });
});

describe('an Origin header', () => {
  it('passes when it is missing or names an allowed host', () => {
    for (const origin of [undefined, 'http://localhost:5173', 'https://strata.example.com'])
      expect(isAllowedOrigin(origin, LOOPBACK, ['strata.example.com'])).toBe(true);
  });

  it.each(['null', '', 'http://evil.example', 'chrome-extension://abc', 'http://localhost:80/evil'])(
    'is refused as %s',
    (origin) => {
      expect(isAllowedOrigin(origin, LOOPBACK, [])).toBe(false);
    },
  );
});

describe('isHostName and isLoopbackHost', () => {
  it('take a name without a port', () => {
    for (const name of ['strata.example.com', '192.168.1.5', '::1', '[::1]', 'node'])
      expect(isHostName(name)).toBe(true);
    for (const name of ['', 'a b', 'http://x', 'x/y', 'x:80', 'x?y']) expect(isHostName(name)).toBe(false);
  });

  it('tell a listener of this machine alone from others', () => {
    for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost'])
      expect(isLoopbackHost(host)).toBe(true);
    for (const host of ['0.0.0.0', '::', '10.0.0.5', '127.evil.example', 'node'])
      expect(isLoopbackHost(host)).toBe(false);
  });
});
