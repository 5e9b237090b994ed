import { hexToBytes } from 'strata-kit/bytes';
import { describe, expect, it } from 'vitest';
import { TableBuilder } from '../../src/core/native.ts';
import type { TableBlock, TableSpec } from '../../src/core/table.ts';
import { EVM_LOGS, EVM_TXS, TXS, TYPED_EVENTS } from '../../src/core/tables.ts';
import { type BlockFacts, type FactFilter, NO_WISHES } from '../../src/derive/facts.ts';
import { readNativeFacts } from '../../src/derive/native-facts.ts';

const HEIGHT = 7;
const TYPE = 'aeva.asset.v1.EventLocked';
const NOTHING: FactFilter = { eventTypes: new Set<string>(), codespaces: new Set<string>(), ...NO_WISHES };

function bytes(hex: string): Uint8Array {
  return hexToBytes(hex) ?? new Uint8Array(0);
}

type Values = Readonly<Record<string, number | string | Uint8Array>>;

/** A table's rows of one height. A column that a row does not name is 0 or empty. */
function tableOf(spec: TableSpec, rows: readonly Values[]): TableBlock {
  const table = new TableBuilder<TableSpec>(spec);
  for (const row of rows) {
    for (const column of table.list) {
      const value = column.name === 'height' ? HEIGHT : row[column.name];
      if (typeof value === 'string') column.text(value);
      else if (value instanceof Uint8Array) column.fixed(value);
      else if (column.type === 'String') column.text('');
      else if (column.type === 'Array(String)') column.textArray([]);
      else if (column.type.startsWith('FixedString')) column.fixed(new Uint8Array(0));
      else if (column.type === 'UInt8') column.u8(value ?? 0);
      else if (column.type === 'UInt32') column.u32(value ?? 0);
      else if (column.type === 'Int32') column.i32(value ?? 0);
      else if (column.type === 'UInt64') column.u64(value ?? 0);
      else if (column.type === 'Int64') column.i64big(BigInt(value ?? 0));
      else column.u256be(new Uint8Array(0));
    }
    table.rows++;
  }
  return { table: spec.name, rows: rows.length, native: table.finish() };
}

/** Of two txs the second has failed. */
const txs = (): TableBlock =>
  tableOf(TXS, [
    { tx_index: 0, code: 0, hash: new Uint8Array(32).fill(0xa0) },
    { tx_index: 1, code: 5, hash: new Uint8Array(32).fill(0xa1) },
  ]);

function factsOf(filter: Partial<FactFilter>, table: TableBlock): BlockFacts {
  const header = { height: HEIGHT, timeNs: 1n, txCount: 2 };
  const [block] = readNativeFacts([header], [txs(), table], { ...NOTHING, ...filter });
  if (block === undefined) throw new Error('no block');
  return block;
}

describe('events', () => {
  const table = tableOf(TYPED_EVENTS, [
    { tx_index: 0, event_index: 3, type: TYPE, decoded: '{}' },
    { tx_index: 0, event_index: 4, type: 'aeva.asset.v1.EventOther', decoded: '{}' },
    { tx_index: 1, event_index: 2, type: TYPE, code: 5, decoded: '{}' },
    { tx_index: -1, event_index: 0, type: TYPE, mode: 'EndBlock', decoded: '{}' },
  ]);

  it('are those of txs that succeeded and of the block, with the hashes of their txs', () => {
    const { events } = factsOf({ eventTypes: new Set([TYPE]) }, table);
    expect(
      events.map(({ txIndex, eventIndex, txHash }) => ({ txIndex, eventIndex, hash: txHash?.[0] })),
    ).toEqual([
      { txIndex: 0, eventIndex: 3, hash: 0xa0 },
      { txIndex: -1, eventIndex: 0, hash: undefined },
    ]);
  });
});

