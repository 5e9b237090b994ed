import { describe, expect, it } from 'vitest';
import { clientOf } from '../src/http/serving.ts';

describe('the client of a socket', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:0:7::1', '2001:db8:0:7::/64'],
    ['2001:db8:0:7:1:2:3:4', '2001:db8:0:7::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('of %s is %s', (remoteAddress, client) => {
    expect(clientOf({ remoteAddress, remotePort: 4_000 })).toBe(client);
  });

  it.each(['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1'])(
    'of %s is its connection',
    (remoteAddress) => {
      const [first, second] = [4_000, 4_001].map((remotePort) => clientOf({ remoteAddress, remotePort }));
      expect(first).not.toBe(second);
    },
  );
});
