import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
      executablePath: named ?? (await unpacked()),
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

/** The package's browser in a folder of this process: two that unpack into one place start each other's half a file. */
async function unpacked(): Promise<string> {
  const usual = process.env.TMPDIR;
  const folder = mkdtempSync(join(tmpdir(), 'strata-chromium-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  process.env.TMPDIR = folder;
  try {
    return await chromium.executablePath();
  } finally {
    if (usual === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = usual;
  }
}