it('a text of any length is read whole', () => {
  const texts = [0, 127, 128, 16_383, 16_384, 40_000].map((length) => 'x'.repeat(length));
  const rows = texts.map((decoded, event_index) => ({ event_index, type: TYPE, decoded }));
  const { events } = factsOf({ eventTypes: new Set([TYPE]) }, tableOf(TYPED_EVENTS, rows));
  expect(events.map(({ decoded }) => decoded)).toEqual(texts);
});

describe('Ethereum messages', () => {
  const sender = new Uint8Array(20).fill(0xcc);
  const message = (tx_index: number, msg_index: number, status: number) => ({
    tx_index,
    msg_index,
    status,
    sender,
  });
  const placesOf = ({ evmTxs }: BlockFacts) => evmTxs.map(({ txIndex, msgIndex }) => [txIndex, msgIndex]);

  it('of one tx count as one tx, and each that succeeded is a fact', () => {
    const facts = factsOf(
      { evmTxs: true },
      tableOf(EVM_TXS, [message(0, 1, 1), message(0, 0, 1), message(0, 2, 0)]),
    );
    expect(facts.evmTxCount).toBe(1);
    expect(placesOf(facts)).toEqual([
      [0, 0],
      [0, 1],
    ]);
  });

  it('after a message of another kind make no Ethereum tx', () => {
    const facts = factsOf({ evmTxs: true }, tableOf(EVM_TXS, [message(0, 1, 1)]));
    expect(facts.evmTxCount).toBe(0);
    expect(placesOf(facts)).toEqual([[0, 1]]);
  });

  it('of a failed tx count, and are no facts', () => {
    const facts = factsOf({ evmTxs: true }, tableOf(EVM_TXS, [message(0, 0, 1), message(1, 0, 1)]));
    expect(facts.evmTxCount).toBe(2);
    expect(placesOf(facts)).toEqual([[0, 0]]);
  });
});

describe('logs', () => {
  const A = 'aa'.repeat(20);
  const B = 'bb'.repeat(20);
  const [T, U] = ['11'.repeat(32), '22'.repeat(32)] as const;
  /** Of A and B, numbered within a message. */
  const table = tableOf(
    EVM_LOGS,
    (
      [
        [0, 1, 0, A, T],
        [0, 1, 1, B, T],
        [0, 0, 1, B, U],
        [0, 0, 0, A, U],
        [1, 0, 0, A, T],
      ] as const
    ).map(([tx_index, msg_index, log_index, address, topic]) => ({
      tx_index,
      msg_index,
      log_index,
      address: bytes(address),
      topic_count: 1,
      topic0: bytes(topic),
    })),
  );

  /** `tx/message/log address topic`, in the order of the facts. */
  const logsOf = (logs: FactFilter['logs']): readonly string[] =>
    factsOf({ logs }, table).logs.map(
      ({ txIndex, msgIndex, logIndex, address, topics }) =>
        `${txIndex}/${msgIndex}/${logIndex} ${address.slice(0, 1)} ${topics.map((topic) => topic.slice(0, 1))}`,
    );

  it('are in the order of messages, also where a node numbers the logs of each message from 0', () => {
    const both = { topics: [T, U] };
    expect(
      logsOf([
        { address: A, ...both },
        { address: B, ...both },
      ]),
    ).toEqual(['0/0/0 a 2', '0/0/1 b 2', '0/1/0 a 1', '0/1/1 b 1']);
  });

  it('are of the wished address, and of any where it has children', () => {
    expect(logsOf([{ address: A, topics: [T] }])).toEqual(['0/1/0 a 1']);
    expect(logsOf([{ address: A, topics: [], children: { told: U, topics: [T] } }])).toEqual([
      '0/0/0 a 2',
      '0/1/0 a 1',
      '0/1/1 b 1',
    ]);
    expect(logsOf([{ address: A, topics: [] }])).toEqual([]);
    expect(
      logsOf([
        { address: A, topics: [U] },
        { address: B, topics: [T] },
      ]),
    ).toEqual(['0/0/0 a 2', '0/1/1 b 1']);
  });
});
