import { openCapture } from '../../src/chain/capture/reader.ts';
import { serveBlocks } from './bytes-node.ts';
import { RECORDING_FOLDER } from './recording.ts';
import { openStretchedChain } from './stretched-chain.ts';

/**
 * A node in a process of its own that serves a stretched chain. argv: the number of blocks, and what each holds:
 * `recorded`, or a number of small txs. Prints its URL.
 */
const height = Number(process.argv[2]);
const variant = process.argv[3] ?? 'recorded';
const chain = await openStretchedChain(variant === 'recorded' ? variant : Number(variant), height);
serveBlocks(await openCapture(RECORDING_FOLDER), { height, push: chain.push });
