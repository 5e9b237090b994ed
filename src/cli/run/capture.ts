import type { CommandContext } from 'strata-kit/cli/context';
import { systemClock } from 'strata-kit/clock';
import { recordCapture } from '../../chain/capture/record.ts';
import type { NodeChoice } from '../../settings/source.ts';
import { createProgress } from '../progress.ts';
import { openRpcSource } from '../sources.ts';

export interface CaptureOptions {
  readonly nodes: NodeChoice;
  /** The folder to write. */
  readonly captureFolder: string;
  readonly chainId: string | undefined;
  /** Both included. Undefined: the chain's first height, and its head. */
  readonly fromHeight: number | undefined;
  readonly toHeight: number | undefined;
}

/** strata capture: records heights of a live node into a folder. */
export async function capture(options: CaptureOptions, { log, line, signal }: CommandContext): Promise<void> {
  const source = openRpcSource(options.nodes, options.chainId, log);
  const progress = createProgress({ line, clock: systemClock, log });
  try {
    const head = await source.head(signal);
    const toHeight = options.toHeight ?? head.latestHeight;
    const fromHeight = options.fromHeight ?? head.earliestHeight;
    const last = await recordCapture({
      source,
      folder: options.captureFolder,
      fromHeight: options.fromHeight,
      toHeight,
      signal,
      onProgress: (height) =>
        progress.update({
          height,
          startHeight: fromHeight - 1,
          targetHeight: toHeight,
          chainHeight: head.latestHeight,
          events: 0,
        }),
    });
    log.info({ folder: options.captureFolder, height: last }, `the capture holds heights up to ${last}`);
  } finally {
    progress.stop();
    await source.close();
  }
}
