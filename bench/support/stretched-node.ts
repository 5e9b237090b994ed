import { openCapture } from '../../src/chain/capture/reader.ts';
import { serveBlocks } from './bytes-node.ts';
import { RECORDING_FOLDER } from './recording.ts';
import { openStretchedChain } from './stretched-chain.ts';

/**
 * A node in a process of its own that serves a stretched chain. argv: the number of blocks, what each holds (`recorded`,
 * or a number of small txs), and how many milliseconds it is away (0). Prints its URL.
 */
const height = Number(process.argv[2]);
const variant = process.argv[3] ?? 'recorded';
const chain = await openStretchedChain(variant === 'recorded' ? variant : Number(variant), height);
const latencyMs = Number(process.argv[4] ?? 0);
serveBlocks(await openCapture(RECORDING_FOLDER), { height, push: chain.push }, latencyMs);
