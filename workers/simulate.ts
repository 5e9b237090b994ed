import { workerData } from 'node:worker_threads';
import type { ChainParameters } from '../src/devnet/app/parameters.ts';
import { createThread } from '../src/devnet/simulation/simulator.ts';

/** A thread of the reference chain that executes simulations. simulate.cts is how it is loaded. */
export const simulate = createThread(workerData as ChainParameters);
