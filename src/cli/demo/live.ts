import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandContext } from 'strata-kit/cli/context';
import { untilAborted } from 'strata-kit/cli/process';
import { StrataError } from 'strata-kit/errors';
import { withFolderLock } from 'strata-kit/folder-lock';
import { hostInUrl } from 'strata-kit/url';
import { deferred } from '../../core/deferred.ts';
import { startAppProcess, type ToldByApp } from '../app-process.ts';
import type { Child } from '../child-process.ts';
import { startDevnetProcess, type ToldByDevnet } from '../devnet-process.ts';
import { checkFree } from '../listening.ts';
import type { DemoOptions } from '../run/demo.ts';
import { follow } from './follow.ts';

/** A block of the last so many seconds: the chain has come to the present, and the desk (30 s) gives its prices. */
const PRESENT_SECONDS = 20;

/**
 * The reference chain with some days of history, followed as it goes on, and the app over it. The app, which forwards the
 * API, answers at the address of the demo, and the API at a free port: one URL has everything. Errors: port_in_use;
 * store_in_use when another demo runs in the folder, config_invalid when it cannot be used; process_ended when the chain
 * or the app ends by itself.
 */
export async function liveDemo(options: DemoOptions, context: CommandContext): Promise<void> {
  await checkFree(options.listen);
  const { folder } = options;
  const refusals = {
    held: (who: string) =>
      new StrataError(
        'store_in_use',
        `a demo runs in ${folder} already (${who}): stop it, or give this one another --data`,
      ),
    unusable: (reason: string, cause: unknown) =>
      new StrataError('config_invalid', `--data ${folder} cannot be used: ${reason}`, { cause }),
  };
  await withFolderLock(folder, refusals, () => run(options, context));
}

async function run(options: DemoOptions, context: CommandContext): Promise<void> {
  const home = join(options.folder, 'chain');
  const isNew = !existsSync(home);
  context.log.info(`${isNew ? 'a new chain' : 'the chain'} in ${options.folder} is being started`);
  const { told: node, ...chain } = await startDevnetProcess([
    ...['--home', home, '--history', `${options.historyDays}`, '--log-level', 'warn'],
  ]);
  // the app goes first, since it asks the others
  const appEnding = new AbortController();
  const ending = new AbortController();
  const opened = deferred<Child<ToldByApp>>();
  // who waits for it hears of a failure, and nobody may
  opened.promise.catch(() => undefined);
  let isOpening = false;
  const following = follow(
    { ...options, chain: { ...options.chain, ...node.section } },
    {
      folder: join(options.folder, 'index'),
      nodeUrl: node.rpcUrl,
      listen: { host: '127.0.0.1', port: 0 },
      isPresent: ({ blockTimeNs }) =>
        Date.now() / 1_000 - Number(blockTimeNs / 1_000_000_000n) < PRESENT_SECONDS,
      onServing({ url }) {
        isOpening = true;
        startAppProcess(appArguments(options, home, url, node), appEnding.signal).then(
          opened.resolve,
          opened.reject,
        );
      },
      async invite({ url }, height) {
        const { told } = await opened.promise;
        for (const line of invitation({ app: told.url, indexer: url, node, height })) context.print(line);
      },
    },
    { ...context, signal: ending.signal },
  );
  try {
    const app = opened.promise.then(async ({ told, ended }) => {
      for (const line of greeting(told.url, isNew, options.historyDays)) context.print(line);
      await ended;
    });
    // both end well only when they are told to, which comes after
    const others = Promise.all([chain.ended, app]).then(() => following);
    await Promise.race([following, others, untilAborted(context.signal)]);
  } finally {
    appEnding.abort();
    // what these failed with has been thrown above
    if (isOpening) await opened.promise.then((app) => app.close()).catch(() => undefined);
    ending.abort();
    await following.catch(() => undefined);
    await chain.close();
  }
}

/** Its other settings are the chain's own, in a file that the devnet writes. */
function appArguments(
  { folder, listen: { host, port }, allowedHosts }: DemoOptions,
  home: string,
  indexer: string,
  { evmUrl }: ToldByDevnet,
): readonly string[] {
  return [
    ...['--config', join(home, 'indexer.yaml'), '--testnet', '--indexer', indexer, '--evm-rpc', evmUrl],
    ...['--listen', hostInUrl(host, port)],
    ...(allowedHosts.length === 0 ? [] : ['--allowed-hosts', allowedHosts.join(',')]),
    ...['--data', join(folder, 'app'), '--log-level', 'warn'],
  ];
}

/** As soon as the pages answer: who waits for the chain's past may look at it coming. */
function greeting(app: string, isNew: boolean, historyDays: number): readonly string[] {
  const coming =
    isNew && historyDays > 0
      ? `A new chain makes its last ${historyDays === 1 ? 'day' : `${historyDays} days`} first; the pages are there already and fill as it does.`
      : 'The pages are there already; the chain comes to the present first.';
  return ['', `Strata is at  ${app}`, '', coming];
}

interface Places {
  readonly app: string;
  readonly indexer: string;
  readonly node: ToldByDevnet;
  readonly height: number;
}

function invitation({ app, indexer, node, height }: Places): readonly string[] {
  return [
    '',
    `The chain is at the present: block ${height}, and one more every second. Open`,
    '',
    `  ${app}`,
    '',
    'and try:',
    '',
    '  /faucet    coins for a wallet that lives in your browser',
    '  /launch    an asset of your own, in one signed tx',
    '  /desk      a share, or its income alone, from the trade desk',
    '  /market    what the coins cost, by their pools',
    '  /quests    ten first steps, and who has taken them',
    '',
    'The same address answers programs:',
    '',
    `  curl -s ${app}/v1/status`,
    `  curl -s '${app}/v1/assets?limit=2'`,
    `  curl -s '${app}/v1/txs?limit=2&method=/aeva.payout.v1.MsgDistribute'`,
    `  curl -s '${app}/v1/prices/native?range=1w'`,
    `  curl -s ${app}/api/desk/quotes`,
    '',
    `  reference  ${app}/reference`,
    `  indexer    ${indexer}/v1/status (the API alone)`,
    `  node       ${node.rpcUrl}/status`,
    `  wallets    ${node.evmUrl} (Ethereum's JSON-RPC)`,
    `  txs        npm run -s strata -- tx … --node ${node.rpcUrl} (docs/devnet.md)`,
    '',
    'Ctrl-C stops it.',
  ];
}
