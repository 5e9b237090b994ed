import type { Logger } from 'strata-kit/cli/logging';
import { openCapture } from '../chain/capture/reader.ts';
import { createCaptureSource } from '../chain/capture/source.ts';
import type { SourceObserver } from '../chain/observer.ts';
import { createRpcSource } from '../chain/rpc/source.ts';
import type { BlockSource, RpcCaller } from '../chain/source.ts';
import type { NodeChoice, SourceChoice } from '../settings/source.ts';

/** Opens what the options name. Errors: capture_invalid. */
export async function openSource(
  choice: SourceChoice,
  chainId: string | undefined,
  log: Logger,
  observer: SourceObserver,
): Promise<BlockSource> {
  if (choice.kind === 'rpc') return openRpcSource(choice, chainId, log, observer);
  return createCaptureSource(await openCapture(choice.folder));
}

/** The nodes that can be asked for the chain's own numbers: a capture has recorded none. */
export function verifyNodes(choice: SourceChoice): NodeChoice | undefined {
  return choice.kind === 'rpc' ? choice : undefined;
}

/** Where indexing ends: --to, or the end of a capture, which no node adds to; undefined follows the head. */
export async function endHeight(
  choice: SourceChoice,
  source: BlockSource,
  toHeight: number | undefined,
): Promise<number | undefined> {
  if (choice.kind === 'rpc') return toHeight;
  const { latestHeight } = await source.head();
  return Math.min(toHeight ?? latestHeight, latestHeight);
}

/** Errors: config_invalid for a CA file that cannot be read. */
export function openRpcSource(
  { urls, access }: NodeChoice,
  chainId: string | undefined,
  log: Logger,
  observer: SourceObserver = {},
): BlockSource & RpcCaller {
  return createRpcSource({ urls, access, log, observer, ...(chainId === undefined ? {} : { chainId }) });
}
