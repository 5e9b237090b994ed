import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLoopbackHost } from 'strata-kit/allowed-hosts';
import { checked } from 'strata-kit/cli/checked';
import type { CommandContext } from 'strata-kit/cli/context';
import { parentGone, tellParent, untilAborted } from 'strata-kit/cli/process';
import type { Given } from 'strata-kit/cli/setting';
import { StrataError } from 'strata-kit/errors';
import { withFolderLock } from 'strata-kit/folder-lock';
import { isHangUp } from 'strata-kit/http/serving';
import { chainSection, indexerFile } from '../../chain-section.ts';
import {
  type BlockClock,
  historyClock,
  parseClockScript,
  simulatedClock,
  systemNow,
} from '../../comet/clock.ts';
import { openDevnet, SIX_DECIMALS } from '../../devnet.ts';
import { type Fault, parseFaults } from '../../faults/names.ts';
import { HomeError } from '../../home-error.ts';
import { genesisContracts } from '../../modules/evm/genesis.ts';
import { runDevnet } from '../../run.ts';
import { plansFrom } from '../../workload/devnet-workload.ts';
import type { DEVNET } from '../settings.ts';

export interface DevnetOptions extends Omit<Given<typeof DEVNET>, 'home'> {
  /** Absolute. */
  readonly home: string;
}

/** In its home: what `strata start --config` takes. */
const INDEXER_FILE = 'indexer.yaml';

/** strata devnet: a chain of its own, with CometBFT's JSON-RPC, Ethereum's and a workload. */
export async function devnet(options: DevnetOptions, context: CommandContext): Promise<void> {
  const faults = checked('--fault', () => parseFaults(options.fault));
  const clock = clockOf(options);
  const { home } = options;
  const refusals = {
    held: (who: string) => new StrataError('devnet_home', `${home} is in use by ${who}`),
    unusable: (reason: string, cause: unknown) =>
      new StrataError('devnet_home', `${home} cannot be used: ${reason}`, { cause }),
  };
  await withFolderLock(home, refusals, () => run(options, { faults, clock }, context));
}

interface Parsed {
  readonly faults: readonly Fault[];
  readonly clock: 'wall' | BlockClock;
}

async function run(
  options: DevnetOptions,
  { faults, clock }: Parsed,
  context: CommandContext,
): Promise<void> {
  const { log, isChild = false } = context;
  const signal = isChild ? AbortSignal.any([context.signal, parentGone()]) : context.signal;
  const { home, seed, blockTime, keep, rpcListen, evmListen, allowedHosts } = options;
  const chain = await openDevnet({
    home,
    seed,
    clock,
    blockTimeMs: blockTime,
    keep,
    ...(options.gasDecimals === '6' ? { parameters: SIX_DECIMALS } : {}),
    ...(options.workload === 'none' ? {} : { plans: plansFrom(seed) }),
    onUnforeseen: (error) => log.error({ err: error }, 'a tx failed by a defect of the chain: report it'),
    onDrop: ({ hash, log: reason }) => log.debug({ hash, reason }, 'a tx was dropped from the mempool'),
  }).catch((cause: unknown) => {
    if (!(cause instanceof HomeError)) throw cause;
    throw new StrataError('devnet_home', `${home}: ${cause.message}`, { cause });
  });
  const running = await runDevnet({
    devnet: chain,
    rpcListen,
    evmListen,
    allowedHosts,
    faults,
    workloadSeed: options.workload === 'none' ? undefined : String(seed),
    onLie: (lie) =>
      log.warn({ lie }, `told wrong: ${lie.told} instead of ${lie.right} as ${lie.field} of ${lie.type}`),
    onError: (error) => {
      if (isHangUp(error)) log.debug({ err: error }, 'a client hung up');
      else log.warn({ err: error }, 'the devnet noticed');
    },
  }).catch(async (error: unknown) => {
    await chain.stop();
    throw error;
  });
  try {
    const { chainId } = chain.parameters;
    const height = chain.chain.latestHeight();
    log.info(
      `${height === 0 ? 'a new chain' : `going on from height ${height}`}: ${chainId} in ${home}, seed ${seed}`,
    );
    const section = chainSection(chain.parameters);
    const indexerPath = join(home, INDEXER_FILE);
    writeFileSync(indexerPath, indexerFile(running.rpcUrl, section));
    if (isChild) tellParent({ rpcUrl: running.rpcUrl, evmUrl: running.evmUrl, section });
    for (const [flag, { host }] of [
      ['--rpc-listen', rpcListen],
      ['--evm-listen', evmListen],
    ] as const) {
      if (!isLoopbackHost(host))
        log.warn(
          `${flag} ${host} is open to other machines: its answers cost CPU time and go out unencrypted; put a proxy before it, or listen on 127.0.0.1`,
        );
    }
    log.info(`CometBFT's JSON-RPC at ${running.rpcUrl}, Ethereum's at ${running.evmUrl}`);
    const { factory, router, stable, wrappedNative, lendingMarket } = genesisContracts(chain.parameters);
    log.info(
      `contracts: factory ${factory}, router ${router}, stable ${stable}, wrapped native ${wrappedNative}, lending market ${lendingMarket}`,
    );
    log.info(`to index it: strata start --config ${indexerPath}`);
    if (options.fault.length > 0)
      log.warn({ faults: options.fault }, `telling its readers wrong: --fault ${options.fault.join(',')}`);
    await Promise.race([untilAborted(signal), running.ended]);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    if (cause instanceof HomeError) throw new StrataError('devnet_home', `${home}: ${reason}`, { cause });
    throw new StrataError('devnet_halted', `no block ${chain.chain.latestHeight() + 1}: ${reason}`, {
      cause,
    });
  } finally {
    await running.close();
  }
}

const DAY_NS = 86_400_000_000_000n;
const HISTORY_STEP_NS = 1_800_000_000_000n;

function clockOf({ clock, clockScript, history }: DevnetOptions): 'wall' | BlockClock {
  if (history > 0) {
    if (clock === 'wall') return historyClock(systemNow, BigInt(history) * DAY_NS, HISTORY_STEP_NS);
    throw new StrataError('config_invalid', '--history needs --clock wall: a simulated clock has a script');
  }
  if (clockScript === undefined) return clock === 'wall' ? 'wall' : simulatedClock();
  if (clock === 'wall')
    throw new StrataError(
      'config_invalid',
      '--clock-script needs --clock simulated: nobody sets the wall clock',
    );
  return checked('--clock-script', () => simulatedClock(parseClockScript(readFileSync(clockScript, 'utf8'))));
}
