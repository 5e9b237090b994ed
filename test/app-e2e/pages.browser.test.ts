import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killCommands } from '../support/command.ts';
import { seriousFindings } from './support/axe.ts';
import { openBrowser } from './support/browser.ts';
import { type Place, placesOf, settled } from './support/places.ts';
import { type Stack, startStack } from './support/stack.ts';
import { makeBurner } from './support/steps.ts';
import {
  DARK,
  layoutShiftOf,
  overflowOf,
  PHONE,
  unreadableWordsOf,
  type View,
  WIDE,
  watchPage,
} from './support/watch.ts';

/** Every page, opened by its address in a real browser, on a chain that goes on. */

const SHOTS = join(import.meta.dirname, '..', '..', 'artifacts', 'screenshots');
/** A window of 1280 pixels at 200 % zoom. */
const ZOOMED: View = { name: '640', width: 640, scheme: 'light' };
/** What web-vitals calls good. */
const MAX_SHIFT = 0.1;
/** Pages that wait for answers together. */
const AT_ONCE = 4;
const FIRST_PAGE_SCRIPT_BYTES = 150_000;
/** Different requests of the APIs until a page is at rest; the status, which is asked for once a second, is not counted. */
const MAX_REQUESTS = 15;

/** Pages that show more to who has a wallet. */
const WITH_WALLET = new Set(['wallet', 'faucet', 'desk', 'launch', 'asset', 'asset-income', 'settlement']);

type Shift = readonly [name: string, shift: number];

/** How far a page moves whose answers each come 300 to 800 ms late, so in another order than they are asked for in. */
async function lateShiftOf(page: Page, { name, path }: Place): Promise<Shift> {
  let asked = 0;
  await page.route(/\/(v1|api)\//, async (route) => {
    asked += 1;
    await sleep(300 + ((asked * 197) % 500));
    await route.continue();
  });
  await page.goto(`${stack.url}${path}`);
  await settled(page);
  // what a page shows as it has come may have asked for more
  await sleep(1_500);
  await settled(page);
  const shift = await layoutShiftOf(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  return [name, shift];
}

function expectStill(shifts: readonly Shift[], where: string): void {
  const [most] = shifts.toSorted(([, a], [, b]) => b - a);
  process.stdout.write(`${where}: ${most?.[0]} moved most, by ${most?.[1].toFixed(3)}\n`);
  expect(shifts.filter(([, shift]) => shift >= MAX_SHIFT)).toEqual([]);
}

let stack: Stack;
let browser: Browser;
let places: readonly Place[];

beforeAll(async () => {
  mkdirSync(SHOTS, { recursive: true });
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  places = await placesOf(stack.url);
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await stack?.close();
  killCommands();
}, 60_000);

