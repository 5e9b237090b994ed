import { openCapture } from '../../chain/capture/reader.ts';
import { startReplay } from '../../chain/replay/server.ts';
import { withAdmin } from '../admin.ts';
import type { ReplayOptions } from '../options.ts';
import type { CommandContext } from '../program.ts';
import { untilAborted } from './serve.ts';

/** strata replay: serves a capture as a CometBFT RPC. */
export async function replay(options: ReplayOptions, context: CommandContext): Promise<void> {
  const { log, signal } = context;
  const recorded = await openCapture(options.captureFolder);
  const { firstHeight, lastHeight } = recorded.blocks;
  const node = await startReplay({
    capture: recorded,
    ...options.listen,
    paceMs: options.paceMs,
    onError: (error) => log.warn({ err: error }, 'a request to the replay failed'),
  });
  log.info(`replaying heights ${firstHeight} to ${lastHeight} of ${options.captureFolder} at ${node.url}`);
  try {
    await withAdmin(options, { command: 'replay' }, context, () => untilAborted(signal));
  } finally {
    await node.close();
  }
}
