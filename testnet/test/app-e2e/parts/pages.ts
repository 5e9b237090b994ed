import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/axe.ts';
import { type Place, SHOTS, settled } from '../support/places.ts';
import {
  DARK,
  layoutShiftOf,
  MAX_SHIFT,
  overflowOf,
  PHONE,
  unreadableWordsOf,
  type View,
  WIDE,
  watchPage,
} from '../support/watch.ts';
import { browser, places, stack } from '../support/world.ts';

/** Every page, opened by its address in a real browser, on a chain that goes on. */

/** A window of 1280 pixels at 200 % zoom. */
const ZOOMED_WIDTH = 640;
const HEIGHT = 900;
const FIRST_PAGE_SCRIPT_BYTES = 150_000;
/** Requests of the APIs until a page is at rest, repeats included; the status, which is asked for once a second, is not counted. */
const MAX_REQUESTS = 15;

type Tell = (fault: string) => void;

/** Pictures are for people: STRATA_TEST_SHOTS=1 asks for them. */
const WITH_SHOTS = process.env.STRATA_TEST_SHOTS === '1';

async function shoot(page: Page, { name }: Place, view: View): Promise<void> {
  if (!WITH_SHOTS) return;
  await page.screenshot({ path: join(SHOTS, `${name}-${view.name}.png`), fullPage: true });
}

/** What a page says when it is at rest, in the view that it was loaded in. */
async function look(page: Page, place: Place, view: View, tell: Tell): Promise<void> {
  const heading = await page.locator('main h1').textContent();
  if (/^not found/i.test(heading ?? '')) tell('there is no such page');
  for (const alert of await page.locator('main [role="alert"]').allInnerTexts())
    if (alert.trim() !== '') tell(`says: ${alert}`);
  const overflow = await overflowOf(page);
  if (overflow > 0) tell(`is ${overflow} pixels wider than the window`);
  if (view === PHONE) for (const words of await unreadableWordsOf(page)) tell(words);
  for (const finding of await seriousFindings(page)) tell(finding);
  const shift = await layoutShiftOf(page);
  if (shift >= MAX_SHIFT) tell(`moved by ${shift.toFixed(3)} while it was loaded`);
  await shoot(page, place, view);
}

/** The same page after the system has become dark, and then at 200 % zoom. */
async function lookAgain(page: Page, place: Place, tell: Tell): Promise<void> {
  await page.emulateMedia({ colorScheme: DARK.scheme });
  const inDark = await overflowOf(page);
  if (inDark > 0) tell(`is ${inDark} pixels wider than the window in the dark`);
  for (const finding of await seriousFindings(page)) tell(`in the dark: ${finding}`);
  await shoot(page, place, DARK);
  await page.emulateMedia({ colorScheme: WIDE.scheme });
  await page.setViewportSize({ width: ZOOMED_WIDTH, height: HEIGHT });
  const zoomed = await overflowOf(page);
  if (zoomed > 0) tell(`is ${zoomed} pixels wider than the window at 200 % zoom`);
  await page.setViewportSize({ width: WIDE.width, height: HEIGHT });
}

// a load in the dark is in late-answers.ts
describe.each([WIDE, PHONE])('at $width pixels', (view) => {
  it('every page shows what it is about and nothing else goes on', async () => {
    mkdirSync(SHOTS, { recursive: true });
    const wrong: string[] = [];
    let most = 0;
    const { page, faults, close, forget } = await watchPage(browser, stack.url, { view });
    const requests: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      if (/^\/(v1|api)\//.test(pathname) && pathname !== '/v1/status') requests.push(pathname + search);
    });
    for (const place of places) {
      const tell = (fault: string) => wrong.push(`${place.name} (${place.path}): ${fault}`);
      const before = faults.length;
      await forget();
      requests.length = 0;
      try {
        const answer = await page.goto(`${stack.url}${place.path}`);
        if (answer?.status() !== 200) tell(`answered ${answer?.status()}`);
        await settled(page);
        most = Math.max(most, requests.length);
        if (requests.length > MAX_REQUESTS)
          tell(`made ${requests.length} requests: ${requests.join(' ').slice(0, 500)}`);
        await look(page, place, view, tell);
        if (view === WIDE) await lookAgain(page, place, tell);
      } catch (error) {
        tell(String(error));
      }
      for (const fault of faults.slice(before)) tell(fault);
    }
    process.stdout.write(`most requests of a page: ${most}\n`);
    expect(wrong, wrong.join('\n')).toEqual([]);
    await close();
  }, 600_000);
});

describe('words of a table on a phone', () => {
  it('are unreadable where they reach out of their cell, down or to a side', async () => {
    const { page, close } = await watchPage(browser, stack.url, { view: PHONE });
    const cell = (style: string, inside: string) =>
      `<td style="width:90px;max-width:90px;height:40px;${style}">${inside}</td>`;
    const inner = (style: string, word: string) => `<span style="display:block;${style}">${word}</span>`;
    const cells = [
      cell('', 'good'),
      cell('', `good<button style="width:30px;margin-right:-40px"></button>`),
      cell('overflow:hidden', inner('overflow:hidden;text-overflow:ellipsis', 'shortenedword')),
      cell('', 'onewordthatiswiderthanitscell'),
      cell('', inner('white-space:nowrap', 'words that go to the right')),
      cell('', inner('margin-left:-40px', 'left')),
      cell('', inner('height:10px;transform:translateY(60px)', 'down')),
    ];
    await page.setContent(`<main><table><tr>${cells.join('')}</tr></table></main>`);
    expect(await unreadableWordsOf(page)).toEqual(
      ['onewordthatiswiderthanitscell', 'words that go to the right', 'left', 'down'].map(
        (words) => `painted over: ${words}`,
      ),
    );
    await close();
  });
});

describe('pages', () => {
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
