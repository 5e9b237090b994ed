/** URLs carry secrets (user:password@, API keys in paths and queries): nothing of that reaches a log or an error. */

const MASK = '***';
/** Anything shorter would take words out of innocent lines. */
const SHORTEST_SECRET = 4;
/** A path segment of this many letters and digits is taken for an API key, as hosted nodes put them there. */
const KEY_SEGMENT = /^[A-Za-z0-9_-]{20,}$/;

/** `host:port` as a URL has it: an IPv6 address goes into brackets. */
export function hostInUrl(host: string, port: number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The URL without password, user, query values and key-like path segments; text that is no URL loses `user:password@`. */
export function redactUrl(text: string): string {
  if (!text.includes('://') || !URL.canParse(text)) return hideUserInfo(text);
  const url = new URL(text);
  const userInfo = url.username === '' && url.password === '' ? '' : `${MASK}@`;
  const path = url.pathname
    .split('/')
    .map((segment) => (KEY_SEGMENT.test(segment) ? MASK : segment))
    .join('/');
  const query = [...url.searchParams.keys()].map((key) => `${key}=${MASK}`).join('&');
  return `${url.protocol}//${userInfo}${url.host}${path === '/' ? '' : path}${query === '' ? '' : `?${query}`}`;
}

/**
 * A function that hides in any text what these URLs keep secret and these passwords, wherever a library repeats them,
 * and the `user:password@` of every other URL.
 */
export function createRedactor(
  urls: readonly string[],
  passwords: readonly string[] = [],
): (text: string) => string {
  const secrets = [...urls.flatMap(secretsOf), ...passwords].filter(
    (secret) => secret.length >= SHORTEST_SECRET,
  );
  const longestFirst = [...new Set(secrets.flatMap(spellingsOf))].sort((a, b) => b.length - a.length);
  return (text) =>
    hideUserInfo(longestFirst.reduce((hidden, secret) => hidden.replaceAll(secret, MASK), text));
}

function secretsOf(text: string): string[] {
  if (!URL.canParse(text)) return [];
  const url = new URL(text);
  const keys = url.pathname.split('/').filter((segment) => KEY_SEGMENT.test(segment));
  return [url.password, decodeText(url.password), ...url.searchParams.values(), ...keys];
}

/** As a secret may stand in a line: itself, inside a JSON text, inside a URL. */
function spellingsOf(secret: string): string[] {
  return [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)];
}

/**
 * Up to the last @ of a word: a password may hold any character but white space and quotes. Each word is looked at once,
 * since lines hold text from nodes: one pattern for scheme and password takes a time that grows with the square of a word.
 */
function hideUserInfo(text: string): string {
  return text.replace(/[^\s"']+/g, (word) => {
    const start = word.indexOf('://') + 3;
    const at = word.lastIndexOf('@');
    return start < 3 || at < start ? word : `${word.slice(0, start)}${MASK}${word.slice(at)}`;
  });
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
