import { liveDemo } from '../demo/live.ts';
import { recordedDemo } from '../demo/recorded.ts';
import type { DemoOptions } from '../options.ts';
import type { CommandContext } from '../program.ts';

/** strata demo (npm start): a chain, indexed from its node, and what people use over it. */
export async function demo(options: DemoOptions, context: CommandContext): Promise<void> {
  if (options.isRecorded) await recordedDemo(options, context);
  else await liveDemo(options, context);
  if (context.signal.aborted) context.log.info('stopped; it goes on where it ended');
}
