import type { Registry } from 'prom-client';
import type { BadBlocksShown } from './bad-blocks.ts';
import { addGauge } from './gauge.ts';
import { type HeadBackShown, lagBlocks, type Position } from './position.ts';

/** What /readyz answers. */
export interface Readiness {
  readonly ready: boolean;
  /** Why not, a sentence each; empty when ready. */
  readonly reasons: readonly string[];
  /** Why nothing is committed, also where that is the chain's matter; null while all goes on. */
  readonly stall: string | null;
  /** Of a process that has a store. */
  readonly indexed_height?: number;
  readonly chain_height?: number;
  readonly lag_blocks?: number;
  /** Blocks that are kept although no node gave results that can be used. Of a process that has a store. */
  readonly bad_blocks?: BadBlocksShown;
  /** The nodes report a lower head than before; null while they do not. Of a process that indexes. */
  readonly head_back?: HeadBackShown | null;
  /** Whether modules derive: `on`, `forced`, `off`, or `undecided` before the first block. Of a process that has a store. */
  readonly modules?: string;
}

/** What is shown beside the reasons. */
export interface ReadinessFacts {
  readonly modules?: string;
  readonly badBlocks?: BadBlocksShown;
  readonly headBack?: HeadBackShown | null;
}

/** So many heights are shown. */
const MAX_SHOWN = 20;

/** A reason not to be ready, in a sentence; undefined while there is none. */
export type Concern = () => string | undefined;

/** How near to the chain a store is to be. */
export interface ReadyGoal {
  readonly position: Position;
  readonly readyLagBlocks: number;
}

/**
 * Ready is a process whose store has a chain, at most `readyLagBlocks` behind it, and about which no concern speaks.
 * Undefined is the goal of one without a store.
 */
export function assessReadiness(
  goal: ReadyGoal | undefined,
  concerns: readonly Concern[],
  stall: string | undefined,
  { modules, badBlocks, headBack }: ReadinessFacts = {},
): Readiness {
  const told = concerns.flatMap((concern) => concern() ?? []);
  const reasons = [...(goal === undefined ? [] : lagReasons(goal)), ...told];
  return {
    ready: reasons.length === 0,
    reasons,
    stall: stall ?? null,
    ...(goal === undefined
      ? {}
      : {
          indexed_height: goal.position.indexedHeight,
          chain_height: goal.position.chainHeight,
          lag_blocks: lagBlocks(goal.position),
          ...(badBlocks === undefined
            ? {}
            : { bad_blocks: { count: badBlocks.count, heights: badBlocks.heights.slice(0, MAX_SHOWN) } }),
          ...(headBack === undefined ? {} : { head_back: headBack }),
          ...(modules === undefined ? {} : { modules }),
        }),
  };
}

function lagReasons({ position, readyLagBlocks }: ReadyGoal): string[] {
  if (position.indexedHeight === 0) return ['nothing is indexed yet'];
  const lag = lagBlocks(position);
  if (lag <= readyLagBlocks) return [];
  return [`${lag} blocks behind the chain, more than ${readyLagBlocks} (--ready-lag)`];
}

export function addReadinessMetrics(registry: Registry, assess: () => Readiness): void {
  const gauge = (name: string, help: string, value: (readiness: Readiness) => boolean): void =>
    addGauge(registry, name, help, () => (value(assess()) ? 1 : 0));
  gauge('strata_ready', '1 while /readyz says ready, else 0', ({ ready }) => ready);
  gauge(
    'strata_stalled',
    '1 while nothing is committed for longer than it should take, also when the chain makes no block',
    ({ stall }) => stall !== null,
  );
}
