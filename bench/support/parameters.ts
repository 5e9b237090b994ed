import { type ChainParameters, parseParameters } from '../../src/core/parameters.ts';

const parsed = parseParameters({});
if ('problem' in parsed) throw new Error(parsed.problem);

/** Nothing configured: what the chain tells counts. */
export const NO_PARAMETERS: ChainParameters = parsed.parameters;
