import { afterAll, beforeAll } from 'vitest';
import { closeWorld, openWorld } from './support/world.ts';

/**
 * The pages in a real browser, on a chain that goes on. The parts share one chain, indexer, app and browser, which cost
 * more than what is done with them. `npx vitest run testnet/test/app-e2e -t 'the launchpad'` runs one part.
 */

beforeAll(openWorld, 180_000);
afterAll(closeWorld, 60_000);

// in this order: the launchpad's hostile names are on the lists from then on
import './parts/pages.ts';
import './parts/late-answers.ts';
import './parts/reference.ts';
import './parts/living.ts';
import './parts/wallets.ts';
import './parts/lost-answers.ts';
import './parts/launchpad.ts';
import './parts/trading.ts';
