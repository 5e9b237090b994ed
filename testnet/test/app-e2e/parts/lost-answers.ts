import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { jsonOf, until } from '../support/stack.ts';
import { DONE_MS, launch, makeBurner, shownOf, sign } from '../support/steps.ts';
import { watchPage } from '../support/watch.ts';
import { browser, sharedHolder, stack } from '../support/world.ts';

/** Txs of which nobody knows yet what became of them. */

interface TxAnswer {
  readonly msgs: readonly { readonly from_address?: string }[];
}

describe('a tx whose answer is lost', () => {
  let me: string;
  beforeAll(async () => {
    ({ address: me } = await sharedHolder());
  }, 120_000);

  const BROADCAST = '**/api/chain/broadcast';

  /** Payments of the account so far: the txs that took its sequences. */
  const sentBy = async (address: string) => {
    const { txs } = await jsonOf<{ txs: readonly TxAnswer[] }>(
      `${stack.url}/v1/accounts/${address}/txs?limit=100`,
    );
    return txs.filter(({ msgs }) => msgs.some(({ from_address }) => from_address === address)).length;
  };
  const pay = async (page: Page, amount = '0.25') => {
    await page.goto(`${stack.url}/wallet`);
    await page.getByLabel('To', { exact: true }).fill(me);
    await page.getByLabel('Amount', { exact: true }).fill(amount);
    await page.getByRole('button', { name: 'Review' }).click();
  };
  // those that copy a hash have no text
  const buttonsOf = async (page: Page) =>
    (await page.locator('section[aria-label="Send coins"] button').allTextContents()).filter(
      (text) => text !== '',
    );

  it('is followed by its hash, pays once, and offers nothing that signs again', async () => {
    const { page, faults, close } = await watchPage(browser, stack.url, { ignore: /broadcast/ });
    const address = await makeBurner(page, stack.url);
    // the app has it, and its answer is lost: each time
    let count = 0;
    await page.route(BROADCAST, async (route) => {
      count += 1;
      await route.fetch();
      await route.abort('connectionreset');
    });
    await pay(page);
    await sign(page);
    await page.getByText('It is not decided yet').waitFor({ timeout: DONE_MS });
    // none at all once its sequence is used
    expect(['Close', '']).toContain((await buttonsOf(page)).join());
    await page.getByText(/Done.* in block/).waitFor({ timeout: DONE_MS });
    expect(count).toBeGreaterThan(0);
    expect(await sentBy(address)).toBe(1);
    expect(faults).toEqual([]);
    await close();
  }, 180_000);

  it('is the first thing after a reload and in another tab, and is sent in the same bytes', async () => {
    const { page, close } = await watchPage(browser, stack.url, { ignore: /broadcast/ });
    const address = await makeBurner(page, stack.url);
    const bodies = new Set<string | null>();
    await page.context().route(BROADCAST, async (route) => {
      bodies.add(route.request().postData());
      await route.abort('connectionreset');
    });
    await pay(page);
    await sign(page);
    await page.getByText('It is not decided yet').waitFor({ timeout: DONE_MS });
    await page.reload();
    // the same action is the same tx; another one waits for it
    await pay(page);
    await page.getByText('It is not decided yet').waitFor({ timeout: DONE_MS });
    const tab = await page.context().newPage();
    await pay(tab, '0.5');
    await tab.getByText('must be decided first').waitFor({ timeout: DONE_MS });
    for (const one of [page, tab]) expect(await buttonsOf(one)).toEqual(['Close']);
    await page.context().unroute(BROADCAST);
    // the node has never had it: a page that waits sends what was kept
    await page.getByText(/Done.* in block/).waitFor({ timeout: DONE_MS });
    expect(bodies.size).toBe(1);
    await sign(tab);
    await tab.getByText(/Done.* in block/).waitFor({ timeout: DONE_MS });
    expect(await sentBy(address)).toBe(2);
    await close();
  }, 240_000);

  it('is a launch that offers no second one, and leads to the asset whose id was signed', async () => {
    const { page, faults, close } = await watchPage(browser, stack.url, { ignore: /broadcast/ });
    await makeBurner(page, stack.url);
    const hanging: object[] = [];
    await page.route(BROADCAST, async (route) => {
      if (hanging.length > 0) return await route.continue();
      await route.fetch();
      // the account's next number is another one now, and the page still waits: no answer ever comes
      const [assetId] = /[0-9a-f]{64}/.exec(await shownOf(page, 'Id of the asset')) ?? [];
      await until(async () => (await fetch(`${stack.url}/v1/assets/${assetId}`)).ok, 'no asset');
      // longer than the page takes to ask for the number again, if it does
      for (let i = 0; i < 4; i++) await page.waitForResponse(/\/v1\/status$/);
      const panel = page.locator('section[aria-label="Launch the asset"]');
      hanging.push({
        isSameId: (await shownOf(page, 'Id of the asset')).includes(assetId ?? 'none'),
        buttons: await panel.locator('button', { hasText: /./ }).allTextContents(),
        drafts: await page.evaluate(() =>
          Object.values(sessionStorage).filter((text) => text.includes('HANG')),
        ),
      });
    });
    const units = { template: 'community', units: '1000' } as const;
    await launch(page, stack.url, { ...units, name: 'Hanging', symbol: 'HANG', description: 'Once.' });
    expect(hanging).toEqual([{ isSameId: true, buttons: [], drafts: [] }]);
    expect(faults).toEqual([]);
    await close();
  }, 180_000);
});
