import { join } from 'node:path';
import type { CommandContext } from 'strata-kit/cli/context';
import type { ChainParameters } from 'strata-kit/parameters';
import { openCapture } from '../../chain/capture/reader.ts';
import { startReplay } from '../../chain/replay/server.ts';
import { packageRoot } from '../../store/package-root.ts';
import { apiListenWarnings } from '../listening.ts';
import type { DemoOptions } from '../run/demo.ts';
import { follow } from './follow.ts';

/** The recording would go into one commit, and the bar from nothing to all. */
const COMMIT_BLOCKS = 25;

/** Contracts of the recording, by its oracle/expect.json (created_contracts): a chain does not tell which factory and which coins its market goes by. */
const MARKETS: Pick<ChainParameters, 'evm'> = {
  evm: {
    factory: '0x1C7d6078B8BF6297EAa01014Fb6c305F08982d3a',
    stable: '0xe55bFAEac6310981f7F5BBEBE493bE0d9850091c',
    wrappedNative: '0x5E6B560b6f52F8D6242761d598d7D883BA17db7f',
    lendingMarket: undefined,
  },
};

/** The recording of a real chain, replayed as a node, and the API over it: there is no chain for an app to send txs to. */
export async function recordedDemo(options: DemoOptions, context: CommandContext): Promise<void> {
  const { print, log } = context;
  for (const warning of apiListenWarnings(options.listen)) log.warn(warning);
  const capture = await openCapture(options.captureFolder ?? join(packageRoot(), 'test', 'fixtures', 'evmd'));
  const node = await startReplay({
    capture,
    host: '127.0.0.1',
    port: 0,
    paceMs: options.paceMs,
    onError: (error) => log.warn({ err: error }, 'a request to the replay failed'),
  });
  const markets = options.captureFolder === undefined ? MARKETS : {};
  const commitBlocks = Math.min(options.tuning.commitBlocks, COMMIT_BLOCKS);
  const indexed = {
    ...options,
    chain: { ...options.chain, ...markets },
    tuning: { ...options.tuning, commitBlocks },
  };
  try {
    await follow(
      indexed,
      {
        folder: options.folder,
        nodeUrl: node.url,
        listen: options.listen,
        isPresent: () => true,
        async invite({ url }) {
          for (const line of invitation(url, node.url, options.paceMs)) print(line);
        },
      },
      context,
    );
  } finally {
    await node.close();
    await capture.blocks.close();
  }
}

function invitation(api: string, nodeUrl: string, paceMs: number): readonly string[] {
  return [
    '',
    `A recorded Cosmos EVM chain ${paceMs > 0 ? 'is followed block by block' : 'is indexed'}. Try:`,
    '',
    `  curl -s ${api}/v1/status`,
    `  curl -s '${api}/v1/txs?limit=2&method=/cosmos.evm.vm.v1.MsgEthereumTx'`,
    `  curl -s ${api}/v1/lookup/0x96879E8F6E6d160E3f24706772bBb9c0471b6d75`,
    `  curl -s ${api}/v1/prices/native`,
    `  curl -s ${api}/v1/stats/network`,
    '',
    `  API        ${api}/v1/status`,
    `  contract   ${api}/openapi.yaml`,
    `  node       ${nodeUrl}/status (the recording, replayed)`,
    '',
    'Ctrl-C stops it.',
  ];
}
