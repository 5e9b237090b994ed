import { assetsAtHand } from './assets.ts';
import { chainAtHand } from './chain.ts';
import { namesAtHand } from './documents.ts';
import { namedIn } from './named.ts';
import { type Asked, type AskOptions, useAsk } from './queries.ts';
import { routesAtHand } from './routes.ts';

/** What has not come by then is shown without, and moves what stands around it when it comes. */
const PATIENCE_MS = 8_000;

/**
 * Like `useAsk`, for what a page shows: there is an answer once what it names is known too, so that it is shown as it stays
 * and no row changes its height by a name, a symbol or decimals that come later.
 */
export function useAnswer<T>(
  key: readonly unknown[],
  ask: (signal: AbortSignal) => Promise<T>,
  options?: AskOptions,
): Asked<T> {
  return useAsk(key, (signal) => withNames(ask(signal)), options);
}

async function withNames<T>(asked: Promise<T>): Promise<T> {
  const chain = chainAtHand();
  const answer = await asked;
  const { assets, routes, metaHashes } = namedIn(answer);
  await withinPatience(
    Promise.all([chain, assetsAtHand(assets), routesAtHand(routes), namesAtHand(metaHashes)]),
  );
  return answer;
}

async function withinPatience(work: Promise<unknown>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
