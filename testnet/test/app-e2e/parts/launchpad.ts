import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/axe.ts';
import { settled } from '../support/places.ts';
import { jsonOf } from '../support/stack.ts';
import { DONE_MS, launch } from '../support/steps.ts';
import { overflowOf, PHONE, type Watched, WIDE, watchPage } from '../support/watch.ts';
import { browser, sharedHolder, stack } from '../support/world.ts';

/** Assets that people launch, from the first click to what the explorer shows of them. */

const NOTICE = 'This asset is community-launched, unverified, and has no value.';
const MARKUP = '<img src=x onerror="globalThis.hacked=1"></script><b>bold</b>';
const LONG_WORD = 'Donaudampfschiffahrtsgesellschaft'.repeat(20);
/** Invisible: written out on the page. */
const UNSEEN = 'zero\u200bwidth\ufeff';
/** Six marks on a letter, in the order that NFC has them. */
const MARKS = 'Z\u0489\u0351\u0352\u0357\u035b\u036f'.normalize('NFC');
/** From right to left up to its end, beside a symbol of digits, which would go to its left if nothing held them apart. */
const RIGHT_TO_LEFT = '12) שלום (עולם';
const LAUNCHES = [
  { template: 'community', name: '<img src=x onerror="globalThis.hacked=1">', symbol: 'IMG' },
  { template: 'dividend', name: '"><script>globalThis.hacked=1</script>', symbol: 'SCRIPT' },
  { template: 'equity', name: RIGHT_TO_LEFT, symbol: '4242' },
  { template: 'bond', name: `${'W'.repeat(50)}${MARKS}`, symbol: 'LONG' },
] as const;
const CLASSES: Readonly<Record<(typeof LAUNCHES)[number]['template'], readonly string[]>> = {
  community: ['ECONOMIC'],
  dividend: ['ECONOMIC', 'INCOME'],
  equity: ['ECONOMIC', 'INCOME', 'VOTE'],
  bond: ['REDEMPTION', 'INCOME', 'INCOME', 'INCOME', 'INCOME'],
};

interface AssetAnswer {
  readonly issuance_locked: boolean;
  readonly issuer: string;
  readonly kinds: readonly { readonly class: string; readonly supply: string }[];
}

