/** An IPv6 address, as sockets write it: hex groups with at least two colons, which no name or `host:port` has. */
const IPV6 = /^[\da-f]*:[\da-f:]*:[\da-f:.]*$/i;
/** An address has 45 characters at most, and a zone after it. A header may hold thousands, which take the pattern 0.2 s. */
const MOST_CHARS = 100;

/**
 * The client that a request counts for, by its address: an IPv4 address, or the /64 of an IPv6 one, which is what one
 * household or server gets. Other text is its own key.
 */
export function clientKey(address: string): string {
  if (address.length > MOST_CHARS) return address.slice(0, MOST_CHARS);
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const bare = address.toLowerCase().replace(/%.*$/, '');
  if (!IPV6.test(bare)) return address;
  const [left = '', right = ''] = bare.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === '' ? [] : right.split(':');
  const zeros = new Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0');
  const groups = [...head, ...(bare.includes('::') ? zeros : []), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
