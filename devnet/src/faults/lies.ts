import type { AbciEvent } from 'strata-kit/abci-event';
import type { Block, Chain } from '../comet/types.ts';
import type { FaultTools } from './faults.ts';
import { withFaults } from './faults.ts';
import type { Fault } from './names.ts';

/** A value of an event that its readers are told wrong: what an indexer's drift must be. */
export interface Lie {
  readonly height: number;
  /** −1 for a block-level event. */
  readonly txIndex: number;
  /** Within its tx, or within the block-level list. */
  readonly eventIndex: number;
  /** Full proto name. */
  readonly type: string;
  readonly field: string;
  /** Both without quotes. */
  readonly right: string;
  readonly told: string;
}

/** Where a block is told with other values than it has, in the order of its results. */
export function liesIn(block: Block, told: Block): Lie[] {
  const { height } = block.header;
  const ofEvents = (txIndex: number, right: readonly AbciEvent[], wrong: readonly AbciEvent[]): Lie[] =>
    right.flatMap(({ type, attributes }, eventIndex) =>
      attributes.flatMap(([field, value], at) => {
        const other = wrong[eventIndex]?.attributes[at]?.[1] ?? '';
        if (other === value) return [];
        return [{ height, txIndex, eventIndex, type, field, right: bare(value), told: bare(other) }];
      }),
    );
  return [
    ...block.results.flatMap(({ events }, i) => ofEvents(i, events, told.results[i]?.events ?? [])),
    ...ofEvents(-1, block.events, told.events),
  ];
}

function bare(value: string): string {
  return value.replace(/^"(.*)"$/, '$1');
}

/** Tells each lie as its block is made. */
export function onLies(
  chain: Chain,
  faults: readonly Fault[],
  tools: FaultTools,
  listener: (lie: Lie) => void,
): void {
  const values = faults.filter(({ name }) => name === 'event-value');
  if (values.length === 0) return;
  const told = withFaults(chain, values, tools);
  chain.onBlock((block) => {
    const wrong = told.block(block.header.height);
    if (wrong !== undefined) for (const lie of liesIn(block, wrong)) listener(lie);
  });
}
