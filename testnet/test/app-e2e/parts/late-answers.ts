import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { drawn } from '../../../../test/support/full.ts';
import { type Place, settled } from '../support/places.ts';
import { DARK, layoutShiftOf, MAX_SHIFT, overflowOf, PHONE, watchPage } from '../support/watch.ts';
import { browser, places, sharedHolder, stack } from '../support/world.ts';

/** Pages whose answers each come 300 to 800 ms late, so in another order than they are asked for in. */

/** Pages that wait for answers together. */
const AT_ONCE = 4;
/** Pages that show more to who has a wallet. */
const WITH_WALLET = new Set(['wallet', 'faucet', 'desk', 'launch', 'asset', 'asset-income', 'settlement']);

/** Of all pages, others in each run of CI: the same code loads them, and a load takes 3 s of CPU. */
const DRAWN_PAGES = 10;

type Shift = readonly [name: string, shift: number];

/** How far a page moves while it is loaded. */
async function shiftOf(page: Page, { name, path }: Place): Promise<Shift> {
  await page.goto(`${stack.url}${path}`);
  await settled(page);
  // what a page shows as it has come may have asked for more
  await sleep(1_500);
  await settled(page);
  return [name, await layoutShiftOf(page)];
}

describe('where the names of assets never come', () => {
  it('lists have their rows all the same', async () => {
    const { page, faults, close } = await watchPage(browser, stack.url);
    let stalled = 0;
    await page.route(/\/v1\/x\/assets/, () => {
      stalled += 1;
    });
    for (const [path, row] of [
      ['/settlements', 'a[href^="/settlement/"]'],
      ['/txs', 'a[href^="/tx/"]'],
    ] as const) {
      stalled = 0;
      await page.goto(`${stack.url}${path}`);
      const rows = page.locator(`main tbody tr ${row}`);
      await rows.first().waitFor({ timeout: 10_000 });
      await expect.poll(() => stalled).toBeGreaterThan(0);
      expect(await rows.count(), path).toBeGreaterThan(1);
      expect(await overflowOf(page), path).toBeLessThanOrEqual(0);
    }
    expect(faults).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await close();
  }, 60_000);
});

// dark at 1280: each page is loaded once in that scheme as well
describe.each([DARK, PHONE])('where each answer comes late, at $width pixels', (view) => {
  /** Of these pages, each loaded by one of some tabs without a cache. */
  async function expectStill(of: readonly Place[], where: string, context: BrowserContextOptions = {}) {
    const waiting = [...of];
    const shifts: Shift[] = [];
    const wrong: string[] = [];
    const tab = async (): Promise<void> => {
      const { page, faults, close, forget } = await watchPage(browser, stack.url, { view, context });
      let asked = 0;
      await page.route(/\/(v1|api)\//, async (route) => {
        asked += 1;
        await sleep(300 + ((asked * 197) % 500));
        // a page that was left meanwhile waits for nothing
        await route.continue().catch(() => undefined);
      });
      for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
        asked = 0;
        await forget();
        shifts.push(await shiftOf(page, place));
      }
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      wrong.push(...faults);
      await close();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, tab));
    expect(shifts).toHaveLength(of.length);
    const [most] = shifts.toSorted(([, a], [, b]) => b - a);
    process.stdout.write(`${where}: ${most?.[0]} moved most, by ${most?.[1].toFixed(3)}\n`);
    expect(shifts.filter(([, shift]) => shift >= MAX_SHIFT)).toEqual([]);
    expect(wrong).toEqual([]);
  }

  it('no page moves', async () => {
    await expectStill(drawn(places, DRAWN_PAGES), `late answers at ${view.width}`);
  }, 300_000);

  it('no page of who has a wallet moves', async () => {
    const { watched } = await sharedHolder();
    const storageState = await watched.page.context().storageState();
    const of = places.filter(({ name }) => WITH_WALLET.has(name));
    expect(of).toHaveLength(WITH_WALLET.size);
    await expectStill(of, `late answers at ${view.width}, with a wallet`, { storageState });
  }, 300_000);
});
