import type { Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { settled } from '../support/places.ts';
import { statusOf } from '../support/stack.ts';
import { layoutShiftOf, MAX_SHIFT, type Watched, watchPage } from '../support/watch.ts';
import { browser, stack } from '../support/world.ts';

/** Pages while they are used and while blocks arrive. */

const SOON_MS = 20_000;

let opened: Watched | undefined;

async function open(path: string, ignore?: RegExp): Promise<Watched> {
  opened = await watchPage(browser, stack.url, ignore === undefined ? {} : { ignore });
  await opened.page.goto(`${stack.url}${path}`);
  await settled(opened.page);
  return opened;
}

const heightOn = async (page: Page): Promise<number> => {
  const text = await page.getByTitle('Newest indexed block').textContent();
  return Number((text ?? '').replace(/\D/g, ''));
};
const firstRow = (page: Page) => page.locator('main tbody tr').first().locator('td').first().textContent();
const scrolled = (page: Page) => page.evaluate(() => Math.round(scrollY));
const path = (page: Page) => new URL(page.url()).pathname;

describe('living pages', () => {
  afterEach(async () => {
    await opened?.close();
    opened = undefined;
  });

  describe('while blocks arrive', () => {
    it('the height on the page follows the indexer', async () => {
      const { page, faults } = await open('/');
      const first = await heightOn(page);
      await expect.poll(() => heightOn(page), { timeout: SOON_MS }).toBeGreaterThan(first + 3);
      for (let round = 0; round < 3; round += 1) {
        const { indexed_height } = await statusOf(stack.indexerUrl);
        await expect.poll(() => heightOn(page), { timeout: SOON_MS }).toBeGreaterThanOrEqual(indexed_height);
        // and never runs ahead of it
        const shown = await heightOn(page);
        expect(shown).toBeLessThanOrEqual((await statusOf(stack.indexerUrl)).indexed_height);
      }
      expect(faults).toEqual([]);
    }, 90_000);

    it('the newest layer of the overview is a block of the chain, and none is left out', async () => {
      const { page, faults } = await open('/');
      const layers = page.locator('main a[data-height]');
      await layers.first().waitFor();
      const heights = async () =>
        await layers.evaluateAll((all) => all.map((each) => Number(each.getAttribute('data-height'))));
      const before = await heights();
      await expect
        .poll(async () => (await heights())[0], { timeout: SOON_MS })
        .toBeGreaterThan((before[0] ?? 0) + 2);
      const after = await heights();
      expect(after).toEqual(after.map((_, at) => (after[0] ?? 0) - at));
      const shown = await layers.first().getAttribute('aria-label');
      expect(shown).toMatch(new RegExp(`^Block ${after[0]}: |^Block \\d+: `));
      expect(await layoutShiftOf(page)).toBeLessThan(MAX_SHIFT);
      expect(faults).toEqual([]);
    }, 90_000);

    it('a list says how many are new and stays where it is until they are asked for', async () => {
      const { page, faults } = await open('/blocks');
      const before = await firstRow(page);
      const news = page.getByRole('button', { name: /^\d+\+? new$/ });
      await news.waitFor({ timeout: SOON_MS });
      await expect
        .poll(async () => Number.parseInt((await news.textContent()) ?? '', 10), { timeout: SOON_MS })
        .toBeGreaterThan(3);
      expect(await firstRow(page)).toBe(before);
      expect(await layoutShiftOf(page)).toBeLessThan(MAX_SHIFT);
      await news.click();
      await expect.poll(() => firstRow(page)).not.toBe(before);
      expect(faults).toEqual([]);
    }, 90_000);

    it('going back shows the list as it was, where it was', async () => {
      const { page, faults } = await open('/blocks');
      const before = await firstRow(page);
      await page.mouse.wheel(0, 700);
      await expect.poll(() => scrolled(page)).toBeGreaterThan(500);
      const place = await scrolled(page);
      await page.locator('main tbody tr').nth(15).locator('a').first().click();
      await page.waitForURL(/\/block\/\d+$/);
      await settled(page);
      await page.goBack();
      await page.waitForURL(/\/blocks$/);
      await expect.poll(() => scrolled(page), { timeout: SOON_MS }).toBeGreaterThan(place - 60);
      expect(await scrolled(page)).toBeLessThan(place + 60);
      expect(await firstRow(page)).toBe(before);
      expect(faults).toEqual([]);
    }, 90_000);
  });

  describe('the keyboard', () => {
    it('searches, goes to pages, moves in a table, opens a row, and shows its keys', async () => {
      const { page, faults } = await open('/');
      await page.keyboard.press('/');
      await expect
        .poll(() => page.evaluate(() => document.activeElement?.matches('[data-search]')))
        .toBe(true);
      // what is typed there is text
      await page.keyboard.type('gb1');
      expect(await page.locator('[data-search]').inputValue()).toBe('gb1');
      expect(path(page)).toBe('/');
      await page.locator('[data-search]').fill('1');
      await page.keyboard.press('Enter');
      await expect
        .poll(
          async () =>
            path(page) === '/block/1' || (await page.locator('search a[href="/block/1"]').count()) === 1,
        )
        .toBe(true);
      await page.keyboard.press('Escape');
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());

      await page.keyboard.press('g');
      await page.keyboard.press('b');
      await page.waitForURL(/\/blocks$/);
      await settled(page);
      const chosen = () => page.locator('main tr[data-chosen]').getAttribute('data-href');
      await page.keyboard.press('j');
      const first = await chosen();
      await page.keyboard.press('j');
      const second = await chosen();
      expect(first).toMatch(/^\/block\/\d+$/);
      expect(second).not.toBe(first);
      await page.keyboard.press('k');
      expect(await chosen()).toBe(first);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${stack.url}${first}`);
      await settled(page);

      await page.keyboard.press('?');
      const dialog = page.getByRole('dialog', { name: 'Keys' });
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => dialog.isVisible()).toBe(false);
      expect(faults).toEqual([]);
    }, 90_000);
  });

  describe('an indexer that hangs', () => {
    it('is told at the top of the page, and no more when it goes on', async () => {
      const { page, faults } = await open('/blocks', /status of 503|blocks behind/);
      const line = page.locator('#app > [role="status"]');
      expect(await line.textContent()).toBe('');
      const before = await firstRow(page);
      stack.indexer.hold('SIGSTOP');
      try {
        await expect.poll(() => line.textContent(), { timeout: 30_000 }).toMatch(/does not answer/);
        expect(await firstRow(page)).toBe(before);
      } finally {
        stack.indexer.hold('SIGCONT');
      }
      await expect.poll(() => line.textContent(), { timeout: 60_000 }).toBe('');
      const height = await heightOn(page);
      await expect.poll(() => heightOn(page), { timeout: SOON_MS }).toBeGreaterThan(height);
      expect(faults).toEqual([]);
    }, 150_000);
  });
});
