import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing';
import { bech32 } from '@scure/base';
import { JsonRpcProvider, Wallet } from 'ethers';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bech32Of, evmAddressOf, keyFromSeed } from '../../src/devnet/client/keys.ts';
import { killCommands } from '../support/command.ts';
import { seriousFindings } from './support/axe.ts';
import { openBrowser } from './support/browser.ts';
import { settled } from './support/places.ts';
import { jsonOf, type Stack, startStack, until } from './support/stack.ts';
import { DONE_MS, getCoins, launch, makeBurner, shownOf, sign } from './support/steps.ts';
import { ethereumStandIn, keplrStandIn } from './support/wallets.ts';
import { overflowOf, PHONE, type Watched, WIDE, watchPage } from './support/watch.ts';

/** What people come for, from the first click to what the explorer shows of it, on a real chain. */

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

interface TxAnswer {
  readonly msgs: readonly { readonly from_address?: string }[];
}

let stack: Stack;
let browser: Browser;
let mine: Watched;
let me: string;
const launched: string[] = [];

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
    await page.getByText('Write 1.5 with a point; a comma only separates thousands, as in 1,500.').waitFor();
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

describe('the launchpad', () => {
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

describe('a tx whose answer is lost', () => {
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
