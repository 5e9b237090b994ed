import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing';
import { bech32 } from '@scure/base';
import { JsonRpcProvider, Wallet } from 'ethers';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { killCommands } from '../support/command.ts';
import { seriousFindings } from './support/axe.ts';
import { openBrowser } from './support/browser.ts';
import { settled } from './support/places.ts';
import { jsonOf, type Stack, startStack } from './support/stack.ts';
import { DONE_MS, getCoins, launch, makeBurner, sign } from './support/steps.ts';
import { ethereumStandIn, keplrStandIn } from './support/wallets.ts';
import { overflowOf, PHONE, type Watched, watchPage } from './support/watch.ts';

/** What people come for, from the first click to what the explorer shows of it, on a real chain. */

const NOTICE = 'This asset is community-launched, unverified, and has no value.';
const MARKUP = '<img src=x onerror="globalThis.hacked=1"></script><b>bold</b>';
const LONG_WORD = 'Donaudampfschiffahrtsgesellschaft'.repeat(20);

let stack: Stack;
let browser: Browser;
let mine: Watched;
let me: string;

interface AssetAnswer {
  readonly issuance_locked: boolean;
  readonly issuer: string;
  readonly kinds: readonly { readonly class: string; readonly supply: string }[];
}

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), openBrowser()]);
  mine = await watchPage(browser, stack.url);
  me = await makeBurner(mine.page, stack.url);
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await stack?.close();
  killCommands();
}, 60_000);

describe('the faucet and a burner wallet', () => {
  it('have coins of both kinds', async () => {
    await mine.page.goto(`${stack.url}/wallet`);
    await settled(mine.page);
    await expect.poll(() => mine.page.locator('main').textContent()).toMatch(/100(\.0+)?\s*USD/);
    expect(mine.faults).toEqual([]);
  }, 90_000);
});

describe('the launchpad', () => {
  it.each([
    ['community', ['ECONOMIC']],
    ['dividend', ['ECONOMIC', 'INCOME']],
    ['equity', ['ECONOMIC', 'INCOME', 'VOTE']],
    ['bond', ['REDEMPTION', 'INCOME', 'INCOME', 'INCOME', 'INCOME']],
  ] as const)(
    'launches a %s, and the explorer shows its document, its notice and its kinds',
    async (template, classes) => {
      const name = `Harbour ${template}`;
      const description = `A bakery that does not exist.\n${MARKUP} ${LONG_WORD}`;
      const assetId = await launch(mine.page, stack.url, {
        ...{ template, name, description },
        ...{ symbol: `H${template.slice(0, 4).toUpperCase()}`, units: '1000' },
      });
      const { page } = mine;
      await expect.poll(() => page.locator('main h1').textContent()).toContain(name);
      const text = (await page.locator('main').textContent()) ?? '';
      expect(text).toContain(NOTICE);
      expect(text).toContain(MARKUP);
      expect(await page.locator('main').locator('img[src="x"], b:has-text("bold")').count()).toBe(0);
      expect(await page.evaluate(() => 'hacked' in globalThis)).toBe(false);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
      expect(await seriousFindings(page)).toEqual([]);
      // what the page says is what the chain has
      const { asset } = await jsonOf<{ asset: AssetAnswer }>(`${stack.url}/v1/assets/${assetId}`);
      expect(asset.kinds.map((kind) => kind.class)).toEqual(classes);
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
    await next();
    await page.getByLabel('Units of each kind').fill('1');
    await next();
    const alert = page.getByRole('alert').filter({ hasText: 'The launchpad refuses this document.' });
    await alert.waitFor({ timeout: DONE_MS });
    expect((await alert.locator('mark').allTextContents()).join(' ')).toMatch(/returns/i);
    expect(watched.faults).toEqual([]);
    await watched.close();
  }, 90_000);

  it('shows an asset whose document is hostile on a phone as it shows any other', async () => {
    const { page, faults, close } = await watchPage(browser, stack.url, { view: PHONE });
    await page.goto(`${stack.url}/assets`);
    await settled(page);
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    expect(faults).toEqual([]);
    await close();
  }, 60_000);
});

describe('wallets of the browser', () => {
  const ethereum = Wallet.createRandom();

  it('Keplr (a stand-in of it): connects and signs, and the tx is indexed', async () => {
    const key = Buffer.from(Wallet.createRandom().privateKey.slice(2), 'hex');
    const keplr = await DirectSecp256k1Wallet.fromKey(key, 'aeva');
    const [account] = await keplr.getAccounts();
    if (account === undefined) throw new Error('no account');
    const { page, faults, close } = await watchPage(browser, stack.url, {
      lends: {
        strataKeplr: () => ({
          publicKey: Buffer.from(account.pubkey).toString('hex'),
          address: Buffer.from(bech32.decodeToBytes(account.address).bytes).toString('hex'),
        }),
        strataKeplrSign: async (body: string, auth: string, chainId: string, accountNumber: string) => {
          const { signature } = await keplr.signDirect(account.address, {
            bodyBytes: Buffer.from(body, 'hex'),
            authInfoBytes: Buffer.from(auth, 'hex'),
            chainId,
            accountNumber: BigInt(accountNumber),
          });
          return signature.signature;
        },
      },
      before: keplrStandIn,
    });
    await page.goto(`${stack.url}/wallet`);
    await page.getByRole('button', { name: 'Connect Keplr' }).click();
    await settled(page);
    await expect.poll(() => page.locator('main').textContent()).toContain(account.address);
    await getCoins(page);
    await page.getByLabel('To', { exact: true }).fill(me);
    await page.getByLabel('Amount', { exact: true }).fill('0.25');
    await page.getByRole('button', { name: 'Review' }).click();
    await sign(page, 'Continue in Keplr');
    await page.getByText(/Done.* in block/).waitFor({ timeout: DONE_MS });
    expect(faults).toEqual([]);
    await close();
  }, 180_000);

  it('an Ethereum wallet (a stand-in by EIP-1193): connects and sends, and the tx is indexed', async () => {
    const signer = ethereum.connect(new JsonRpcProvider(stack.evmUrl));
    const calls: string[] = [];
    const { page, faults, close } = await watchPage(browser, stack.url, {
      lends: {
        strataEthereum: async (method: string, params: readonly Record<string, string>[]) => {
          calls.push(method);
          if (method === 'eth_requestAccounts') return [signer.address];
          if (method === 'eth_chainId') return '0x2397';
          if (method.startsWith('wallet_')) return null;
          if (method !== 'eth_sendTransaction') throw new Error(`not expected: ${method}`);
          const [{ to = '', value = '0x0', data = '0x' } = {}] = params;
          return (await signer.sendTransaction({ to, value, data })).hash;
        },
      },
      before: ethereumStandIn,
    });
    await page.goto(`${stack.url}/wallet`);
    await page.getByRole('button', { name: 'Connect an Ethereum wallet' }).click();
    await settled(page);
    await getCoins(page);
    await page.getByLabel('To', { exact: true }).fill(me);
    await page.getByLabel('Amount', { exact: true }).fill('0.25');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: /^Continue in / }).click({ timeout: DONE_MS });
    await page.getByText(/Done.* in block/).waitFor({ timeout: DONE_MS });
    expect(calls).toContain('eth_sendTransaction');
    expect(faults).toEqual([]);
    await close();
    signer.provider?.destroy();
  }, 180_000);
});
