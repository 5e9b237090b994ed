import { existsSync } from 'node:fs';
import chromium from '@sparticuz/chromium';
import { type Browser, chromium as playwright } from 'playwright-core';

/**
 * A Chromium of its own: the one that STRATA_CHROMIUM names, or the one of @sparticuz/chromium. Errors: one that says
 * what to install where neither starts; tests fail with it, they are never left out.
 */
export async function openBrowser(): Promise<Browser> {
  const named = process.env.STRATA_CHROMIUM;
  try {
    if (named !== undefined && !existsSync(named)) throw new Error(`there is no file ${named}`);
    return await playwright.launch({
      executablePath: named ?? (await chromium.executablePath()),
      // the package's own list has one process do everything and switches the web's security off
      args: ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'],
      headless: true,
    });
  } catch (error) {
    const missing = /error while loading shared libraries: (\S+):/.exec(String(error))?.[1];
    throw new Error(
      [
        `Chromium does not start${missing === undefined ? '' : `: this system has no ${missing}`}.`,
        'End-to-end tests of the pages need one: install its libraries (Debian, Ubuntu: apt-get install libnss3',
        'libnspr4 libexpat1 fonts-liberation), or a Chromium of the system (apt-get install chromium) and name it:',
        'STRATA_CHROMIUM=/usr/bin/chromium npm test. Both are in docs/web.md.',
      ].join('\n'),
      { cause: error },
    );
  }
}
