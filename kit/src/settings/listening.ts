import { hostNames, listenAddress, privateAddress } from '../cli/kinds.ts';
import { setting } from '../cli/setting.ts';

/** Where a process answers. */

const group = 'Listening';

/** Of the indexer's API. */
export const DEFAULT_PORT = 8080;

export const listen = setting('listen', listenAddress('127.0.0.1:8080 or [::1]:8080'), {
  group,
  text: 'where to answer',
  default: `127.0.0.1:${DEFAULT_PORT}`,
});

export const allowedHosts = setting('allowedHosts', hostNames, {
  group,
  text: 'further Host names that are answered (default: loopback names and the address it listens at)',
  preset: [],
});

export const admin = setting('admin', privateAddress, {
  group,
  text: 'where to answer /healthz, /readyz and /metrics: a port of 127.0.0.1, or host:port (default: nowhere)',
});
