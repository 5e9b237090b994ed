import type { CommandContext } from 'strata-kit/cli/context';
import type { ListenAddress } from 'strata-kit/listen-address';
import { PLAIN_ACCESS } from 'strata-kit/node-access';
import { REPORTED_POLL_MS } from '../../api/state.ts';
import type { CommitReport } from '../../pipeline/messages.ts';
import { verifyDeepEvery, verifyEvery } from '../../settings/source.ts';
import { headPaceOf, openIndexingRun } from '../indexing-run.ts';
import type { DemoOptions } from '../run/demo.ts';
import { type Serving, startServing } from '../serving.ts';
import { openRpcSource } from '../sources.ts';
import { withStores } from '../stores.ts';

/** What a demo indexes and serves, and what it says of it. */
export interface Followed {
  /** Of the store. */
  readonly folder: string;
  readonly nodeUrl: string;
  /** Of the API. */
  readonly listen: ListenAddress;
  /** The API answers, of whatever is indexed by then. */
  onServing?(serving: Serving): void;
  /** Whether a commit after everything there was is where the demo begins. */
  isPresent(commit: CommitReport): boolean;
  /** Once, when the API answers with what is indexed: what it says is to work when it is read. */
  invite(serving: Serving, height: number): Promise<void>;
}

/** Indexes from a node and serves, until the signal aborts. */
export async function follow(
  options: DemoOptions,
  followed: Followed,
  context: CommandContext,
): Promise<void> {
  const { log, signal } = context;
  const { folder, nodeUrl, listen } = followed;
  const nodes = { urls: [nodeUrl], access: PLAIN_ACCESS };
  const source = openRpcSource(nodes, undefined, log);
  let caughtUpHeight: number | undefined;
  let isInvited = false;
  try {
    await withStores({ kind: 'embedded', folder }, async (stores) => {
      let serving: Serving | undefined;
      const pace = headPaceOf(stores);
      const invite = async (from: Serving, height: number): Promise<void> => {
        await from.untilShown(height, signal);
        if (!signal.aborted) await followed.invite(from, height);
      };
      const inviteAt = (height: number): void => {
        if (isInvited || serving === undefined) return;
        isInvited = true;
        invite(serving, height).catch((error: unknown) =>
          log.warn({ err: error }, 'the API does not show what is indexed'),
        );
      };
      const { run, close } = await openIndexingRun(
        {
          ...options,
          isDurable: false,
          forceModules: false,
          chainId: undefined,
          nodeWaitMs: 0,
          verify: 'auto',
          acceptBadBlocks: [],
          verifyEveryMs: verifyEvery.preset,
          verifyDeepEveryMs: verifyDeepEvery.preset,
          descriptorPaths: [],
          modulePaths: [],
          fromHeight: undefined,
          toHeight: undefined,
        },
        source,
        stores,
        context,
        {
          pace,
          verifyNodes: nodes,
          onChanged: () => serving?.notify('changed'),
          onCommit: (commit) => {
            serving?.notify(commit);
            if (caughtUpHeight !== undefined && followed.isPresent(commit)) inviteAt(commit.height);
          },
          onCaughtUp: (height) => {
            caughtUpHeight = height;
            // a store that had everything already makes no commit
            if (options.isRecorded) inviteAt(height);
          },
        },
      );
      try {
        serving = await startServing(stores, { ...listen, ...options.http }, log, {
          pollMs: REPORTED_POLL_MS,
          pace,
        });
        followed.onServing?.(serving);
        await run();
      } finally {
        await serving?.close();
        await close();
      }
    });
  } finally {
    await source.close();
  }
}
