import type { Page } from 'playwright-core';
import { settled } from './places.ts';

/** What a person does on the pages, step by step. */

/** Of a tx: included, indexed and shown. */
export const DONE_MS = 60_000;

/** A burner wallet with coins of the faucet, its key in clear unless there is a passphrase; its address. */
export async function makeBurner(page: Page, url: string, passphrase?: string): Promise<string> {
  await page.goto(`${url}/wallet`);
  await page.getByRole('button', { name: 'Make a burner wallet' }).click();
  if (passphrase === undefined) {
    await page.getByRole('button', { name: 'Go on without a passphrase' }).click();
  } else {
    await page.getByLabel('Passphrase', { exact: true }).fill(passphrase);
    await page.getByLabel('The same again').fill(passphrase);
    await page.getByRole('button', { name: 'Encrypt the key' }).click();
  }
  await page.getByRole('heading', { name: 'Do something' }).waitFor();
  await settled(page);
  await getCoins(page);
  const text = (await page.locator('main').textContent()) ?? '';
  const [address] = /aeva1[02-9ac-hj-np-z]{38}/.exec(text) ?? [];
  if (address === undefined) throw new Error(`the wallet page shows no address: ${text}`);
  return address;
}

/** On the wallet page. */
export async function getCoins(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Get coins from the faucet' }).first().click();
  await page.getByText(/The faucet has paid/).waitFor({ timeout: DONE_MS });
}

/** Signs what is shown, once it is known what it costs. */
export async function sign(page: Page, button = 'Sign and send'): Promise<void> {
  await page.getByRole('button', { name: button }).click({ timeout: DONE_MS });
}

export interface Launch {
  readonly template: 'community' | 'dividend' | 'equity' | 'bond';
  readonly name: string;
  readonly symbol: string;
  readonly description: string;
  readonly units: string;
}

/** Through the wizard's four steps; the id that was shown before it was signed, which is the page that it leads to. */
export async function launch(page: Page, url: string, asset: Launch): Promise<string> {
  await page.goto(`${url}/launch`);
  await page.locator(`input[name="template"][value="${asset.template}"]`).check();
  const next = () => page.getByRole('button', { name: 'Next', exact: true }).click();
  await next();
  await page.getByLabel('Name', { exact: true }).fill(asset.name);
  await page.getByLabel('Symbol', { exact: true }).fill(asset.symbol);
  await page.getByLabel('Description', { exact: true }).fill(asset.description);
  await next();
  await page.getByLabel('Units of each kind').fill(asset.units);
  if (asset.template === 'bond') await page.getByRole('button', { name: /Set the dates/ }).click();
  await next();
  await page.getByRole('button', { name: 'Sign and send' }).waitFor({ timeout: DONE_MS });
  const [assetId] = /[0-9a-f]{64}/.exec(await shownOf(page, 'Id of the asset')) ?? [];
  await sign(page);
  await page.waitForURL(/\/asset\/[0-9a-f]{64}$/, { timeout: DONE_MS });
  if (new URL(page.url()).pathname !== `/asset/${assetId}`)
    throw new Error(`${assetId} was shown, and ${page.url()} is where it led`);
  await settled(page);
  return assetId ?? '';
}

/** The value that stands beside a name. */
export async function shownOf(page: Page, name: string): Promise<string> {
  const row = page.locator('dl > div', { has: page.locator('dt', { hasText: name }) }).first();
  return (await row.locator('dd').first().textContent()) ?? '';
}
