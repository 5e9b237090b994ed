import { join } from 'node:path';
import { openCapture } from '../../chain/capture/reader.ts';
import { startReplay } from '../../chain/replay/server.ts';
import { packageRoot } from '../../store/package-root.ts';
import { openIndexingRun } from '../indexing-run.ts';
import type { DemoOptions } from '../options.ts';
import type { CommandContext } from '../program.ts';
import { type Serving, startServing } from '../serving.ts';
import { openRpcSource } from '../sources.ts';
import { withStores } from '../stores.ts';

/** The recording would go into one commit, and the bar from nothing to all. */
const DEMO_COMMIT_BLOCKS = 25;

/** strata demo (npm start): replays the recording as a node, indexes it from there, and serves the API. */
export async function demo(options: DemoOptions, context: CommandContext): Promise<void> {
  const { log, signal } = context;
  const recorded = await openCapture(
    options.captureFolder ?? join(packageRoot(), 'test', 'fixtures', 'evmd'),
  );
  const node = await startReplay({
    capture: recorded,
    host: '127.0.0.1',
    port: 0,
    paceMs: options.paceMs,
    onError: (error) => log.warn({ err: error }, 'a request to the replay failed'),
  });
  const source = openRpcSource([node.url], undefined, log);
  try {
    await withStores(options.store, async (stores) => {
      let serving: Serving | undefined;
      const { run, close } = await openIndexingRun(
        {
          ...options,
          tuning: {
            ...options.tuning,
            commitBlocks: Math.min(options.tuning.commitBlocks, DEMO_COMMIT_BLOCKS),
          },
          isDurable: false,
          chainId: undefined,
          nodeWaitMs: 0,
          verify: 'auto',
          fromHeight: undefined,
          toHeight: undefined,
        },
        source,
        stores,
        context,
        {
          onCommit: () => serving?.notify(),
          onCaughtUp: (height) => {
            if (serving !== undefined) void invite(serving, height, node.url, options.paceMs > 0, context);
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
    await node.close();
  }
  if (signal.aborted) log.info('stopped; npm start goes on where it ended');
}

/** Once the API answers with what is indexed: the lines are to work when they are read. */
async function invite(
  serving: Serving,
  height: number,
  node: string,
  isPaced: boolean,
  { print, signal }: CommandContext,
): Promise<void> {
  await serving.untilShown(height, signal);
  if (signal.aborted) return;
  const api = serving.url;
  const lines = [
    '',
    `A recorded Cosmos EVM chain ${isPaced ? 'is followed block by block' : 'is indexed'}. Try:`,
    '',
    `  curl -s ${api}/v1/status`,
    `  curl -s '${api}/v1/txs?limit=2&method=/cosmos.evm.vm.v1.MsgEthereumTx'`,
    `  curl -s ${api}/v1/lookup/0x96879E8F6E6d160E3f24706772bBb9c0471b6d75`,
    '',
    `  API        ${api}/v1/status`,
    `  contract   ${api}/openapi.yaml`,
    `  node       ${node}/status (the recording, replayed)`,
    '',
    'Ctrl-C stops it.',
  ];
  for (const line of lines) print(line);
}
