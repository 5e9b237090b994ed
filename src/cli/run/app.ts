import type { CommandContext } from 'strata-kit/cli/context';
import { ClientError } from 'strata-kit/client/errors';
import { parseKey, readSecretFile } from 'strata-kit/client/keyring';
import type { Key } from 'strata-kit/client/keys';
import { connectNode } from 'strata-kit/client/node';
import { systemClock } from 'strata-kit/clock';
import type { DeskRisk } from 'strata-kit/desk-risk';
import { StrataError } from 'strata-kit/errors';
import type { ListenAddress } from 'strata-kit/listen-address';
import type { HeaderFields } from 'strata-kit/node-access';
import type { ChainParameters } from 'strata-kit/parameters';
import { redactUrl } from 'strata-kit/url';
import { closeApp, createApp, listenApp } from 'strata-testnet/app';
import { type Chain, openChain } from 'strata-testnet/chain';
import { createPause, type Pause } from 'strata-testnet/desk/pause';
import { documentPart } from 'strata-testnet/document';
import { connectIndexer } from 'strata-testnet/indexer';
import type { Instrument } from 'strata-testnet/instrument';
import { DESCRIPTION_FILE, PAGES_FOLDER } from 'strata-testnet/package-files';
import { createPages } from 'strata-testnet/pages';
import { openParts } from 'strata-testnet/parts';
import { createForward } from 'strata-testnet/proxy';
import type { AppSettings } from 'strata-testnet/settings';
import { testnetKeys } from 'strata-testnet/testnet/keys';
import { waitForNode } from '../../pipeline/node-wait.ts';
import { type Admin, withAdmin } from '../admin.ts';
import { asStrataError } from '../chain-failure.ts';
import { parentGone, tellParent } from '../child-process.ts';
import { appListenWarnings } from '../listening.ts';
import { untilAborted } from './serve.ts';

export interface AppOptions {
  readonly rpcUrl: string;
  /** To send to the node. They are secret. */
  readonly nodeFields: HeaderFields;
  readonly caPath: string | undefined;
  readonly nodeWaitMs: number;
  /** Without a slash at its end. */
  readonly indexerUrl: string;
  /** For wallets. */
  readonly evmRpcUrl: string | undefined;
  readonly folder: string;
  /** Undefined: SQLite, in the folder. */
  readonly databaseUrl: string | undefined;
  /** Files of strata keys, absolute. */
  readonly deskKeyPath: string | undefined;
  readonly faucetKeyPath: string | undefined;
  readonly instruments: readonly Instrument[];
  /** The node is a reference chain: its faucet's key is public, and the desk's test assets may be made. */
  readonly isTestnet: boolean;
  /** The desk is paused until SIGUSR2 ends the pause. */
  readonly isDeskPaused: boolean;
  readonly deskRisk: DeskRisk;
  readonly listen: ListenAddress;
  /** How many proxies are before the app and report the client; 0: none is believed. */
  readonly trustedProxies: number;
  /** Names in a Host header besides loopback names and the address above. */
  readonly allowedHosts: readonly string[];
  readonly admin: ListenAddress | undefined;
  readonly chain: ChainParameters;
}

/** strata app: the web pages, the launchpad, the trade desk and the faucet, beside an indexer and a node. */
export async function app(options: AppOptions, context: CommandContext): Promise<void> {
  const settings = settingsOf(options);
  const hasDesk = settings.deskKey !== undefined;
  const pause = createPause(context.log, hasDesk && options.isDeskPaused);
  const onSignal = () => {
    if (hasDesk) pause.toggle();
    else context.log.warn('SIGUSR2 pauses the desk, and this app has none');
  };
  process.on('SIGUSR2', onSignal);
  try {
    await withAdmin(options, { command: 'app', desk: pause }, context, (admin) =>
      serveApp(settings, options, context, { pause, admin }),
    );
  } finally {
    process.off('SIGUSR2', onSignal);
  }
}

async function serveApp(
  settings: AppSettings,
  options: AppOptions,
  context: CommandContext,
  { pause, admin }: { readonly pause: Pause; readonly admin: Admin | undefined },
): Promise<void> {
  const { log, isChild = false } = context;
  const ending = new AbortController();
  const signal = AbortSignal.any([context.signal, ending.signal, ...(isChild ? [parentGone()] : [])]);
  const chain = await chainOf(settings, options, { log, signal });
  const indexer = connectIndexer(settings.indexerUrl);
  const onRefusal = (door: string, reason: string) => admin?.noteRefusal(door, reason);
  const { parts, close } = await openParts({ settings, chain, indexer, log, signal, pause, onRefusal });
  try {
    const server = await createApp([...parts, documentPart(DESCRIPTION_FILE)], {
      log,
      trustedProxies: options.trustedProxies,
      hosts: { listen: options.listen, allowed: options.allowedHosts },
      forward: createForward({ url: indexer.url, log }),
      pages: createPages(PAGES_FOLDER),
    });
    let running: Promise<unknown> = Promise.resolve();
    try {
      const url = await listenApp(server, options.listen);
      const [besideIndexer, andNode] = [settings.indexerUrl, settings.rpcUrl].map(redactUrl);
      for (const warning of appListenWarnings(options)) log.warn(warning);
      log.info(`the app at ${url}, beside the indexer at ${besideIndexer} and the node at ${andNode}`);
      if (isChild) tellParent({ url });
      running = Promise.all(parts.map((part) => part.run?.(signal)));
      await Promise.race([untilAborted(signal), running.then(() => untilAborted(signal))]);
    } finally {
      ending.abort();
      await closeApp(server);
      // what it failed with has been thrown above
      await running.catch(() => undefined);
    }
  } finally {
    await close();
  }
}

function settingsOf(options: AppOptions): AppSettings {
  const { rpcUrl, indexerUrl, evmRpcUrl, folder, databaseUrl, instruments, isTestnet, chain } = options;
  const { deskKeyPath, faucetKeyPath, deskRisk } = options;
  const known = options.isTestnet ? testnetKeys() : undefined;
  return {
    ...{ rpcUrl, indexerUrl, evmRpcUrl, folder, databaseUrl, instruments, isTestnet, chain, deskRisk },
    deskKey: readKey('--desk-key', deskKeyPath) ?? known?.desk,
    faucetKey: readKey('--faucet-key', faucetKeyPath) ?? known?.faucet,
  };
}

/** Errors: config_invalid for a file that cannot be read, that others may read, or that holds no key. */
function readKey(flag: string, path: string | undefined): Key | undefined {
  if (path === undefined) return undefined;
  try {
    return parseKey(readSecretFile(path), path);
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code ?? (cause as Error).message;
    throw new StrataError('config_invalid', `${flag} ${path} cannot be used: ${reason}`, { cause });
  }
}

/** Errors: node_unreachable, node_timeout, node_bad_answer, once the node has been waited for; aborted. */
function chainOf(
  settings: AppSettings,
  { nodeFields, caPath, nodeWaitMs }: AppOptions,
  { log, signal }: Pick<CommandContext, 'log' | 'signal'>,
): Promise<Chain> {
  const { rpcUrl } = settings;
  const access = { headers: nodeFields, caPath };
  const ask = async (): Promise<Chain> => {
    try {
      return await openChain(
        connectNode(rpcUrl, access),
        settings,
        connectNode(rpcUrl, { ...access, signal }),
      );
    } catch (error) {
      if (signal.aborted) throw new StrataError('aborted', 'stopped before the node answered');
      throw error instanceof ClientError ? asStrataError(error) : error;
    }
  };
  return waitForNode(ask, { nodeWaitMs, signal, clock: systemClock, log });
}
