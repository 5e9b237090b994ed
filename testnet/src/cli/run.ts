import type { CommandContext } from 'strata-kit/cli/context';
import { parentGone, tellParent, untilAborted } from 'strata-kit/cli/process';
import { asStrataError, ClientError } from 'strata-kit/client/errors';
import { parseKey, readSecretFile } from 'strata-kit/client/keyring';
import type { Key } from 'strata-kit/client/keys';
import { connectNode } from 'strata-kit/client/node';
import { systemClock } from 'strata-kit/clock';
import type { DeskRisk } from 'strata-kit/desk-risk';
import { StrataError } from 'strata-kit/errors';
import type { ListenAddress } from 'strata-kit/listen-address';
import type { HeaderFields } from 'strata-kit/node-access';
import { waitForNode } from 'strata-kit/node-wait';
import type { ChainParameters } from 'strata-kit/parameters';
import { redactUrl } from 'strata-kit/url';
import { closeApp, createApp, listenApp } from '../app.ts';
import { type Chain, openChain } from '../chain.ts';
import { createPause, type Pause } from '../desk/pause.ts';
import { documentPart } from '../document.ts';
import { connectIndexer } from '../indexer.ts';
import type { Instrument } from '../instrument.ts';
import { DESCRIPTION_FILE, PAGES_FOLDER } from '../package-files.ts';
import { createPages } from '../pages.ts';
import { openParts } from '../parts.ts';
import { createForward } from '../proxy.ts';
import type { AppSettings } from '../settings.ts';
import { testnetKeys } from '../testnet/keys.ts';
import { appListenWarnings } from './listen-warnings.ts';

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

/** The operators' listener of a process, `--admin`. */
export interface Admin {
  /** By how a trade came, and why the desk refused it. */
  noteRefusal(door: string, reason: string): void;
}

/** What the command line gives the app. */
export interface AppServices {
  /** Serves health and metrics while `use` runs; `use` gets undefined without `--admin`. */
  withAdmin(
    options: Pick<AppOptions, 'admin'>,
    parts: { readonly command: 'app'; readonly desk: Pause },
    context: CommandContext,
    use: (admin: Admin | undefined) => Promise<void>,
  ): Promise<void>;
}

/** strata app: the web pages, the launchpad, the trade desk and the faucet, beside an indexer and a node. */
export async function app(
  options: AppOptions,
  context: CommandContext,
  { withAdmin }: AppServices,
): Promise<void> {
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
