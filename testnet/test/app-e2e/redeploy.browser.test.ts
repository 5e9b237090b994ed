import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { Browser, Page } from 'playwright-core';
import { bech32Of, evmAddressOf, keyFromSeed } from 'strata-kit/client/keys';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { closeApp, createApp, listenApp } from '../../src/app.ts';
import { createPages } from '../../src/pages.ts';
import { sealedOf } from '../../web/src/wallet/sealed-burner.ts';
import { openBrowser } from './support/browser.ts';

/** Chunks of the built pages that do not load, in a real browser. Only the app's files are served: no chain is needed. */

const BUILT = join(import.meta.dirname, '..', '..', 'dist', 'web');

let browser: Browser;
let page: Page;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: FastifyInstance;
let url: string;
/** Loads of the whole page. */
let loads: number;

beforeAll(async () => {
  browser = await openBrowser();
  return () => browser.close();
}, 60_000);
beforeEach(async () => {
  folder = await temporaryFolder();
  cpSync(BUILT, folder.path, { recursive: true });
  const pages = createPages(folder.path);
  server = await createApp([], { log: pino({ level: 'silent' }), trustedProxies: 0, pages });
  url = await listenApp(server, { host: '127.0.0.1', port: 0 });
  page = await browser.newPage();
  page.on('request', (request) => {
    if (request.resourceType() === 'document') loads += 1;
  });
  await page.goto(`${url}/`);
  await page.locator('main h1').waitFor();
  loads = 0;
});
afterEach(async () => {
  await page.close();
  await closeApp(server);
  await folder.remove();
});

const openBlocks = () => page.locator('header a[href="/blocks"]').first().click();
const heading = () => page.locator('main h1').textContent();

/** What a build leaves that changed every chunk: other names, and the old ones gone. */
function redeploy(): void {
  const assets = join(folder.path, 'assets');
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  for (const name of readdirSync(assets)) if (/\.(br|gz)$/.test(name)) rmSync(join(assets, name));
  rmSync(join(folder.path, 'index.html.br'), { force: true });
  const renamed = (text: string): string =>
    scripts.reduce((all, name) => all.replaceAll(name, name.replace(/\.js$/, '2.js')), text);
  for (const name of scripts) {
    const path = join(assets, name);
    writeFileSync(path, renamed(readFileSync(path, 'utf8')));
    renameSync(path, path.replace(/\.js$/, '2.js'));
  }
  const index = join(folder.path, 'index.html');
  writeFileSync(index, renamed(readFileSync(index, 'utf8')));
}

describe('a chunk of a page', () => {
  it('that failed once is loaded, and the page does not stay at Loading', async () => {
    let failed = 0;
    await page.route(/\/assets\/blocks-[^/]*\.js/, (route) =>
      failed++ === 0 ? route.abort('connectionreset') : route.continue(),
    );
    await openBlocks();
    await expect.poll(heading).toBe('Blocks');
    expect({ path: new URL(page.url()).pathname, loads }).toEqual({ path: '/blocks', loads: 1 });
  }, 60_000);

  it('that is gone with an update of the app leads to the new version, once, at the same address', async () => {
    redeploy();
    await openBlocks();
    await expect.poll(heading).toBe('Blocks');
    expect({ path: new URL(page.url()).pathname, loads }).toEqual({ path: '/blocks', loads: 1 });
    expect(await page.locator('script[type="module"]').first().getAttribute('src')).toMatch(/2\.js$/);
  }, 60_000);

  it('that fails always ends in an error with a button, and the page is not loaded again and again', async () => {
    await page.route(/\/assets\/blocks-[^/]*\.js/, (route) => route.abort('connectionreset'));
    await openBlocks();
    const button = page.getByRole('button', { name: 'Load the page again' });
    await button.waitFor({ timeout: 40_000 });
    expect(loads).toBe(1);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await button.click();
    await expect.poll(heading).toBe('Blocks');
    expect(loads).toBe(2);
  }, 90_000);

  it('that is gone while the wallet is locked costs no key: the new version opens it by its passphrase', async () => {
    const key = keyFromSeed('eth_secp256k1', 'strata/test/redeploy');
    const account = { address: bech32Of('aeva', key), evmAddress: evmAddressOf(key), chainId: 'aeva_9111-1' };
    const privateKey = Buffer.from(key.privateKey).toString('hex');
    const passphrase = 'correct horse battery staple';
    const sealed = JSON.stringify(await sealedOf({ kind: 'burner', ...account, privateKey }, passphrase));
    await page.evaluate((text) => localStorage.setItem('strata.wallet.sealed', text), sealed);
    const facts = {
      ...{ chain_id: account.chainId, evm_chain_id: null, hrp: 'aeva', namespace: 'aeva', names: [] },
      ...{ gas_denom: 'aaeva', gas_decimals: 18, gas_symbol: 'AEVA', min_gas_price: '1', evm_rpc_url: null },
      ...{ stable_denom: 'uusd', stable_decimals: 6, stable_symbol: 'USD', contracts: null },
    };
    await page.route('**/api/chain', (route) => route.fulfill({ json: facts }));
    redeploy();
    await page.getByRole('navigation', { name: 'Pages of the site' }).getByText('Wallet').click();
    await expect.poll(heading).toBe('Wallet');
    expect({ path: new URL(page.url()).pathname, loads }).toEqual({ path: '/wallet', loads: 1 });
    await page.getByText('It is locked: signing asks for the passphrase.').waitFor();
    expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({ 'strata.wallet.sealed': sealed });
    await page.getByRole('button', { name: 'Export the key' }).click();
    await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await page.getByRole('button', { name: 'Show the key' }).click();
    await page.getByText(privateKey).waitFor();
  }, 60_000);
});
