import type { AbciEvent } from 'strata-kit/abci-event';
import { bytesToHex } from 'strata-kit/bytes';
import { sha256 } from 'strata-kit/hash';
import { formatTimeNs } from 'strata-kit/time';
import type { IndexedDevnet } from '../../support/devnet-index.ts';

/** A typed event as the chain itself holds it. */
export interface ChainEvent {
  readonly height: number;
  readonly blockTime: string;
  /** Upper-case hex; null for a block-level event. */
  readonly txHash: string | null;
  /** Without the namespace: `settlement.v1.EventProposed`. */
  readonly type: string;
  /** Those of the proto that are texts, as texts. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A module's events that happened, in the order of modules.md rule 0, from the chain's own blocks. */
export function chainEvents({ devnet, height: last }: IndexedDevnet, module: string): ChainEvent[] {
  const prefix = `aeva.${module}.v1.`;
  const found: ChainEvent[] = [];
  for (let height = 1; height <= last; height++) {
    const block = devnet.chain.block(height);
    if (block === undefined) throw new Error(`the chain has no block ${height}`);
    const blockTime = formatTimeNs(block.header.timeNs);
    const take = (events: readonly AbciEvent[], txHash: string | null): void => {
      for (const { type, attributes } of events) {
        if (!type.startsWith(prefix)) continue;
        const fields = Object.fromEntries(attributes.map(([key, value]) => [key, parsed(value)]));
        found.push({ height, blockTime, txHash, type: type.slice('aeva.'.length), fields });
      }
    };
    const isOfEnd = ({ attributes }: AbciEvent) =>
      attributes.some(([key, value]) => key === 'mode' && value === 'EndBlock');
    take(
      block.events.filter((event) => !isOfEnd(event)),
      null,
    );
    for (const [i, { code, events }] of block.results.entries()) {
      const tx = block.txs[i];
      if (code === 0 && tx !== undefined) take(events, bytesToHex(sha256(tx)).toUpperCase());
    }
    take(block.events.filter(isOfEnd), null);
  }
  return found;
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}
