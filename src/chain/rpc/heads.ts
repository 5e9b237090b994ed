import { type Clock, systemClock } from '../../core/clock.ts';
import { StrataError } from '../../core/errors.ts';
import type { ChainLog } from '../log.ts';
import type { ChainHead } from '../source.ts';
import type { Ask } from './ask.ts';
import { type NodeStatus, readSoftwareVersion, readStatus } from './calls.ts';
import { type NodeState, noteSuccess } from './node-state.ts';

/** What the nodes say of themselves, and which of them serve the chain. */
export interface Heads {
  /** Asks one node; excludes it when it serves another chain. Errors: those of the exchange, chain_id_mismatch. */
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

export function createHeads({ nodes, request, chainId, log, clock = systemClock }: HeadsOptions): Heads {
  let expected = chainId;
  let settling: Promise<void> | undefined;
  const verifying = new Map<NodeState, Promise<ChainHead>>();

  async function status(node: NodeState, signal?: AbortSignal): Promise<NodeStatus> {
    const facts = { node: node.name };
    const startedMs = clock.nowMs();
    const told = readStatus(await request(node, 'status', {}, signal), facts);
    noteSuccess(node, clock.nowMs() - startedMs, clock.nowMs());
    node.chainId = told.chainId;
    node.latestHeight = told.latestHeight;
    node.earliestHeight = told.earliestHeight;
    return told;
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

  /** Without a configured chain id the nodes decide, so all are heard before any is used. */
  async function settleChainId(signal?: AbortSignal): Promise<void> {
    await Promise.allSettled(nodes.map((node) => status(node, signal)));
    expected ??= chainOfMost(nodes.flatMap(({ chainId: told }) => told ?? []));
  }

  function leaveOut(node: NodeState, wanted: string): void {
    node.excluded = `it serves chain ${node.chainId}, not ${wanted}`;
    log.warn(
      { node: node.name, chainId: node.chainId, expected: wanted },
      'a node serves another chain and is left out',
    );
  }

  function exclude(node: NodeState): void {
    if (expected === undefined || node.chainId === undefined || node.chainId === expected) return;
    leaveOut(node, expected);
    throw new StrataError('chain_id_mismatch', `${node.name}: ${node.excluded}`, { node: node.name });
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
    const { chainId: id, earliestHeight, latestHeight, appVersion } = told;
    return { chainId: id, earliestHeight, latestHeight, appVersion, softwareVersion: version };
  }

  return {
    ask,
    expect: (wanted) => {
      if (!nodes.some((node) => node.chainId === wanted)) return false;
      expected = wanted;
      for (const node of nodes) {
        node.excluded = undefined;
        if (node.chainId !== undefined && node.chainId !== wanted) leaveOut(node, wanted);
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

function chainOfMost(told: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const id of told) counts.set(id, (counts.get(id) ?? 0) + 1);
  // stable: the first of equals stays first
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

function isAway({ code }: StrataError): boolean {
  return code === 'node_unreachable' || code === 'node_timeout';
}
