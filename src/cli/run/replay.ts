import type { CommandContext } from 'strata-kit/cli/context';
import { untilAborted } from 'strata-kit/cli/process';
import type { ListenAddress } from 'strata-kit/listen-address';
import type { FaultChances } from 'strata-kit/rpc/faults/names';
import { openCapture } from '../../chain/capture/reader.ts';
import { startReplay } from '../../chain/replay/server.ts';
import { withAdmin } from '../admin.ts';
import { privateListenWarnings } from '../listening.ts';

export interface ReplayOptions {
  readonly captureFolder: string;
  readonly listen: ListenAddress;
  readonly admin: ListenAddress | undefined;
  /** 0 shows every height at once. */
  readonly paceMs: number;
  readonly faults: FaultChances;
  readonly seed: number;
}

/** strata replay: serves a capture as a CometBFT RPC. */
export async function replay(options: ReplayOptions, context: CommandContext): Promise<void> {
  const { log, signal } = context;
  const recorded = await openCapture(options.captureFolder);
  const { faults, seed } = options;
  const { firstHeight, lastHeight } = recorded.blocks;
  const node = await startReplay({
    capture: recorded,
    ...options.listen,
    paceMs: options.paceMs,
    ...(faults.size === 0
      ? {}
      : {
          faults: {
            chances: faults,
            seed,
            onFault: (fault, { body, url }) =>
              log.debug({ fault, request: body?.slice(0, 200) ?? url }, 'fault'),
          },
        }),
    onError: (error) => log.warn({ err: error }, 'a request to the replay failed'),
  });
  log.info(`replaying heights ${firstHeight} to ${lastHeight} of ${options.captureFolder} at ${node.url}`);
  for (const warning of privateListenWarnings('the replay', options.listen)) log.warn(warning);
  if (faults.size > 0) {
    const named = [...faults].map(([name, chance]) => `${name}:${chance}`).join(',');
    log.warn({ faults: named, seed }, `answering wrongly: --fault ${named} --seed ${seed}`);
  }
  try {
    await withAdmin(options, { command: 'replay' }, context, () => untilAborted(signal));
  } finally {
    await node.close();
    await recorded.blocks.close();
  }
}
