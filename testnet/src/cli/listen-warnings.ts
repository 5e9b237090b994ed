import { isLoopbackHost } from 'strata-kit/allowed-hosts';
import type { AppOptions } from './run.ts';

/** The risks of the address at which the app listens, one sentence each. */
export function appListenWarnings({
  listen: { host },
  trustedProxies,
  allowedHosts,
}: Pick<AppOptions, 'listen' | 'trustedProxies' | 'allowedHosts'>): string[] {
  if (isLoopbackHost(host)) return [];
  const warnings: string[] = [];
  if (trustedProxies === 0) {
    warnings.push(
      `other machines reach the app at ${host} without TLS, and no proxy is expected: put one before it and give --trust-proxy`,
    );
  }
  if (allowedHosts.length === 0) {
    warnings.push(
      `other machines reach the app at ${host} by an IP address alone: give the DNS names that lead there with --allowed-hosts`,
    );
  }
  return warnings;
}
