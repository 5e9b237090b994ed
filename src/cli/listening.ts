import { once } from 'node:events';
import { createServer } from 'node:net';
import { StrataError } from '../core/errors.ts';
import type { ListenAddress } from '../core/settings.ts';

/** What a listener's error is to whoever gave the address: port_in_use, where it is the address's fault. */
export function listeningError(error: unknown): unknown {
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number };
  if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') return error;
  return new StrataError('port_in_use', `cannot listen at ${address}:${port}: ${code}`, { cause: error });
}

/** Says at once what would otherwise be found out when everything else has been started. Errors: port_in_use. */
export async function checkFree({ host, port }: ListenAddress): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  try {
    probe.listen(port, host);
    await once(probe, 'listening');
  } catch (error) {
    throw listeningError(error);
  }
  probe.close();
  await once(probe, 'close');
}
