import { formatTimeNs } from 'strata-kit/time';
import { describe, expect, it } from 'vitest';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { splitRange } from '../../src/chain/envelope.ts';
import { participants } from '../reference/accounts.ts';
import { referenceBlocks, referenceTxs } from '../reference/txs.ts';
import { accountsByTx, contractsByMessage, decodeBlocks, hexOf, txViews } from '../support/decoded.ts';
import { expectations, oracleTxs, recordedBlocks } from '../support/oracle.ts';
import { recordedCapture } from '../support/recorded-capture.ts';

/** Every tx, event and block of the recorded chain against the node's own answers about it. */

const source = createCaptureSource(await recordedCapture());
const blocks = splitRange(await source.fetch(1, 501));
const tables = decodeBlocks(blocks, 50);
const views = txViews(tables);
const reference = referenceTxs();

describe('the recorded chain', () => {
  it('has every tx, in order', () => {
    expect(views.map((tx) => `${tx.height}/${tx.txIndex} ${tx.hash}`)).toEqual(
      reference.map((tx) => `${tx.height}/${tx.txIndex} ${tx.hash}`),
    );
  });

  it('renders every message as the node does', () => {
    for (const [i, tx] of reference.entries()) expect(views[i]?.msgs, tx.hash).toEqual(tx.msgs);
  });

  it('agrees on outcome, gas and fee', () => {
    for (const [i, tx] of reference.entries()) {
      const { code, codespace, gasWanted, gasUsed, fee, method, blockTime } = tx;
      expect(views[i], tx.hash).toMatchObject({
        code,
        codespace,
        gasWanted,
        gasUsed,
        fee,
        method,
        blockTime,
      });
      expect(views[i]?.rawLog, tx.hash).toBe(code === 0 ? '' : tx.rawLog);
    }
  });

  it('agrees on every event and attribute', () => {
    for (const [i, tx] of reference.entries()) {
      const events = views[i]?.events.map(({ applied, ...event }) => event);
      expect(events, `${tx.height}/${tx.txIndex}`).toEqual(tx.events);
    }
  });

  it('shows every Ethereum tx as its receipt does', () => {
    for (const [i, tx] of reference.entries()) expect(views[i]?.evm[0] ?? null, tx.hash).toEqual(tx.evm);
  });

  it('mentions every account that a block-level event names', () => {
    const mentioned = new Set(
      (tables.get('account_mentions') ?? []).map((row) => `${row.height} ${row.account}`),
    );
    // the first tx is at height 32: of these heights no tx mentions anybody
    const named = recordedBlocks()
      .slice(0, 31)
      .flatMap(({ block_results: results }, i) =>
        (results.finalize_block_events ?? []).flatMap(({ attributes }) =>
          attributes
            .map(({ value }) => value.replaceAll('"', ''))
            .filter((word) => /^cosmos1[02-9ac-hj-np-z]{38}$/.test(word))
            .map((account) => `${i + 1} ${account}`),
        ),
      );
    expect(new Set(named).size).toBeGreaterThan(30);
    expect(named.filter((place) => !mentioned.has(place))).toEqual([]);
  });

  it('finds the contracts that were created', () => {
    const created = reference
      .filter((tx) => tx.contract !== null)
      .map((tx) => [`${tx.height}/${tx.txIndex}/0`, tx.contract]);
    expect([...contractsByMessage(tables)]).toEqual(created);
  });

  it('names the accounts that took part', () => {
    const lines = oracleTxs();
    const accounts = accountsByTx(tables);
    for (const [i, tx] of reference.entries()) {
      const line = lines[i];
      if (line === undefined) throw new Error('the oracle has fewer txs');
      expect(accounts.get(`${tx.height}/${tx.txIndex}`) ?? [], tx.hash).toEqual(
        [...participants(tx, line)].sort(),
      );
    }
  });

  it('agrees on blocks and their events', () => {
    const rows = tables.get('blocks') ?? [];
    for (const [i, block] of referenceBlocks().entries()) {
      const row = rows[i];
      expect(row, String(block.height)).toMatchObject({
        tx_count: block.tx_count,
        event_count: block.event_count,
      });
      expect(formatTimeNs(row?.time_ns as bigint)).toBe(block.time);
      expect(hexOf(row?.hash)).toBe(block.hash);
      expect(hexOf(row?.proposer)).toBe(block.proposer);
      const events = (JSON.parse(row?.events as string) as Record<string, unknown>[]).map(
        ({ applied, ...event }) => event,
      );
      expect(events, String(block.height)).toEqual(block.events);
    }
  });

  it('counts what the workload counted', () => {
    const expected = expectations();
    expect(tables.get('events')).toHaveLength(expected.events);
    expect(tables.get('evm_txs')).toHaveLength(expected.evm_txs);
    const types: Record<string, number> = {};
    for (const row of tables.get('events') ?? [])
      types[row.type as string] = (types[row.type as string] ?? 0) + 1;
    expect(types).toEqual(expected.event_types);
  });
});
