import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RangeTables } from '../../src/decode/columns.ts';
import { EventRows } from '../../src/decode/event-rows.ts';
import { EventTypes, MAX_LEARNED_BYTES } from '../../src/decode/event-types.ts';
import { AccountReader } from '../../src/decode/parties.ts';
import { createRegistry } from '../../src/decode/proto/registry.ts';
import type { RawBlock } from '../../src/decode/range.ts';
import { ScanSource } from '../../src/decode/scan-source.ts';
import { decodeBlocks, type Tables } from '../support/decoded.ts';

/** Events whose layout the decoder learns as it goes: whatever came before, an event reads as JSON.parse reads it. */

interface Attribute {
  readonly key: string;
  readonly value: string;
  /** What the node prints of `index`; nothing when undefined. */
  readonly index: boolean | undefined;
}

interface PrintedEvent {
  readonly type: string;
  readonly attributes: readonly Attribute[];
}

/** A string's inside as JSON, with escapes that JSON.stringify would not make where `wild` says so. */
function quoted(text: string, wild: boolean): string {
  const inside = [...text].map((char) =>
    /[/a-c\n]/.test(char)
      ? `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
      : JSON.stringify(char).slice(1, -1),
  );
  return wild ? `"${inside.join('')}"` : JSON.stringify(text);
}

function printedEvent({ type, attributes }: PrintedEvent, wild: boolean): string {
  const printed = attributes.map(({ key, value, index }) => {
    const flag = index === undefined ? '' : `,"index":${index}`;
    return `{"key":${quoted(key, wild)},"value":${quoted(value, wild)}${flag}}`;
  });
  return `{"type":${quoted(type, wild)},"attributes":[${printed.join(',')}]}`;
}

function block(height: number, events: readonly PrintedEvent[], wild = false): RawBlock {
  const list = events.map((event) => printedEvent(event, wild)).join(',');
  const hash = 'AB'.repeat(32);
  const header = { height: String(height), time: '2026-01-01T00:00:00Z', chain_id: 'test-1' };
  return {
    height,
    block: JSON.stringify({ block_id: { hash }, block: { header, data: { txs: [] } } }),
    results: Buffer.from(
      `{"height":"${height}","txs_results":null,"finalize_block_events":[${list}],"validator_updates":null}`,
    ),
  };
}

/** The events as the API prints them, by height; the texts are canonical JSON. */
function eventsOf(tables: Tables): unknown[][] {
  return (tables.get('blocks') ?? []).map((row) => {
    const text = row.events as string;
    const parsed = JSON.parse(text) as unknown[];
    expect(text).toBe(JSON.stringify(parsed));
    return parsed;
  });
}

function expected(events: readonly PrintedEvent[]): unknown[] {
  return events.map(({ type, attributes }, event_index) => {
    const last = attributes.at(-1);
    const hasMode = last?.key === 'mode' && (last.value === 'BeginBlock' || last.value === 'EndBlock');
    return {
      event_index,
      type,
      msg_index: null,
      ...(hasMode ? { mode: last.value } : {}),
      attributes: attributes.map(({ key, value }) => ({ key, value })),
      decoded: null,
      applied: false,
    };
  });
}

const key = fc.oneof(
  fc.constantFrom('amount', 'sender', 'mode', 'msg_index', 'a', ''),
  fc.string({ unit: 'grapheme', maxLength: 6 }),
);
const value = fc.oneof(
  fc.constantFrom('', 'BeginBlock', 'EndBlock', '7', '"', '\\', '\u0000'.repeat(20), '[{"key":"x"}]'),
  fc.string({ unit: 'binary', maxLength: 40 }),
);
const attribute = fc.record({ key, value, index: fc.constantFrom(true, false, undefined) });
const event = fc.record({
  type: fc.constantFrom('transfer', 'message', 'coin_spent', 'x', '', 'ü"\\'),
  attributes: fc.array(attribute, { maxLength: 5 }),
});
const events = fc.array(event, { maxLength: 8 });

/** Lone surrogates have no UTF-8: no node prints one. */
const isWellFormed = (blocks: readonly (readonly PrintedEvent[])[]) =>
  Buffer.from(JSON.stringify(blocks), 'utf8').toString('utf8') === JSON.stringify(blocks) &&
  !/\\ud[89a-f]/.test(JSON.stringify(blocks));

describe('events of any layout', () => {
  it('read the same whatever layouts came before', () => {
    fc.assert(
      fc.property(fc.array(events, { maxLength: 12 }).filter(isWellFormed), fc.boolean(), (blocks, wild) => {
        const raw = blocks.map((list, i) => block(i + 1, list, wild));
        expect(eventsOf(decodeBlocks(raw, 4))).toEqual(blocks.map(expected));
      }),
      { numRuns: 150 },
    );
  });

  it.each(['\b', '\t', '\n', '\f', '\r'])('print %j short, whichever way it came', (control) => {
    const odd = {
      type: `type${control}`,
      attributes: [{ key: `k${control}`, value: `a${control}b`, index: true }],
    };
    const same = block(1, [odd]);
    const long = `\\u000${control.charCodeAt(0).toString(16)}`;
    const raw = Buffer.from(String(same.results).replaceAll(JSON.stringify(control).slice(1, -1), long));
    expect(String(raw)).toContain(long);
    expect(eventsOf(decodeBlocks([{ ...same, results: raw }], 1))).toEqual([expected([odd])]);
  });

  it('are learned within a bound: a key, and a type, of its own in every event', () => {
    const lists = Array.from({ length: 30 }, (_, height) =>
      Array.from({ length: 2_000 }, (_, i) => ({
        type: height % 2 === 0 ? 'message' : `type ${height}/${i}`,
        attributes: [{ key: `key ${height}/${i}`, value: String(i), index: true }],
      })),
    );
    const raw = lists.map((list, i) => block(i + 1, list));
    expect(eventsOf(decodeBlocks(raw, 10))).toEqual(lists.map(expected));
  });

  it('leave no rows behind when a block turns out to have another layout half-way', () => {
    const sent = { type: 'transfer', attributes: [{ key: 'amount', value: '5atest', index: true }] };
    const compact = block(1, [sent, sent]);
    const spaced = {
      ...compact,
      results: Buffer.from(String(compact.results).replace('},{"type"', '}, {"type"')),
    };
    expect(spaced.results).not.toEqual(compact.results);
    const one = decodeBlocks([compact, block(2, [sent])], 2);
    const other = decodeBlocks([spaced, block(2, [sent])], 2);
    for (const table of ['events', 'transfers', 'blocks', 'height_digests']) {
      expect(other.get(table), table).toEqual(one.get(table));
    }
    expect(one.get('events')).toHaveLength(3);
  });

  it('that break off are no block', () => {
    const { block: header, results } = block(1, [
      { type: 'transfer', attributes: [{ key: 'amount', value: '5', index: true }] },
    ]);
    for (let length = 1; length < results.length - 40; length++) {
      const cut = { height: 1, block: header, results: results.subarray(0, length) };
      expect(() => decodeBlocks([cut], 1), String(cut.results)).toThrow('block_results');
    }
  });

  it.each([
    ['a code that is no uint32', '"code":0', '"code":-1'],
    ['a code without an end', '"code":0', `"code":${'9'.repeat(400)}`],
    ['an escape that JSON does not know', '"log":""', '"log":"\\x"'],
  ])('%s is the block’s fault, and another node may answer better', (_what, from, to) => {
    const result =
      '{"code":0,"data":null,"log":"","info":"","gas_wanted":"0","gas_used":"0","events":[],"codespace":""}';
    const { block: header, results } = block(1, []);
    const text = String(results).replace('"txs_results":null', `"txs_results":[${result.replace(from, to)}]`);
    const raw = {
      height: 1,
      block: header.replace('"txs":[]', '"txs":["AA=="]'),
      results: Buffer.from(text),
    };
    expect(() => decodeBlocks([raw], 1)).toThrowError(
      expect.objectContaining({ code: 'block_malformed', height: 1, retryable: true }),
    );
  });

  it('a parent of endless parts is no header', () => {
    const { block: header, results } = block(1, []);
    const raw = {
      height: 1,
      block: header.replace('"chain_id"', '"last_block_id":{"parts":{"total":1e999}},"chain_id"'),
      results,
    };
    expect(() => decodeBlocks([raw], 1)).toThrowError(expect.objectContaining({ code: 'block_malformed' }));
  });
});

describe('what is learned of events', () => {
  it('is dropped when it grows too large, and what is in use is what is counted', () => {
    const registry = createRegistry(new Uint8Array(0));
    const types = new EventTypes(registry);
    const accounts = new AccountReader('cosmos', []);
    const rows = new EventRows({ tables: new RangeTables(), types, registry, accounts });
    const source = new ScanSource();
    let most = 0;
    for (let height = 1; height <= 60; height++) {
      const events = Array.from({ length: 1_000 }, (_, i) => ({
        type: 'wasm',
        attributes: [{ key: `key ${height}/${i}`, value: '', index: true }],
      }));
      rows.startHeight({ height, beginBlockEvents: -1, unknownTypeUrls: new Set() });
      source.load(Buffer.from(`[${events.map((one) => printedEvent(one, false)).join(',')}]`));
      rows.readList(source, -1, 0);
      most = Math.max(most, types.learnedBytes);
      expect(types.of('wasm').shapes.root.next, String(height)).toBeDefined();
    }
    expect(types.generation).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(MAX_LEARNED_BYTES);
  });
});
