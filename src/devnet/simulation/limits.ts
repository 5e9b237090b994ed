/** What a simulation may cost. docs/devnet.md has the reasons. */

/** Of a simulated tx, of eth_call and of each try of eth_estimateGas. */
export const SIMULATION_GAS = 10_000_000n;
/** From the moment at which the thread begins. */
export const RUN_MS = 5_000;
/** From the moment at which a thread gets the task until it begins. A start takes about a second of CPU. */
export const START_MS = 20_000;
/** After a thread that did not start, until another is tried. */
export const RESTART_MS = 5_000;
/** In the queue. */
export const WAIT_MS = 10_000;
/** In the queue, of all clients and of one. */
export const MAX_WAITING = 64;
export const MAX_WAITING_OF_ONE = 16;
