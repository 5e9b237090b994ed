import { isStrataError } from 'strata-kit/errors';
import { type NodeAccess, PLAIN_ACCESS } from 'strata-kit/node-access';
import { redactUrl } from 'strata-kit/url';
import { splitRange } from '../../chain/envelope.ts';
import { askChainFacts, type ChainFacts } from '../../chain/facts.ts';
import { hasResults, lowestWithResults } from '../../chain/kept-results.ts';
import { silentLog } from '../../chain/log.ts';
import { createRpcSource, type RpcSource } from '../../chain/rpc/source.ts';
import type { ChainHead, RpcCaller } from '../../chain/source.ts';
import { findCommonHeight } from '../../pipeline/common-height.ts';
import type { Store } from '../../store/store.ts';
import { REMEDIES } from '../failure.ts';
import { about, type Finding } from './finding.ts';
import { checkIdentity, type Settings } from './identity.ts';

/** The nodes: reachable, of one chain, with the heights that are wanted, their results and their descriptors. */

const TIMEOUT_MS = 10_000;
/** One bad answer is no reason to call a node bad. */
const ATTEMPTS = 3;
/** As many as a batch of indexing has. */
const BLOCKS = 5;
/** Block times are the validators' median, a block behind; this much ahead of us is our clock or theirs. */
const MAX_AHEAD_MS = 10_000;
const MAX_BEHIND_MS = 60_000;

export interface NodeFindings {
  readonly findings: readonly Finding[];
  /** Undefined for a node that does not answer. */
  readonly chainId: string | undefined;
  readonly earliestHeight: number | undefined;
}

/** Errors: config_invalid for a CA file that cannot be read, else none but bugs; what is wrong is a finding. */
export async function checkNode(
  url: string,
  settings: Settings,
  nowMs: number,
  signal: AbortSignal,
  access: NodeAccess = PLAIN_ACCESS,
): Promise<NodeFindings> {
  const name = redactUrl(url);
  const report = about('node', name);
  const source = createRpcSource({ urls: [url], access, timeoutMs: TIMEOUT_MS, attemptsPerNode: ATTEMPTS });
  try {
    const head = await source.head(signal);
    const { chainId, earliestHeight, latestHeight, softwareVersion = '' } = head;
    const version = softwareVersion === '' ? '' : `, version ${softwareVersion}`;
    const told = await askChainFacts(source, silentLog, signal);
    const findings = [
      report('ok', `answers: chain ${chainId}, heights ${earliestHeight} to ${latestHeight}${version}`),
      checkHistory(name, earliestHeight),
      checkClock(name, await blockTimeMs(source, signal), nowMs),
      ...(await checkBlocks(source, url, head, signal)),
      checkDescriptors(name, told),
      ...(await checkIdentity(name, settings, told, head, source, signal)),
    ];
    return { findings, chainId, earliestHeight };
  } catch (error) {
    if (!isStrataError(error) || signal.aborted) throw error;
    const finding = report('problem', `${error.code}: ${error.message}`, REMEDIES[error.code]);
    return { findings: [finding], chainId: undefined, earliestHeight: undefined };
  } finally {
    await source.close();
  }
}

/** Whether a node has the block that the store has newest, else up to where both have the same. Errors: of the store. */
export async function checkBranch(
  url: string,
  store: Store,
  signal: AbortSignal,
  access: NodeAccess = PLAIN_ACCESS,
): Promise<Finding[]> {
  const report = about('branch', redactUrl(url));
  const source = createRpcSource({ urls: [url], access, timeoutMs: TIMEOUT_MS, attemptsPerNode: ATTEMPTS });
  try {
    const found = await findCommonHeight(store, source, signal);
    if (found === undefined) return [];
    const { comparedHeight, indexedHeight, commonHeight } = found;
    if (commonHeight === undefined) {
      return [
        report(
          'problem',
          'has no block of the store',
          'give the nodes of this chain to --rpc, or another --data',
        ),
      ];
    }
    if (commonHeight < comparedHeight) {
      const text = `its block ${comparedHeight} is not the one in the store; both have the same up to height ${commonHeight}`;
      const remedy = `if the node is right: strata rewind --to ${commonHeight}; if not: take it out of --rpc`;
      return [report('problem', text, remedy)];
    }
    if (comparedHeight < indexedHeight) {
      const text = `its head is at height ${comparedHeight}, below the store's ${indexedHeight}, and on the same chain`;
      return [
        report('warning', text, 'wait until it has caught up; it may have been rolled back or restored'),
      ];
    }
    return [report('ok', `has the store's newest block, ${comparedHeight}`)];
  } catch (error) {
    if (!isStrataError(error) || signal.aborted) throw error;
    return [report('warning', `its blocks cannot be compared with the store's: ${error.message}`)];
  } finally {
    await source.close();
  }
}

