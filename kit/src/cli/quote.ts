import { redactUrl } from '../url.ts';

/** What of a value is secret: nothing, the parts of a URL that redactUrl hides, or all of it. */
export type Secrecy = 'none' | 'url' | 'all';

const LONGEST = 120;
const HOST_AND_PORT = /^[\w.-]+:\d{1,5}$/;

/**
 * A setting's wrong value for an error message, one line, with "not" before it. What is secret, and what may be since it
 * cannot be taken apart, is left out.
 */
export function quoteValue(raw: unknown, secrecy: Secrecy): string {
  if (secrecy === 'all') return '(what was given is secret and is not printed)';
  const items = typeof raw === 'string' ? raw.split(',') : raw;
  const isPlain = Array.isArray(items) && items.every((item) => typeof item === 'string');
  if (secrecy === 'url' && !(isPlain && items.every(isClear))) {
    return '(what was given is not printed, since it may hold a password)';
  }
  if (!isPlain) return 'not a list or map';
  return `not '${clip(items.map((item) => hideUser(redactUrl(item))).join(','))}'`;
}

/** Whether everything secret of it is known. What follows a comma inside a password is no URL by itself. */
function isClear(text: string): boolean {
  const item = text.trim();
  if (item === '' || HOST_AND_PORT.test(item)) return true;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(item) && URL.canParse(item);
}

/** Of `user:password@host`, which is no URL. */
function hideUser(text: string): string {
  return text.replace(/[^\s/:@]+:(?!\/\/)[^@]*@/g, '***@');
}

/** One line, whatever was typed. */
function clip(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
  const line = text.replace(/[\x00-\x1f\x7f]+/g, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