describe.each([WIDE, DARK, PHONE])('at $width pixels, $scheme', (view) => {
  it('every page shows what it is about and nothing else goes on', async () => {
    const wrong: string[] = [];
    let most = 0;
    for (const { name, path } of places) {
      const { page, faults, close } = await watchPage(browser, stack.url, { view });
      const tell = (fault: string) => wrong.push(`${name} (${path}): ${fault}`);
      const requests = new Set<string>();
      page.on('request', (request) => {
        const { pathname, search } = new URL(request.url());
        if (/^\/(v1|api)\//.test(pathname) && pathname !== '/v1/status') requests.add(pathname + search);
      });
      try {
        const answer = await page.goto(`${stack.url}${path}`);
        if (answer?.status() !== 200) tell(`answered ${answer?.status()}`);
        await settled(page);
        const heading = await page.locator('main h1').textContent();
        if (/^not found/i.test(heading ?? '')) tell('there is no such page');
        for (const alert of await page.locator('main [role="alert"]').allInnerTexts())
          if (alert.trim() !== '') tell(`says: ${alert}`);
        const overflow = await overflowOf(page);
        if (overflow > 0) tell(`is ${overflow} pixels wider than the window`);
        if (view === PHONE) for (const words of await unreadableWordsOf(page)) tell(words);
        for (const finding of await seriousFindings(page)) tell(finding);
        most = Math.max(most, requests.size);
        if (requests.size > MAX_REQUESTS)
          tell(`made ${requests.size} requests: ${[...requests].join(' ').slice(0, 500)}`);
        const shift = await layoutShiftOf(page);
        if (shift >= MAX_SHIFT) tell(`moved by ${shift.toFixed(3)} while it was loaded`);
        await page.screenshot({ path: join(SHOTS, `${name}-${view.name}.png`), fullPage: true });
      } catch (error) {
        tell(String(error));
      }
      for (const fault of faults) tell(fault);
      await close();
    }
    process.stdout.write(`most different requests of a page: ${most}\n`);
    expect(wrong, wrong.join('\n')).toEqual([]);
  }, 600_000);
});

describe.each([WIDE, PHONE])('where each answer comes late, at $width pixels', (view) => {
  it('no page moves', async () => {
    const shifts: Shift[] = [];
    const measure = async (place: Place): Promise<void> => {
      const { page, close } = await watchPage(browser, stack.url, { view });
      shifts.push(await lateShiftOf(page, place));
      await close();
    };
    for (let at = 0; at < places.length; at += AT_ONCE)
      await Promise.all(places.slice(at, at + AT_ONCE).map(measure));
    expect(shifts).toHaveLength(places.length);
    expectStill(shifts, `late answers at ${view.width}`);
  }, 300_000);

  it('no page of who has a wallet moves', async () => {
    const { page, close } = await watchPage(browser, stack.url, { view });
    await makeBurner(page, stack.url);
    const shifts: Shift[] = [];
    for (const place of places) if (WITH_WALLET.has(place.name)) shifts.push(await lateShiftOf(page, place));
    await close();
    expect(shifts).toHaveLength(WITH_WALLET.size);
    expectStill(shifts, `late answers at ${view.width}, with a wallet`);
  }, 300_000);
});

describe('pages', () => {
  it('lose nothing at 200 % zoom', async () => {
    const wrong: string[] = [];
    for (const { name, path } of places) {
      const { page, close } = await watchPage(browser, stack.url, { view: ZOOMED });
      await page.goto(`${stack.url}${path}`);
      await settled(page);
      const overflow = await overflowOf(page);
      if (overflow > 0) wrong.push(`${name} is ${overflow} pixels wider than the window`);
      await close();
    }
    expect(wrong).toEqual([]);
  }, 300_000);

  it(`load at most ${FIRST_PAGE_SCRIPT_BYTES} bytes of script for the first one`, async () => {
    const { page, close } = await watchPage(browser, stack.url);
    const bytes: number[] = [];
    const encodings = new Set<string | undefined>();
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return;
      const length = Number(response.headers()['content-length']);
      // smaller ones lie there as they are
      if (length >= 1_024) encodings.add(response.headers()['content-encoding']);
      bytes.push(length);
    });
    await page.goto(`${stack.url}/`);
    await settled(page);
    await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
    const sum = bytes.reduce((total, each) => total + each, 0);
    process.stdout.write(`first page: ${sum} bytes of script over the wire in ${bytes.length} files\n`);
    expect([...encodings]).toEqual(['br']);
    expect(sum).toBeGreaterThan(10_000);
    expect(sum).toBeLessThanOrEqual(FIRST_PAGE_SCRIPT_BYTES);
    await close();
  });

  it('say so where there is no page, and where there is nothing at an address', async () => {
    // the console tells of every answer of 404 by itself
    const { page, faults, close } = await watchPage(browser, stack.url, { ignore: /status of 404/ });
    const answer = await page.goto(`${stack.url}/no/such/page`);
    expect(answer?.status()).toBe(404);
    await expect.poll(() => page.locator('main h1').textContent()).toBe('Not found');
    expect(await seriousFindings(page)).toEqual([]);
    for (const path of [
      '/block/999999999',
      `/tx/${'AB'.repeat(32)}`,
      `/asset/${'ab'.repeat(32)}`,
      '/settlement/99999999',
    ]) {
      await page.goto(`${stack.url}${path}`);
      await settled(page);
      await expect
        .poll(() => page.locator('main').textContent(), { message: path })
        .toMatch(/there is no|no transaction|nothing|not (been|found|yet)|no such|yet/i);
    }
    expect(faults).toEqual([]);
    await close();
  }, 120_000);
});

