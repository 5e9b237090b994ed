import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RawBlock } from '../../src/decode/range.ts';
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
});
