import { oneOf, password as passwordKind, wholeNumber } from 'strata-kit/cli/kinds';
import { type Given, kind, setting } from 'strata-kit/cli/setting';
import type { ListenAddress } from 'strata-kit/listen-address';
import { admin, listen } from 'strata-kit/settings/listening';
import { z } from 'zod';
import { HTTP_KINDS } from '../core/http-kind.ts';

/** What answers, and where. */

const group = 'Listening';

export const http = setting('http', oneOf(HTTP_KINDS), {
  group,
  text: 'listen with uWebSockets.js, or with node:http where that has no binary',
  default: 'uws',
});

export const processes = setting('processes', wholeNumber(1, 64), {
  group,
  text: 'processes that answer on one port, from a store over HTTP',
  default: '1',
});

/** Following, a block or two are on their way; a backfill is far above. */
export const readyLag = setting('readyLag', wholeNumber(0, 1_000_000_000, 'blocks', '<blocks>'), {
  group,
  text: 'blocks behind the chain up to which /readyz says ready',
  default: '20',
});

export const password = setting('password', passwordKind, {
  group,
  text: "of the engine's user strata (default: a new one, printed at the start)",
  secrecy: 'all',
});

export const readerPassword = setting('readerPassword', passwordKind, {
  group,
  text: "of the engine's read-only user reader (default: there is none)",
  secrecy: 'all',
});

/** One of several processes on a port. */
export interface ApiProcess {
  /** From 0. */
  readonly index: number;
  /** The port, where --listen says 0. */
  readonly port: number;
}

/** By which `serve --processes` says to a process of its own that it is one: `index:port`. */
export const apiProcess = setting(
  'apiProcess',
  kind<ApiProcess>(
    'a number and a port, such as 0:8080',
    '<n:port>',
    z
      .string()
      .regex(/^\d{1,3}:\d{1,5}$/)
      .transform((given) => given.split(':').map(Number))
      .transform(([index = 0, port = 0]) => ({ index, port })),
  ),
  { group, text: 'which of the processes this one is', places: ['variable'], isInternal: true },
);

export const API = [listen, http] as const;
export const ADMIN = [admin, readyLag] as const;

/** Where /healthz, /readyz and /metrics are answered, if anywhere. */
export interface AdminOptions {
  readonly admin: ListenAddress | undefined;
  /** Of what indexes or serves. */
  readonly readyLagBlocks?: number;
}

export function adminOf({ admin: address, readyLag: readyLagBlocks }: Given<typeof ADMIN>): AdminOptions {
  return { admin: address, readyLagBlocks };
}