describe('the API reference', () => {
  it.each([WIDE, DARK, PHONE])(
    'shows both descriptions at $width pixels, $scheme, from here alone',
    async (view) => {
      const { page, faults, close } = await watchPage(browser, stack.url, { view });
      const shot = (name: string) => page.screenshot({ path: join(SHOTS, `${name}-${view.name}.png`) });
      await page.goto(`${stack.url}/reference`);
      await page.getByRole('heading', { name: 'Strata indexer API' }).waitFor();
      await page.getByText('/v1/status').first().waitFor();
      await shot('reference');
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      await page.goto(`${stack.url}/reference?api=app`);
      await page.getByRole('heading', { name: 'Strata app' }).waitFor();
      await shot('reference-app');
      await page.getByRole('link', { name: 'Strata', exact: true }).click();
      await page.waitForURL(`${stack.url}/`);
      await settled(page);
      expect(faults).toEqual([]);
      await close();
    },
    120_000,
  );

  it.each([WIDE, DARK, PHONE])(
    'has nothing serious for axe-core at $width pixels, $scheme, at its top and further down',
    async (view) => {
      const { page, close } = await watchPage(browser, stack.url, { view });
      for (const [query, heading] of [
        ['', 'Strata indexer API'],
        ['?api=app', 'Strata app'],
      ] as const) {
        await page.goto(`${stack.url}/reference${query}`);
        await page.getByRole('heading', { name: heading }).waitFor();
        await page
          .getByRole('list', { name: /endpoints$/ })
          .first()
          .waitFor();
        expect(await seriousFindings(page), query).toEqual([]);
        // sections are made as they come into view
        await page.mouse.move(view.width / 2, 500);
        for (let step = 0; step < 12; step += 1) {
          await page.mouse.wheel(0, 2_000);
          await page.waitForTimeout(150);
        }
        expect(await page.evaluate(() => scrollY)).toBeGreaterThan(5_000);
        expect(await seriousFindings(page), query).toEqual([]);
      }
      await close();
    },
    240_000,
  );

  it('changes over from one to the other, and leads back, by keyboard alone', async () => {
    const { page, faults, close } = await watchPage(browser, stack.url);
    await page.goto(`${stack.url}/reference`);
    await page.getByRole('heading', { name: 'Strata indexer API' }).waitFor();
    const focusIs = (text: RegExp) =>
      page.evaluate(
        (source) => new RegExp(source).test(document.activeElement?.textContent ?? ''),
        text.source,
      );
    const tabTo = async (text: RegExp): Promise<void> => {
      for (let pressed = 0; pressed < 30; pressed += 1) {
        await page.keyboard.press('Tab');
        if (await focusIs(text)) return;
      }
      throw new Error(`tabs do not reach ${text}`);
    };
    await tabTo(/^\s*Indexer: \/v1\s*$/);
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'App: /api' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Strata app' }).waitFor();
    // where tabs begin again
    await page.reload();
    await page.getByRole('heading', { name: 'Strata app' }).waitFor();
    await tabTo(/^Strata$/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`${stack.url}/`);
    expect(faults).toEqual([]);
    await close();
  }, 60_000);

  it('takes the theme that was chosen on the pages, or on itself, and keeps it over a reload', async () => {
    const { page, faults, close } = await watchPage(browser, stack.url);
    await page.goto(`${stack.url}/`);
    await settled(page);
    const change = page.getByRole('button', { name: /^Theme: / });
    await change.click();
    await change.click();
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.locator('body.dark-mode .scalar-app').first().waitFor();
    await page.locator('#theme').click();
    await page.locator('#theme').click();
    await page.locator('body.light-mode .scalar-app').first().waitFor();
    await page.reload();
    await page.locator('body.light-mode .scalar-app').first().waitFor();
    expect(faults).toEqual([]);
    await close();
  }, 60_000);

  it('cannot read what the pages keep in this browser, a key above all, nor what the API answers', async () => {
    const { page, close } = await watchPage(browser, stack.url);
    await makeBurner(page, stack.url);
    const key = await page.evaluate(() => localStorage.getItem('strata.wallet'));
    expect(key).toContain('privateKey');
    await page.goto(`${stack.url}/reference`);
    await page.getByRole('heading', { name: 'Strata indexer API' }).waitFor();
    expect(await page.evaluate(() => self.origin)).toBe('null');
    // what is lent to Scalar is its own, and behind it there is none
    expect(await page.evaluate(() => localStorage.getItem('strata.wallet'))).toBeNull();
    const tries = await page.evaluate(async () => {
      const own = globalThis as unknown as Record<string, unknown>;
      delete own.localStorage;
      const of = async (act: () => unknown): Promise<string> => {
        try {
          return `read ${String(await act())}`;
        } catch (error) {
          return error instanceof Error ? error.name : String(error);
        }
      };
      return Promise.all([
        of(() => (own.localStorage as Storage | undefined)?.getItem('strata.wallet')),
        of(() => document.cookie),
        of(() => indexedDB.open('strata')),
        of(() => fetch('/v1/status')),
        of(() => fetch('/api/chain')),
        of(() => fetch('/api/faucet', { method: 'POST', headers: { 'content-type': 'application/json' } })),
      ]);
    });
    expect(tries).toEqual([
      'read undefined',
      'SecurityError',
      'SecurityError',
      'TypeError',
      'TypeError',
      'TypeError',
    ]);
    expect(await page.getByRole('button', { name: /test request/i }).count()).toBe(0);
    await page.goto(`${stack.url}/wallet`);
    expect(await page.evaluate(() => localStorage.getItem('strata.wallet'))).toBe(key);
    await close();
  }, 120_000);
});
