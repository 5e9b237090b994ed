import { formatTimeNs } from 'strata-kit/time';
import { describe, expect, it } from 'vitest';
import type { ExpectedLog } from '../support/blocks/layout.ts';
import { rawBlock, syntheticChain } from '../support/blocks.ts';
import {
  accountsByTx,
  contractsByMessage,
  decodeBlocks,
  hexOf,
  type Tables,
  txViews,
} from '../support/decoded.ts';

/** Shapes that the recorded chain lacks, from blocks made with the encoders of cosmjs and ethers. */

const numbered = <T extends object>(events: readonly T[]) =>
  events.map((event, event_index) => ({ event_index, ...event }));

function logsOf(tables: Tables, msgIndex: number): ExpectedLog[] {
  return (tables.get('evm_logs') ?? [])
    .filter((row) => row.msg_index === msgIndex)
    .map((row) => ({
      index: row.log_index as number,
      address: `0x${(row.address as Buffer).toString('hex')}`,
      topics: [row.topic0, row.topic1, row.topic2, row.topic3]
        .slice(0, row.topic_count as number)
        .map((topic) => `0x${(topic as Buffer).toString('hex')}`),
      data: `0x${(row.data as Buffer).toString('hex')}`,
    }));
}

describe.each(syntheticChain())('$name', (synthetic) => {
  const tables = decodeBlocks([rawBlock(synthetic)], 1);
  const views = txViews(tables);
  const { expected, height } = synthetic;

  it('keeps the block', () => {
    const row = tables.get('blocks')?.[0];
    expect(hexOf(row?.hash)).toBe(expected.hash);
    expect(formatTimeNs(row?.time_ns as bigint)).toBe(expected.time);
    const events = JSON.parse(row?.events as string) as Record<string, unknown>[];
    expect(events.map(({ applied, ...event }) => event)).toEqual(numbered(expected.events));
  });

  it('keeps every tx', () => {
    expect(views).toHaveLength(expected.txs.length);
    const accounts = accountsByTx(tables);
    const contracts = contractsByMessage(tables);
    for (const [txIndex, tx] of expected.txs.entries()) {
      const view = views[txIndex];
      const { hash, code, codespace, rawLog, gasWanted, gasUsed, method } = tx;
      expect(view).toMatchObject({ hash, code, codespace, rawLog, gasWanted, gasUsed, method });
      expect(view?.msgs).toEqual(tx.msgs);
      if (tx.fee !== undefined) expect(view?.fee).toEqual(tx.fee);
      if (tx.evm !== undefined) expect(view?.evm).toEqual(tx.evm.map((evm) => evm?.view ?? null));
      expect(view?.events.map(({ applied, ...event }) => event)).toEqual(numbered(tx.events));
      expect(accounts.get(`${height}/${txIndex}`) ?? []).toEqual([...tx.accounts].sort());
      for (const [msgIndex, evm] of (tx.evm ?? []).entries()) {
        expect(contracts.get(`${height}/${txIndex}/${msgIndex}`) ?? null).toBe(evm?.contract ?? null);
        if (expected.txs.length > 1) continue;
        const logs = evm?.logs.map((log) => ({ ...log, address: log.address.toLowerCase() })) ?? [];
        expect(logsOf(tables, msgIndex).sort((a, b) => a.index - b.index)).toEqual(logs);
      }
    }
  });
});
