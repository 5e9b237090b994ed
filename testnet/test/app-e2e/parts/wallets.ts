import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing';
import { bech32 } from '@scure/base';
import { JsonRpcProvider, Wallet } from 'ethers';
import type { Page } from 'playwright-core';
import { bech32Of, evmAddressOf, keyFromSeed } from 'strata-kit/client/keys';
import { beforeAll, describe, expect, it } from 'vitest';
import { seriousFindings } from '../support/axe.ts';
import { settled } from '../support/places.ts';
import { jsonOf } from '../support/stack.ts';
import { DONE_MS, getCoins, makeBurner, sign } from '../support/steps.ts';
import { ethereumStandIn, keplrStandIn } from '../support/wallets.ts';
import { type Watched, watchPage } from '../support/watch.ts';
import { browser, sharedHolder, stack } from '../support/world.ts';

/** Wallets: those that the pages make, and those of the browser. */

describe('wallets', () => {
  let mine: Watched;
  let me: string;
  beforeAll(async () => {
    ({ watched: mine, address: me } = await sharedHolder());
  }, 120_000);

  describe('the faucet and a burner wallet', () => {
    it('have coins of both kinds', async () => {
      await mine.page.goto(`${stack.url}/wallet`);
      await settled(mine.page);
      await expect.poll(() => mine.page.locator('main').textContent()).toMatch(/100(\.0+)?\s*USD/);
      expect(mine.faults).toEqual([]);
    }, 90_000);
  });

  describe('a burner wallet under a passphrase', () => {
    const PASSPHRASE = 'correct horse battery staple';
    /** All that the browser keeps of wallets, in clear and sealed. */
    const keptText = (page: Page) =>
      page.evaluate(() =>
        ['strata.wallet', 'strata.wallet.sealed'].map((name) => localStorage.getItem(name) ?? '').join(''),
      );
    /** As a tab of the first build keeps one. */
    const oldKey = keyFromSeed('eth_secp256k1', 'strata/test/old-tab');
    const oldAddress = bech32Of('aeva', oldKey);
    const oldWallet = JSON.stringify({
      ...{ kind: 'burner', address: oldAddress, evmAddress: evmAddressOf(oldKey), chainId: 'aeva_9111-1' },
      privateKey: Buffer.from(oldKey.privateKey).toString('hex'),
    });
    const unlock = async (page: Page, passphrase: string, button: string): Promise<void> => {
      await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
      await page.getByRole('button', { name: button, exact: true }).click();
    };

    it('signs once it is unlocked, shows its key for the passphrase alone, and 1,5 is not sent as 15', async () => {
      const { page, faults, close } = await watchPage(browser, stack.url);
      const address = await makeBurner(page, stack.url, PASSPHRASE);
      expect(await keptText(page)).toContain('"sealed"');
      expect(await keptText(page)).not.toContain('privateKey');
      expect(await seriousFindings(page)).toEqual([]);
      const send = async (amount: string): Promise<void> => {
        await page.getByLabel('To', { exact: true }).fill(me);
        await page.getByLabel('Amount', { exact: true }).fill(amount);
        await page.getByRole('button', { name: 'Review' }).click();
      };
      await send('1,5');
      await page
        .getByText('Write 1.5 with a point; a comma only separates thousands, as in 1,500.')
        .waitFor();
      await page.getByLabel('Amount', { exact: true }).fill('1.500');
      await page.getByText('Read as 1.5 USD.').waitFor();
      await page.getByRole('button', { name: 'Review' }).click();
      await page.getByRole('button', { name: 'Sign and send' }).waitFor({ timeout: DONE_MS });
      // an update of the app takes its files away: the passphrase is asked for all the same
      await page.route('**/assets/**', (route) => route.abort('connectionreset'));
      await sign(page);
      await unlock(page, 'another passphrase', 'Unlock');
      await page.getByText('This passphrase does not open the key.').waitFor();
      await unlock(page, PASSPHRASE, 'Unlock');
      await page.getByText(/Done.* in block/).waitFor({ timeout: DONE_MS });
      await page.unroute('**/assets/**');
      await page.getByRole('button', { name: 'Close' }).click();
      // unlocked now: the next one is signed without a question, until somebody locks it
      await send('0.25');
      await sign(page);
      await page.getByText(/Done.* in block/).waitFor({ timeout: DONE_MS });
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Export the key' }).click();
      await unlock(page, PASSPHRASE, 'Show the key');
      const shown = await page.locator('main .mono', { hasText: /^[0-9a-f]{64}$/ }).textContent();
      expect(await keptText(page)).not.toContain(shown);
      await page.getByRole('button', { name: 'Lock it now' }).click();
      await page.getByText('It is locked: signing asks for the passphrase.').waitFor();
      await send('0.25');
      const handedOver: string[] = [];
      page.on('request', (request) => {
        if (request.url().endsWith('/api/chain/broadcast')) handedOver.push(request.url());
      });
      const dialog = page.getByRole('dialog', { name: 'Unlock the wallet' });
      for (const leave of [
        () => dialog.getByRole('button', { name: 'Cancel' }).click(),
        () => page.keyboard.press('Escape'),
      ]) {
        await sign(page);
        await dialog.waitFor();
        await leave();
        await page.getByText('The wallet stayed locked. Nothing was signed.').waitFor();
        expect(await dialog.count()).toBe(0);
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByRole('button', { name: 'Sign and send' }).waitFor({ timeout: DONE_MS });
      }
      // the page is left while the dialog asks, and while the passphrase opens the key
      for (const isTyped of [false, true]) {
        await sign(page);
        await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
        await page.evaluate((submits) => {
          if (submits) document.querySelector<HTMLFormElement>('dialog form')?.requestSubmit();
          history.pushState(null, '', '/blocks');
          dispatchEvent(new PopStateEvent('popstate'));
        }, isTyped);
        await dialog.waitFor({ state: 'detached' });
        await settled(page);
        await page.goBack();
        await page.getByText('It is locked: signing asks for the passphrase.').waitFor();
        await send('0.25');
      }
      expect(
        await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes('pending'))),
      ).toEqual([]);
      expect(handedOver).toEqual([]);
      const { txs } = await jsonOf<{ txs: readonly { readonly msgs: readonly Record<string, unknown>[] }[] }>(
        `${stack.url}/v1/accounts/${address}/txs`,
      );
      const sent = txs.flatMap(({ msgs }) => msgs).filter(({ from_address }) => from_address === address);
      expect(sent.map(({ amount }) => amount)).toEqual([
        [{ denom: 'uusd', amount: '250000' }],
        [{ denom: 'uusd', amount: '1500000' }],
      ]);
      expect(faults).toEqual([]);
      await close();
    }, 180_000);

    it('is offered to a key of before there were passphrases, which stays the same account in all tabs', async () => {
      const { page, faults, close } = await watchPage(browser, stack.url);
      const address = await makeBurner(page, stack.url);
      // as the version before wrote it
      await page.evaluate(() => {
        const { isClearByChoice, ...old } = JSON.parse(localStorage.getItem('strata.wallet') ?? '');
        localStorage.setItem('strata.wallet', JSON.stringify(old));
      });
      const other = await page.context().newPage();
      await other.goto(`${stack.url}/blocks`);
      await other.getByRole('dialog', { name: 'Protect your burner wallet' }).waitFor();
      await other.getByRole('button', { name: 'Later' }).click();
      await page.goto(`${stack.url}/`);
      const dialog = page.getByRole('dialog', { name: 'Protect your burner wallet' });
      await dialog.getByLabel('Passphrase', { exact: true }).fill(PASSPHRASE);
      await dialog.getByLabel('The same again').fill(`${PASSPHRASE}.`);
      await dialog.getByRole('button', { name: 'Encrypt the key' }).click();
      await dialog.getByText('This is another passphrase than the one above.').waitFor();
      expect(await seriousFindings(page)).toEqual([]);
      await dialog.getByLabel('The same again').fill(PASSPHRASE);
      await dialog.getByRole('button', { name: 'Encrypt the key' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await page.evaluate(() => Object.keys(localStorage))).toEqual(['strata.wallet.sealed']);
      expect(await keptText(page)).not.toContain('privateKey');
      // the other tab has heard of it
      await other.goto(`${stack.url}/wallet`);
      await settled(other);
      expect(await other.locator('main').textContent()).toContain(address);
      await other.getByRole('button', { name: 'Export the key' }).click();
      await unlock(other, PASSPHRASE, 'Show the key');
      await other.locator('main .mono', { hasText: /^[0-9a-f]{64}$/ }).waitFor();
      // a tab of the first build, which knows one name, makes another wallet: both are kept
      await other.evaluate((made) => localStorage.setItem('strata.wallet', made), oldWallet);
      await page.goto(`${stack.url}/wallet`);
      await page.getByText(`has made another wallet, ${oldAddress}`).waitFor();
      expect(await page.locator('main').textContent()).toContain(address);
      await page.getByRole('button', { name: 'Forget this wallet' }).click();
      await page.getByRole('button', { name: 'Erase the key' }).click();
      await expect.poll(() => page.locator('main').textContent()).not.toContain(address);
      for (const tab of [page, other]) await tab.locator('main', { hasText: oldAddress }).waitFor();
      expect(await keptText(page)).toBe(oldWallet);
      expect(faults).toEqual([]);
      await close();
    }, 120_000);
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
});
