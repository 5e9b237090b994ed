import type { Browser } from 'playwright-core';
import { killCommands } from '../../../../test/support/command.ts';
import { openBrowser } from './browser.ts';
import { type Place, placesOf } from './places.ts';
import { type Stack, startStack } from './stack.ts';
import { makeBurner } from './steps.ts';
import { type Watched, watchPage } from './watch.ts';

/** One chain, its indexer, the app and one Chromium, for all that looks at the pages. The file that opens it closes it. */
export let stack: Stack;
export let browser: Browser;
/** Every kind of page, with what was on the chain at the start. */
export let places: readonly Place[];

/**
 * The indexer takes 0.4 CPU seconds for a block of the workload and 0.13 for a second of rest: at a block in 2 s the tests
 * wait a little longer for their txs, and all of it costs a third of what it does at two blocks a second.
 */
const BLOCK_TIME_MS = 2_000;

export async function openWorld(): Promise<void> {
  [stack, browser] = await Promise.all([startStack({ blockTimeMs: BLOCK_TIME_MS }), openBrowser()]);
  places = await placesOf(stack.url);
}

export async function closeWorld(): Promise<void> {
  await browser?.close();
  await stack?.close();
  killCommands();
}

/** A page of somebody with a burner wallet, its key in clear, and coins of the faucet. */
export interface Holder {
  readonly watched: Watched;
  readonly address: string;
}

let holder: Promise<Holder> | undefined;

/** The same one for all who ask: what they do, they do one after the other. */
export function sharedHolder(): Promise<Holder> {
  holder ??= (async () => {
    const watched = await watchPage(browser, stack.url);
    return { watched, address: await makeBurner(watched.page, stack.url) };
  })();
  return holder;
}
