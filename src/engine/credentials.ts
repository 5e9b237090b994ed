import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { clientKey } from 'strata-kit/client-key';
import type { Role } from './chdb.ts';
import { failure } from './failure.ts';
import type { Guesses } from './guesses.ts';

/** Users of the engine's HTTP interface; a server's default user is the owner too. */
export const OWNER_NAMES: readonly string[] = ['strata', 'default'];
export const READER_NAME = 'reader';

export interface Passwords {
  readonly owner: string;
  /** Without one there is no reader. */
  readonly reader: string | undefined;
}

/**
 * From the headers X-ClickHouse-User and -Key, else basic authentication, else user and password of the URL, as a
 * server has it. A right password always passes at once. Errors: AUTHENTICATION_FAILED, which never says what was wrong;
 * those of Guesses.wrong.
 */
export async function authenticate(
  request: IncomingMessage,
  query: URLSearchParams,
  passwords: Passwords,
  guesses: Guesses,
): Promise<Role> {
  const { user, password } = readCredentials(request, query);
  const role = OWNER_NAMES.includes(user) ? 'owner' : user === READER_NAME ? 'reader' : undefined;
  const who = `${clientKey(request.socket.remoteAddress ?? '')} ${role ?? ''}`;
  const expected = role === undefined ? undefined : passwords[role];
  // compared in every case, so that an unknown user takes as long as a known one
  const isRight = sameText(password, expected ?? passwords.owner) && expected !== undefined;
  if (role !== undefined && isRight) return role;
  await guesses.wrong(who);
  throw failure(
    'AUTHENTICATION_FAILED',
    `${user}: Authentication failed: password is incorrect, or there is no user with such name.`,
  );
}

function readCredentials(
  request: IncomingMessage,
  query: URLSearchParams,
): { readonly user: string; readonly password: string } {
  const user = headerText(request, 'x-clickhouse-user');
  const key = headerText(request, 'x-clickhouse-key');
  if (user !== undefined || key !== undefined) return { user: user ?? 'default', password: key ?? '' };
  const encoded = /^Basic\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (encoded !== undefined) {
    const text = Buffer.from(encoded, 'base64').toString('utf8');
    const colon = text.indexOf(':');
    return colon < 0
      ? { user: text, password: '' }
      : { user: text.slice(0, colon), password: text.slice(colon + 1) };
  }
  return { user: query.get('user') ?? 'default', password: query.get('password') ?? '' };
}

/** The first one, where it is given twice. */
export function headerText(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'object' ? value[0] : value;
}

/** In a time that does not hang on where the texts differ. */
function sameText(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}
