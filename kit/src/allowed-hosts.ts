import type { ListenAddress } from './listen-address.ts';

/**
 * Whether a request's Host header names this server. A page whose DNS name was pointed at our address (DNS rebinding)
 * sends its own name there, and is refused.
 *
 * Allowed are loopback names and addresses, the host that we listen at, and the names of `allowed`. A server that listens
 * at every address (0.0.0.0 or ::) also accepts any IP address as a host: no DNS name is involved then. The port does not
 * matter, since a port may be mapped. A missing or malformed header is refused.
 */
export function isAllowedHost(
  hostHeader: string | undefined,
  listen: Pick<ListenAddress, 'host'>,
  allowed: readonly string[],
): boolean {
  const host = hostHeader === undefined ? undefined : hostOf(hostHeader);
  if (host === undefined) return false;
  if (isLoopbackHost(host)) return true;
  if (isWildcard(listen.host) && isAddress(host)) return true;
  return [listen.host, ...allowed].some((name) => normalHost(name) === host);
}

/**
 * Whether a browser's Origin header names a page of an allowed host. Undefined passes: only browsers send it. `null`,
 * which a sandboxed page sends, is refused.
 */
export function isAllowedOrigin(
  originHeader: string | undefined,
  listen: Pick<ListenAddress, 'host'>,
  allowed: readonly string[],
): boolean {
  if (originHeader === undefined) return true;
  const host = /^https?:\/\/(.*)$/i.exec(originHeader)?.[1];
  return isAllowedHost(host, listen, allowed);
}

/** Whether only this machine reaches the host: 127.0.0.0/8, ::1, localhost and names below it. */
export function isLoopbackHost(host: string): boolean {
  const name = normalHost(host);
  if (name === undefined) return false;
  if (isAddress(name)) return name.startsWith('127.') || name === '[::1]';
  return name === 'localhost' || name.endsWith('.localhost');
}

/** A host without a port, as the setting `allowed_hosts` has it. */
export function isHostName(text: string): boolean {
  return normalHost(text) !== undefined;
}

function isWildcard(host: string): boolean {
  const name = normalHost(host);
  return name === '0.0.0.0' || name === '[::]';
}

/** The host of `host` or `host:port`, as `normalHost` writes it. */
function hostOf(header: string): string | undefined {
  const host = /^(\[[^\]]+\]|[^:[\]]+)(?::\d{1,5})?$/.exec(header)?.[1];
  return host === undefined ? undefined : normalHost(host);
}

/** As URLs write it: lower case, punycode, IPv4 in decimal, IPv6 in brackets; without a dot at the end. */
function normalHost(host: string): string | undefined {
  const inUrl = /^[\da-f:.]*:[\da-f:.]*$/i.test(host) ? `[${host}]` : host;
  // other characters would end the host, or put something before it
  const isOne = /^(?:\[[\da-f:.]+\]|[^/\\?#@\s%:,[\]]+)$/i.test(inUrl);
  if (!isOne || !URL.canParse(`http://${inUrl}`)) return undefined;
  const name = new URL(`http://${inUrl}`).hostname.replace(/\.$/, '');
  return name === '' ? undefined : name;
}

/** Of a host as URLs write it. */
function isAddress(name: string): boolean {
  return name.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(name);
}
