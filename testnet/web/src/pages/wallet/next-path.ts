import { PAGE_PATHS } from '../../../../src/page-paths.ts';

/** First segments of the paths that the pages' router has, but for the wallet's own; '' is the overview. */
const PAGES: ReadonlySet<string> = new Set(
  Object.values(PAGE_PATHS)
    .filter((path) => path !== PAGE_PATHS.wallet)
    .map((path) => path.split('/')[1] ?? ''),
);
/** An origin that no page has, to read paths against. */
const HERE = 'http://here.invalid';
const LONGEST = 2_000;

/**
 * The path of `?next=`, where it is a page of this app: what a link may lead to after a wallet is chosen. Undefined for
 * everything else: other hosts and schemes, and paths that a browser would read differently than they are written.
 */
export function nextPath(text: string | undefined): string | undefined {
  // browsers drop tabs and line feeds and read \ as /, so that /<tab>/host names another host
  if (text === undefined || text.length > LONGEST || !/^\/[\x21-\x5b\x5d-\x7e]*$/.test(text))
    return undefined;
  if (!URL.canParse(text, HERE)) return undefined;
  const { origin, pathname, search, hash } = new URL(text, HERE);
  // what is left after dots are resolved must be what was written: /.//host becomes //host
  if (origin !== HERE || `${pathname}${search}${hash}` !== text || pathname.includes('//')) return undefined;
  return PAGES.has(pathname.split('/')[1] ?? '') ? text : undefined;
}
