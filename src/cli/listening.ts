import { isLoopbackHost } from 'strata-kit/allowed-hosts';
import { closeServer, createHttpServer, listenAt } from 'strata-kit/http/listener';
import type { ListenAddress } from 'strata-kit/listen-address';

/** The risks of the address of the API, which everybody may read. */
export function apiListenWarnings({ host }: Pick<ListenAddress, 'host'>): string[] {
  if (isLoopbackHost(host)) return [];
  return [
    `other machines reach the API at ${host} without TLS, so answers can be changed on their way, and one client can take all of its places: put a proxy with TLS and limits before it`,
  ];
}

/** The same of a listener without passwords, that only an operator's own machines should reach. */
export function privateListenWarnings(what: string, { host }: ListenAddress): string[] {
  return isLoopbackHost(host)
    ? []
    : [`other machines reach ${what} at ${host} without a password: let only your own through`];
}

/** Finds out at once, and not when everything else has been started. Errors: port_in_use. */
export async function checkFree(address: ListenAddress): Promise<void> {
  if (address.port === 0) return;
  const probe = createHttpServer({});
  await listenAt(probe, address);
  await closeServer(probe, 0);
}
