import { describe, expect, it } from 'vitest';
import { clientKey } from '../src/client-key.ts';

describe('a client', () => {
  it.each([
    ['10.0.0.1', '10.0.0.1'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:ffff::2', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::2', '2001:db8:0:1::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['64:ff9b::10.0.0.1', '64:ff9b:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ])('at %s counts as %s', (address, key) => expect(clientKey(address)).toBe(key));

  it('with a header of thousands of colons for an address costs no time', () => {
    const before = process.cpuUsage();
    expect(clientKey(`${':'.repeat(16_000)}x`)).toBe(':'.repeat(100));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(100);
  });

  it.each(['', 'unknown', '10.0.0.1:4000', 'cafe:80', 'a::b.example'])(
    'at %j, no address, counts as that',
    (text) => expect(clientKey(text)).toBe(text),
  );
});
