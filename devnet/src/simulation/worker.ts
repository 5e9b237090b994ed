import { workerData } from 'node:worker_threads';
import type { ChainParameters } from '../app/parameters.ts';
import { createThread } from './simulator.ts';

/** A thread of the reference chain that executes simulations. worker.cts loads it. */
export const simulate = createThread(workerData as ChainParameters);
