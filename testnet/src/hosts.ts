import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import { isAllowedHost } from 'strata-kit/allowed-hosts';
import type { ListenAddress } from 'strata-kit/listen-address';
import { createThrottledWarning } from 'strata-kit/throttled-warning';
import { AppError } from './errors.ts';

export interface Hosts {
  /** Where the app listens. */
  readonly listen: Pick<ListenAddress, 'host'>;
  /** Names that are answered besides loopback names and that address. */
  readonly allowed: readonly string[];
}

/**
 * Refuses requests for another host than this one: a page of a foreign site whose DNS name was pointed at the app reads
 * and acts through it like a page of its own (DNS rebinding). Proxies that are trusted may name the host that they were
 * asked for in X-Forwarded-Host; it has to be allowed as well. Errors: AppError forbidden.
 */
export function createHostCheck(
  { listen, allowed }: Hosts,
  trustedProxies: number,
  log: Logger,
): (headers: IncomingHttpHeaders) => void {
  const refused = createThrottledWarning(
    log,
    'a request for a foreign host was refused, name it with --allowed-hosts if it is yours',
  );
  return (headers) => {
    for (const name of [headers.host, trustedProxies > 0 ? forwardedHost(headers) : headers.host]) {
      if (isAllowedHost(name, listen, allowed)) continue;
      refused(JSON.stringify((name ?? '').slice(0, 100)));
      throw new AppError('forbidden', 'this Host is not answered: name it with --allowed-hosts');
    }
  };
}

/** What the nearest proxy says, else what it sent. */
function forwardedHost({ host, 'x-forwarded-host': forwarded }: IncomingHttpHeaders): string | undefined {
  const last = [forwarded ?? []].flat().join(',').split(',').at(-1)?.trim() ?? '';
  return last === '' ? host : last;
}