describe('the launchpad', () => {
  let mine: Watched;
  let me: string;
  beforeAll(async () => {
    ({ watched: mine, address: me } = await sharedHolder());
  }, 120_000);
  const launched: string[] = [];

  it.each(LAUNCHES)(
    'launches a $template, and the explorer shows its document, its notice and its kinds',
    async ({ template, name, symbol }) => {
      const description = `A bakery that does not exist.\n${MARKUP} ${UNSEEN} ${MARKS} ${RIGHT_TO_LEFT} ${LONG_WORD}`;
      const assetId = await launch(mine.page, stack.url, {
        ...{ template, name, symbol, description },
        units: '1000',
      });
      launched.push(assetId);
      const { page } = mine;
      await expect.poll(() => page.locator('main h1').textContent()).toContain(name);
      const text = (await page.locator('main').textContent()) ?? '';
      expect(text).toContain(NOTICE);
      expect(text).toContain(`${MARKUP} zero‹U+200B›width‹U+FEFF› ${MARKS} ${RIGHT_TO_LEFT} ${LONG_WORD}`);
      expect(await takenForMarkup(page)).toEqual([]);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect(await seriousFindings(page)).toEqual([]);
      // what the page says is what the chain has
      const { asset } = await jsonOf<{ asset: AssetAnswer }>(`${stack.url}/v1/assets/${assetId}`);
      expect(asset.kinds.map((kind) => kind.class)).toEqual(CLASSES[template]);
      expect(new Set(asset.kinds.map(({ supply }) => supply))).toEqual(new Set(['1000000000']));
      expect(asset).toMatchObject({ issuance_locked: true, issuer: me });
      expect(mine.faults).toEqual([]);
    },
    180_000,
  );

  it('refuses what promises value, and says which words', async () => {
    const watched = await watchPage(browser, stack.url, {
      ignore: /status of 400/,
      context: { storageState: await mine.page.context().storageState() },
    });
    const { page } = watched;
    await page.goto(`${stack.url}/launch`);
    const next = () => page.getByRole('button', { name: 'Next', exact: true }).click();
    await next();
    await page.getByLabel('Name', { exact: true }).fill('Moon');
    await page.getByLabel('Symbol', { exact: true }).fill('MOON');
    await page.getByLabel('Description', { exact: true }).fill('Guaranteed returns of 20 % a year.');
    await page.reload();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Moon');
    expect(await page.getByLabel('Description', { exact: true }).inputValue()).toContain('20 % a year');
    await next();
    await page.getByLabel('Units of each kind').fill('1');
    await next();
    const alert = page.getByRole('alert').filter({ hasText: 'The launchpad refuses this document.' });
    await alert.waitFor({ timeout: DONE_MS });
    expect((await alert.locator('mark').allTextContents()).join(' ')).toMatch(/returns/i);
    expect(watched.faults).toEqual([]);
    await watched.close();
  }, 90_000);

  it.each([
    ['Name', 'Moon \u202egnp.', 'U+202E'],
    ['Name', 'Mo\u200bon', 'U+200B'],
    ['Description', 'Nothing.\u202e gnihtoN', 'U+202E'],
  ])(
    'refuses a %s that reads as another one',
    async (label, hostile, codePoint) => {
      const { page, faults, close } = await watchPage(browser, stack.url, {
        ignore: /status of 400/,
        context: { storageState: await mine.page.context().storageState() },
      });
      await page.goto(`${stack.url}/launch`);
      const next = () => page.getByRole('button', { name: 'Next', exact: true }).click();
      await next();
      await page.getByLabel('Name', { exact: true }).fill('Moon');
      await page.getByLabel('Symbol', { exact: true }).fill('MOON');
      await page.getByLabel(label, { exact: true }).fill(hostile);
      await next();
      await page.getByLabel('Units of each kind').fill('1');
      const refusal = page.waitForResponse(/\/api\/launchpad\/metadata$/);
      await next();
      expect(await (await refusal).json()).toMatchObject({ code: 'bad_request' });
      const alert = page.getByRole('alert').filter({ hasText: 'The launchpad refuses this document.' });
      await alert.waitFor({ timeout: DONE_MS });
      expect(await alert.textContent()).toContain(`${label} holds ${codePoint}, which cannot be seen`);
      expect(faults).toEqual([]);
      await close();
    },
    90_000,
  );

  it.each([WIDE, PHONE])(
    'shows hostile names at $width pixels as text that turns nothing around it',
    async (view) => {
      const { page, faults, close } = await watchPage(browser, stack.url, {
        view,
        context: { storageState: await mine.page.context().storageState() },
      });
      const wrong: string[] = [];
      const names = LAUNCHES.map(({ name }) => name);
      const lists = ['/', '/txs', '/assets', '/wallet?do=units'].map((path) => ({ path, names: [] }));
      const own = launched.flatMap((id, at) =>
        ['', '?tab=picture', '?tab=events'].map((tab) => ({
          path: `/asset/${id}${tab}`,
          names: names.slice(at, at + 1),
        })),
      );
      for (const { path, names: named } of [...lists, { path: `/account/${me}`, names }, ...own]) {
        await page.goto(`${stack.url}${path}`);
        await settled(page);
        for (const name of named)
          await expect.poll(() => page.locator('main').textContent(), { message: path }).toContain(name);
        const overflow = await overflowOf(page);
        if (overflow > 0) wrong.push(`${path} is ${overflow} pixels wider than the window`);
        wrong.push(...(await takenForMarkup(page)).map((what) => `${path} has ${what}`));
        wrong.push(...(await turnedLinks(page)).map((link) => `${path} turns ${link}`));
      }
      expect(wrong, wrong.join('\n')).toEqual([]);
      expect(faults).toEqual([]);
      await close();
    },
    120_000,
  );
});

/** What a browser has made of text: a script that ran, and elements that no page has. */
async function takenForMarkup(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => [
    ...('hacked' in globalThis ? ['run a script'] : []),
    ...[...document.querySelectorAll('img[src="x"], script:not([src]), [onerror], main b')].map(
      ({ outerHTML }) => outerHTML,
    ),
  ]);
}

/** Links to assets, and headings of their documents, whose name, symbol and id do not stand from left to right. */
async function turnedLinks(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('main a[href^="/asset/"], main h3')]
      .filter((link) => {
        const parts = [...link.children].map((part) => [...part.getClientRects()]);
        return parts.some((rects, at) => {
          const [before, after] = [parts[at - 1]?.at(-1), rects[0]];
          if (before === undefined || after === undefined) return false;
          const isSameLine = after.top < before.bottom && before.top < after.bottom;
          return isSameLine && after.left < before.right - 1;
        });
      })
      .map((link) => link.textContent ?? ''),
  );
}
