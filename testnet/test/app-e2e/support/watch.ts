import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

/** What nobody wants of a page, as it happened. */
export interface Watched {
  readonly page: Page;
  /** Console errors and warnings, exceptions, refusals of the CSP, failed requests and those to other hosts. */
  readonly faults: readonly string[];
  /** Leaves the page. The next one that is loaded finds an empty cache, as in a new browser. */
  forget(): Promise<void>;
  close(): Promise<void>;
}

export interface View {
  readonly name: string;
  readonly width: number;
  readonly scheme: 'light' | 'dark';
}

export const WIDE: View = { name: '1280', width: 1280, scheme: 'light' };
export const DARK: View = { name: '1280-dark', width: 1280, scheme: 'dark' };
export const PHONE: View = { name: '390', width: 390, scheme: 'light' };

/** What web-vitals calls good. */
export const MAX_SHIFT = 0.1;

export interface WatchOptions {
  readonly view?: View;
  /** Of what is expected in a test, such as the console's word of an answer of 404: no fault. */
  readonly ignore?: RegExp;
  readonly context?: BrowserContextOptions;
  /** Functions of this process that the page may call, and what runs in the page before its own scripts. */
  readonly lends?: Readonly<Record<string, (...given: never[]) => unknown>>;
  readonly before?: () => void;
}

interface Window {
  strataViolations?: string[];
  strataShift?: number;
}

/** A page in a context of its own, watched from before its first request. */
export async function watchPage(browser: Browser, url: string, options: WatchOptions = {}): Promise<Watched> {
  const { view = WIDE, ignore } = options;
  const context = await browser.newContext({
    viewport: { width: view.width, height: 900 },
    colorScheme: view.scheme,
    permissions: ['clipboard-read', 'clipboard-write'],
    ...options.context,
  });
  const faults: string[] = [];
  const tell = (fault: string): void => {
    if (ignore?.test(fault) !== true) faults.push(fault);
  };
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      tell(`console ${message.type()}: ${message.text()} (${message.location().url})`);
  });
  page.on('pageerror', (error) => tell(`exception: ${error.stack ?? error.message}`));
  page.on('requestfailed', (request) => {
    // a page that is left gives up what it asked for
    const why = request.failure()?.errorText ?? '';
    if (why !== 'net::ERR_ABORTED') tell(`request failed: ${request.method()} ${request.url()} ${why}`);
  });
  page.on('request', (request) => {
    const asked = request.url();
    if (!asked.startsWith(`${url}/`) && !/^(data|blob):/.test(asked)) tell(`request elsewhere: ${asked}`);
  });
  await page.exposeFunction('strataTold', (violation: string) => tell(`refused by the CSP: ${violation}`));
  await page.addInitScript(watchWindow);
  for (const [name, lent] of Object.entries(options.lends ?? {})) await page.exposeFunction(name, lent);
  if (options.before !== undefined) await page.addInitScript(options.before);
  const forget = async (): Promise<void> => {
    await page.goto('about:blank');
    const session = await context.newCDPSession(page);
    await session.send('Network.clearBrowserCache');
    await session.detach();
  };
  return { page, faults, forget, close: () => context.close() };
}

/** Runs in the page. */
function watchWindow(): void {
  const own = globalThis as unknown as Window & { strataTold(violation: string): void };
  document.addEventListener('securitypolicyviolation', (event) => {
    const { effectiveDirective, blockedURI, sourceFile, lineNumber } = event;
    own.strataTold(`${effectiveDirective} of ${blockedURI} at ${sourceFile}:${lineNumber}`);
  });
  own.strataShift = 0;
  interface Shift {
    readonly value: number;
    readonly startTime: number;
    readonly hadRecentInput: boolean;
  }
  let sum = 0;
  let beganMs = 0;
  let lastMs = Number.NEGATIVE_INFINITY;
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput } of list.getEntries() as unknown as Shift[]) {
      if (hadRecentInput) continue;
      if (startTime - lastMs > 1_000 || startTime - beganMs > 5_000) {
        sum = 0;
        beganMs = startTime;
      }
      sum += value;
      lastMs = startTime;
      own.strataShift = Math.max(own.strataShift ?? 0, sum);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** Cumulative layout shift since the page was loaded, as web-vitals has it: the most within 5 s, ended by a second's rest. */
export function layoutShiftOf(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as Window).strataShift ?? 0);
}

/** By how many pixels the document is wider than what is seen of it. */
export function overflowOf(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/**
 * Words of the page that nobody can read: those that are cut off, and those that reach out of a table's cell, down or to a
 * side, where another one paints over them.
 */
export function unreadableWordsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const boxes = [...document.querySelectorAll<HTMLElement>('main td, main li span, main p')];
    const cut = boxes
      .filter((box) => {
        const style = getComputedStyle(box);
        const isClipped = style.overflowX === 'hidden' && style.position !== 'absolute';
        return (
          isClipped && (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1)
        );
      })
      .map((box) => `cut: ${(box.textContent ?? '').slice(0, 80)}`);
    /** Of the words that are in the element itself, as far as it shows them. */
    const wordsOf = (part: Element): readonly DOMRect[] => {
      if (getComputedStyle(part).overflowX === 'hidden') return [part.getBoundingClientRect()];
      const texts = [...part.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
      return texts.flatMap((text) => {
        const range = document.createRange();
        range.selectNodeContents(text);
        return [...range.getClientRects()];
      });
    };
    const over = [...document.querySelectorAll('main td')]
      .filter((cell) => {
        const { bottom, left, right } = cell.getBoundingClientRect();
        // a closed <details> lays out what it hides; a button for a click may reach out by design, its words may not
        return [cell, ...cell.querySelectorAll('*:not(.visually-hidden)')]
          .filter((part) => part.checkVisibility())
          .some((part) => {
            const isBelow = part.getBoundingClientRect().bottom > bottom + 2;
            return isBelow || wordsOf(part).some((box) => box.right > right + 2 || box.left < left - 2);
          });
      })
      .map((cell) => `painted over: ${(cell.textContent ?? '').slice(0, 80)}`);
    return [...cut, ...over];
  });
}
