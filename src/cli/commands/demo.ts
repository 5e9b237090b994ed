import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openCapture } from '../../chain/capture/reader.ts';
import { startReplay } from '../../chain/replay/server.ts';
import { DEFAULT_VERIFY_EVERY_MINUTES } from '../../config.ts';
import type { ChainParameters } from '../../core/parameters.ts';
import type { CommitReport } from '../../pipeline/messages.ts';
import { packageRoot } from '../../store/package-root.ts';
import { startDevnetProcess } from '../devnet-process.ts';
import { openIndexingRun } from '../indexing-run.ts';
import type { DemoOptions } from '../options.ts';
import type { CommandContext } from '../program.ts';
import { type Serving, startServing } from '../serving.ts';
import { openRpcSource } from '../sources.ts';
import { withStores } from '../stores.ts';

/** strata demo (npm start): a chain, indexed from its node, and the API over it. */
export async function demo(options: DemoOptions, context: CommandContext): Promise<void> {
  if (options.isRecorded) await recorded(options, context);
  else await live(options, context);
  if (context.signal.aborted) context.log.info('stopped; it goes on where it ended');
}

/** A block of the last so many seconds: the chain has come to the present. */
const PRESENT_SECONDS = 60;

/** The reference chain with some days of history, followed as it goes on. */
async function live(options: DemoOptions, context: CommandContext): Promise<void> {
  const { folder, historyDays } = options;
  if (!existsSync(join(folder, 'chain'))) context.log.info(`a new chain makes its last ${historyDays} days`);
  const chain = await startDevnetProcess([
    ...['--home', join(folder, 'chain'), '--history', `${historyDays}`, '--log-level', 'warn'],
  ]);
  try {
    const isPresent = ({ blockTimeNs }: CommitReport) =>
      Date.now() / 1_000 - Number(blockTimeNs / 1_000_000_000n) < PRESENT_SECONDS;
    await Promise.race([
      follow(
        { ...options, chain: { ...options.chain, ...chain.section } },
        join(folder, 'index'),
        chain.rpcUrl,
        context,
        isPresent,
        (api) => [
          'The reference chain is followed block by block. Try:',
          '',
          `  curl -s ${api}/v1/status`,
          `  curl -s '${api}/v1/assets?limit=2'`,
          `  curl -s '${api}/v1/settlements?status=pending&limit=2'`,
          `  curl -s '${api}/v1/txs?limit=2&method=/aeva.payout.v1.MsgDistribute'`,
          `  curl -s '${api}/v1/txs?limit=2&method=/cosmos.evm.vm.v1.MsgEthereumTx'`,
          `  curl -s '${api}/v1/prices/native?range=1w'`,
          `  curl -s ${api}/v1/stats/network`,
          `  curl -s '${api}/v1/quests/leaderboard?limit=3'`,
          '',
          `  API        ${api}/v1/status`,
          `  contract   ${api}/openapi.yaml`,
          `  node       ${chain.rpcUrl}/status`,
          `  wallets    ${chain.evmUrl} (Ethereum's JSON-RPC)`,
          `  txs        npm run -s strata -- tx … --node ${chain.rpcUrl} (docs/devnet.md)`,
        ],
      ),
      // it ends well only when it is told to, which comes after
      chain.ended.then(() => new Promise<never>(() => undefined)),
    ]);
  } finally {
    await chain.close();
  }
}

/** The recording would go into one commit, and the bar from nothing to all. */
const RECORDED_COMMIT_BLOCKS = 25;

/** Contracts of the recording, by its oracle/expect.json (created_contracts): a chain does not tell which factory and which coins its market goes by. */
const RECORDED_MARKETS: Pick<ChainParameters, 'evm'> = {
  evm: {
    factory: '0x1C7d6078B8BF6297EAa01014Fb6c305F08982d3a',
    stable: '0xe55bFAEac6310981f7F5BBEBE493bE0d9850091c',
    wrappedNative: '0x5E6B560b6f52F8D6242761d598d7D883BA17db7f',
    lendingMarket: undefined,
  },
};

/** The recording of a real chain, replayed as a node. */
async function recorded(options: DemoOptions, context: CommandContext): Promise<void> {
  const capture = await openCapture(options.captureFolder ?? join(packageRoot(), 'test', 'fixtures', 'evmd'));
  const node = await startReplay({
    capture,
    host: '127.0.0.1',
    port: 0,
    paceMs: options.paceMs,
    onError: (error) => context.log.warn({ err: error }, 'a request to the replay failed'),
  });
  const markets = options.captureFolder === undefined ? RECORDED_MARKETS : {};
  const commitBlocks = Math.min(options.tuning.commitBlocks, RECORDED_COMMIT_BLOCKS);
  const how = options.paceMs > 0 ? 'is followed block by block' : 'is indexed';
  try {
    await follow(
      {
        ...options,
        chain: { ...options.chain, ...markets },
        tuning: { ...options.tuning, commitBlocks },
      },
      options.folder,
      node.url,
      context,
      () => true,
      (api) => [
        `A recorded Cosmos EVM chain ${how}. Try:`,
        '',
        `  curl -s ${api}/v1/status`,
        `  curl -s '${api}/v1/txs?limit=2&method=/cosmos.evm.vm.v1.MsgEthereumTx'`,
        `  curl -s ${api}/v1/lookup/0x96879E8F6E6d160E3f24706772bBb9c0471b6d75`,
        `  curl -s ${api}/v1/prices/native`,
        `  curl -s ${api}/v1/stats/network`,
        '',
        `  API        ${api}/v1/status`,
        `  contract   ${api}/openapi.yaml`,
        `  node       ${node.url}/status (the recording, replayed)`,
      ],
    );
  } finally {
    await node.close();
  }
}

/** Indexes from a node, serves, and invites once the store has caught up and `isPresent` says so of a commit. */
async function follow(
  options: DemoOptions,
  folder: string,
  nodeUrl: string,
  context: CommandContext,
  isPresent: (commit: CommitReport) => boolean,
  invitation: (api: string) => readonly string[],
): Promise<void> {
  const { log } = context;
  const source = openRpcSource([nodeUrl], undefined, log);
  let caughtUpHeight: number | undefined;
  let isInvited = false;
  try {
    await withStores({ kind: 'embedded', folder }, async (stores) => {
      let serving: Serving | undefined;
      const inviteAt = (height: number): void => {
        if (isInvited || serving === undefined) return;
        isInvited = true;
        const lines = invitation(serving.url);
        invite(serving, height, lines, context).catch((error: unknown) =>
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
          verifyEveryMs: DEFAULT_VERIFY_EVERY_MINUTES * 60_000,
          modulePaths: [],
          fromHeight: undefined,
          toHeight: undefined,
        },
        source,
        stores,
        context,
        {
          verifyNodes: [nodeUrl],
          onCommit: (commit) => {
            serving?.notify();
            if (caughtUpHeight !== undefined && isPresent(commit)) inviteAt(commit.height);
          },
          onCaughtUp: (height) => {
            caughtUpHeight = height;
            // a store that had everything already makes no commit
            if (options.isRecorded) inviteAt(height);
          },
        },
      );
      try {
        serving = await startServing(stores, { ...options.listen, ...options.http }, log);
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

/** Once the API answers with what is indexed: the lines are to work when they are read. */
async function invite(
  serving: Serving,
  height: number,
  lines: readonly string[],
  { print, signal }: CommandContext,
): Promise<void> {
  await serving.untilShown(height, signal);
  if (signal.aborted) return;
  for (const line of ['', ...lines, '', 'Ctrl-C stops it.']) print(line);
}
