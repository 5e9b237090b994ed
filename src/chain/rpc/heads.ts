import { type Clock, systemClock } from 'strata-kit/clock';
import { isStrataError, StrataError } from 'strata-kit/errors';
import type { ChainLog } from '../log.ts';
import type { ChainHead } from '../source.ts';
import { causeOf } from './answer-cause.ts';
import type { Ask } from './ask.ts';
import { type NodeStatus, readSoftwareVersion, readStatus } from './calls.ts';
import { isExcluded, type NodeState, noteSuccess } from './node-state.ts';

/** What the nodes say of themselves, and which of them serve the chain. */
export interface Heads {
  /**
   * Asks one node. Leaves it out when it serves another chain, and for a while when it is no CometBFT node and another
   * node is. Errors: those of the exchange, chain_id_mismatch.
   */
  ask(node: NodeState, signal?: AbortSignal): Promise<ChainHead>;
  /** Makes sure that the node serves the chain before anything else is asked of it. Errors: as ask. */
  verify(node: NodeState, signal?: AbortSignal): Promise<void>;
  /** From now on this is the chain: nodes of it come back, others are left out. False, and nothing changes, without any. */
  expect(chainId: string): boolean;
}

export interface HeadsOptions {
  readonly nodes: readonly NodeState[];
  readonly request: Ask;
  /** Undefined takes the chain of most nodes that answer, of the first in the given order where that leaves several. */
  readonly chainId: string | undefined;
  readonly log: ChainLog;
  readonly clock?: Clock;
}

/** How long nodes are waited for once one has answered, before their chain is settled. */
const SETTLE_MS = 2_000;
/** Something else than a node may answer in its place for a moment. */
const FOREIGN_ANSWERS = 2;
const FOREIGN_MS = 60_000;

export function createHeads({ nodes, request, chainId, log, clock = systemClock }: HeadsOptions): Heads {
  let expected = chainId;
  let settling: Promise<void> | undefined;
  const verifying = new Map<NodeState, Promise<ChainHead>>();

  async function status(node: NodeState, signal?: AbortSignal): Promise<NodeStatus> {
    const facts = { node: node.name };
    const startedMs = clock.nowMs();
    let said: NodeStatus;
    try {
      said = readStatus(await request(node, 'status', {}, signal), facts);
    } catch (error) {
      throw isForeign(error) ? noteForeign(node, error) : error;
    }
    noteSuccess(node, clock.nowMs() - startedMs, clock.nowMs());
    node.foreignAnswers = 0;
    node.chainId = said.chainId;
    node.latestHeight = said.latestHeight;
    node.earliestHeight = said.earliestHeight;
    return said;
  }

  /** A node that has answered as one before is down, or its gateway shows a page: it is asked again. */
  function noteForeign(node: NodeState, error: StrataError): StrataError {
    if (node.chainId !== undefined) return error;
    node.foreignAnswers++;
    const isAlone = nodes.every((other) => other.chainId === undefined);
    if (node.foreignAnswers >= FOREIGN_ANSWERS && !isAlone) {
      const reason = `it does not answer as a CometBFT node: ${error.message}`;
      if (node.excluded === undefined) {
        log.warn(
          { node: node.name, reason: error.message },
          'a node is left out: it does not answer as a CometBFT node',
        );
      }
      node.excluded = { reason, untilMs: clock.nowMs() + FOREIGN_MS };
    }
    const { code, message, retryable } = error;
    return new StrataError(code, message, { node: node.name, retryable, cause: { isForeign: true } });
  }

  async function softwareVersion(node: NodeState, signal?: AbortSignal): Promise<string> {
    const facts = { node: node.name };
    try {
      return readSoftwareVersion(await request(node, 'abci_info', {}, signal), facts);
    } catch (error) {
      if (!(error instanceof StrataError) || error.code === 'aborted') throw error;
      // a node that is away has been reported by whoever asked for its status
      if (!isAway(error))
        log.info({ node: node.name, reason: error.message }, 'a node does not tell its version');
      return '';
    }
  }

  /** Without a configured chain id the nodes decide: all are heard, or those that answer within SETTLE_MS of the first. */
  async function settleChainId(signal?: AbortSignal): Promise<void> {
    const asked = nodes.map((node) => status(node, signal));
    const grace = new AbortController();
    const isHeard = await Promise.any(asked).then(
      () => true,
      // the next request fails with the reason
      () => false,
    );
    if (isHeard) await Promise.race([Promise.allSettled(asked), clock.sleep(SETTLE_MS, grace.signal)]);
    grace.abort();
    expected ??= chainOfMost(nodes.flatMap(({ chainId: served }) => served ?? []));
  }

  function leaveOut(node: NodeState, wanted: string): string {
    const reason = `it serves chain ${node.chainId}, not ${wanted}`;
    if (node.excluded?.reason !== reason) {
      log.warn(
        { node: node.name, chainId: node.chainId, expected: wanted },
        'a node serves another chain and is left out',
      );
    }
    node.excluded = { reason, untilMs: Number.POSITIVE_INFINITY };
    return reason;
  }

  function exclude(node: NodeState): void {
    if (expected === undefined || node.chainId === undefined || node.chainId === expected) return;
    const reason = leaveOut(node, expected);
    throw new StrataError('chain_id_mismatch', `${node.name}: ${reason}`, { node: node.name });
  }

  async function ask(node: NodeState, signal?: AbortSignal): Promise<ChainHead> {
    if (expected === undefined) {
      settling ??= settleChainId(signal).finally(() => {
        settling = undefined;
      });
      await settling;
    }
    const [told, version] = await Promise.all([status(node, signal), softwareVersion(node, signal)]);
    expected ??= told.chainId;
    exclude(node);
    // it may have been left out as no node
    if (!isExcluded(node, clock.nowMs())) node.excluded = undefined;
    const { chainId: id, earliestHeight, latestHeight, appVersion } = told;
    return { chainId: id, earliestHeight, latestHeight, appVersion, softwareVersion: version };
  }

  return {
    ask,
    expect: (wanted) => {
      if (!nodes.some((node) => node.chainId === wanted)) return false;
      expected = wanted;
      for (const node of nodes) {
        if (node.chainId === wanted) node.excluded = undefined;
        else if (node.chainId !== undefined) leaveOut(node, wanted);
      }
      return true;
    },
    verify: async (node, signal) => {
      if (node.chainId !== undefined && expected !== undefined) return exclude(node);
      let asked = verifying.get(node);
      if (asked === undefined) {
        // shared by every caller, so it does not end with the signal of one
        asked = ask(node).finally(() => verifying.delete(node));
        verifying.set(node, asked);
      }
      await asked;
      if (signal?.aborted === true) throw new StrataError('aborted', 'the request was stopped');
    },
  };
}

function chainOfMost(served: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const id of served) counts.set(id, (counts.get(id) ?? 0) + 1);
  // stable: the first of equals stays first
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** An answer of something that is no CometBFT node, or a node that refuses to be asked for its status. */
function isForeign(error: unknown): error is StrataError {
  if (!isStrataError(error)) return false;
  const { isForeign: isOther, refusal } = causeOf(error);
  const isRefused = (error.code === 'node_rpc_error' || error.code === 'node_bad_answer') && !error.retryable;
  return isOther === true || refusal?.kind === 'certain' || isRefused;
}

function isAway({ code }: StrataError): boolean {
  return code === 'node_unreachable' || code === 'node_timeout';
}
