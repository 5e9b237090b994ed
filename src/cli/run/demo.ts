import type { CommandContext } from 'strata-kit/cli/context';
import type { ListenAddress } from 'strata-kit/listen-address';
import type { ChainParameters } from 'strata-kit/parameters';
import type { HttpKind } from '../../core/http-kind.ts';
import type { Tuning } from '../../settings/tuning.ts';
import { liveDemo } from '../demo/live.ts';
import { recordedDemo } from '../demo/recorded.ts';

export interface DemoOptions {
  /** Undefined: the recording that comes with Strata. */
  readonly captureFolder: string | undefined;
  /** The recording instead of the reference chain. */
  readonly isRecorded: boolean;
  readonly historyDays: number;
  /** Of everything that it keeps. */
  readonly folder: string;
  readonly listen: ListenAddress;
  /** Of the app. */
  readonly allowedHosts: readonly string[];
  readonly http: { readonly kind: HttpKind };
  readonly paceMs: number;
  readonly workers: number;
  readonly tuning: Tuning;
  readonly chain: ChainParameters;
}

/** strata demo (npm start): a chain, indexed from its node, and what people use over it. */
export async function demo(options: DemoOptions, context: CommandContext): Promise<void> {
  if (options.isRecorded) await recordedDemo(options, context);
  else await liveDemo(options, context);
  if (context.signal.aborted) context.log.info('stopped; it goes on where it ended');
}
