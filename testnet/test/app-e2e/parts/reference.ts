import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/axe.ts';
import { SHOTS, settled } from '../support/places.ts';
import { makeBurner } from '../support/steps.ts';
import { DARK, overflowOf, PHONE, WIDE, watchPage } from '../support/watch.ts';
import { browser, stack } from '../support/world.ts';

/** The reference of both APIs, which is a page of its own kind. */

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