/** All of one chain, and of the one that is wanted; `others` are that of the store and of --chain-id. */
export function checkChainIds(
  nodes: readonly (readonly [node: string, chainId: string])[],
  others: readonly (readonly [what: string, chainId: string])[],
): Finding[] {
  const told = [...nodes, ...others];
  const ids = new Set(told.map(([, chainId]) => chainId));
  if (told.length < 2) return [];
  const report = about('chain', 'chain id');
  if (ids.size === 1) return [report('ok', `${[...ids].join()} everywhere`)];
  const list = told.map(([what, chainId]) => `${what}: ${chainId}`).join(', ');
  return [report('problem', `not one chain: ${list}`, 'put right --rpc, --chain-id or --data')];
}

/** Whether some node still has the height that is indexed next. */
export function checkNextHeight(nextHeight: number, earliest: readonly number[]): Finding[] {
  if (earliest.length === 0) return [];
  const lowest = Math.min(...earliest);
  const report = about('chain', 'next height');
  return nextHeight >= lowest
    ? [report('ok', `${nextHeight} is there to be indexed`)]
    : [
        report(
          'problem',
          `${nextHeight} is pruned: the lowest height of any node is ${lowest}`,
          'add an archive node to --rpc, or index into a new store with --from',
        ),
      ];
}

function checkHistory(name: string, earliestHeight: number): Finding {
  const report = about('history', name);
  return earliestHeight <= 1
    ? report('ok', 'from height 1')
    : report(
        'warning',
        `from height ${earliestHeight} only`,
        `for the whole chain add an archive node; for the rest index --from ${earliestHeight}`,
      );
}

export function checkClock(name: string, blockMs: number | undefined, nowMs: number): Finding {
  const report = about('clock', name);
  if (blockMs === undefined || Number.isNaN(blockMs))
    return report('warning', 'the node tells no block time');
  const seconds = Math.round((nowMs - blockMs) / 1_000);
  if (nowMs - blockMs < -MAX_AHEAD_MS) {
    return report(
      'problem',
      `the newest block is ${-seconds} s ahead of this machine's clock`,
      'set the clock (NTP): lag and log times are wrong',
    );
  }
  if (nowMs - blockMs > MAX_BEHIND_MS) {
    return report(
      'warning',
      `the newest block is ${seconds} s old`,
      "the chain stands still, the node is behind, or this machine's clock is ahead",
    );
  }
  return report('ok', `the newest block is ${Math.max(0, seconds)} s old`);
}

async function blockTimeMs(source: RpcCaller, signal: AbortSignal): Promise<number | undefined> {
  const status = JSON.parse(await source.call('status', {}, signal)) as {
    readonly sync_info?: { readonly latest_block_time?: unknown };
  };
  const time = status.sync_info?.latest_block_time;
  return typeof time === 'string' ? Date.parse(time) : undefined;
}

/** The newest blocks, asked for as indexing asks for them, so that the dialect is learned in the same way. */
async function checkBlocks(
  source: RpcSource,
  url: string,
  { earliestHeight, latestHeight }: ChainHead,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const name = redactUrl(url);
  const report = about('requests', name);
  // results of the newest one may be a moment away
  const toHeight = Math.max(1, latestHeight - 1);
  const fromHeight = Math.max(1, earliestHeight, toHeight - BLOCKS + 1);
  const results = await checkResults(source, name, earliestHeight, toHeight, signal);
  if (results.level === 'problem') return [results];
  try {
    splitRange(await source.fetch(Math.min(fromHeight, toHeight), toHeight, signal));
  } catch (error) {
    if (!isStrataError(error) || signal.aborted) throw error;
    const text = `blocks ${fromHeight} to ${toHeight} cannot be read: ${error.message}`;
    return [results, report('problem', text, REMEDIES[error.code])];
  }
  const dialect = source.dialectOf(url);
  const remedy = `a node that takes ${source.wantedDialect} is indexed faster`;
  return [
    results,
    dialect === source.wantedDialect
      ? report('ok', `it takes ${dialect}`)
      : report('warning', `it takes ${dialect}`, remedy),
  ];
}

/** A node may keep blocks and throw their results away: all (storage.discard_abci_responses), or the old ones. */
async function checkResults(
  source: RpcCaller,
  name: string,
  earliestHeight: number,
  height: number,
  signal: AbortSignal,
): Promise<Finding> {
  const report = about('results', name);
  try {
    await source.call('block_results', { height: String(height) }, signal);
    if (await hasResults(source, earliestHeight, signal)) return report('ok', 'block_results are kept');
    const lowest = await lowestWithResults(source, earliestHeight, height, signal);
    return report(
      'warning',
      `block_results from height ${lowest} only, blocks from ${earliestHeight}`,
      `add a node that has the older ones; for the rest index --from ${lowest}`,
    );
  } catch (error) {
    if (!isStrataError(error) || signal.aborted) throw error;
    return report(
      'problem',
      `no block_results at height ${height}: ${error.message}`,
      'use a node with discard_abci_responses = false',
    );
  }
}

function checkDescriptors(name: string, { descriptorSet }: ChainFacts): Finding {
  const report = about('reflection', name);
  if (descriptorSet === undefined) {
    return report(
      'warning',
      'the chain does not serve its descriptors',
      'give them as files (--descriptors), or messages are kept in base64 unless another node or the store has them',
    );
  }
  return report('ok', `descriptors of ${Math.round(descriptorSet.length / 1_000)} kB`);
}
