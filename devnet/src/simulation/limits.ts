/** What a simulation may cost. docs/devnet.md has the reasons. */

/** Of a simulated tx, of eth_call and of each try of eth_estimateGas. */
export const SIMULATION_GAS = 10_000_000n;
/** From the moment at which the thread begins. */
export const RUN_MS = 5_000;
/** From the moment at which a thread gets the task until it begins. A start takes about a second of CPU. */
export const START_MS = 20_000;
/** After a thread that did not start, until another is tried. */
export const RESTART_MS = 5_000;
/** What a simulation reads of the state, far above what its gas pays for: reads that cost no gas are bounded too. */
export const MAX_QUESTIONS = 50_000;
/**
 * Of queries that read much. They have a thread of their own, so that calls do not wait for them. An export of 100,000
 * attestations took 2 to 3 s.
 */
export const WALK_LIMITS = { threads: 1, runMs: 60_000, waitMs: 60_000, maxQuestions: 5_000_000 } as const;
/** Records that a query reads in the thread of the blocks; one that reads more begins anew as a walk. 25 to 60 ms. */
export const READS_AT_ONCE = 1_000;
/** In the queue. */
export const WAIT_MS = 10_000;
/** In the queue, of all clients and of one. */
export const MAX_WAITING = 64;
export const MAX_WAITING_OF_ONE = 16;
