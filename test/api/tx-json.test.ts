import { describe, expect, test } from 'vitest';
import { markApplied } from '../../src/api/applied.ts';
import type { BodyPart } from '../../src/api/route.ts';
import { type TxRow, txJson } from '../../src/api/tx-json.ts';

const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');
const textOf = (parts: readonly BodyPart[]): string =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? utf8(part) : part))).toString('utf8');

const row: TxRow = {
  height: 61,
  txIndex: 2,
  hash: Uint8Array.from({ length: 32 }, (_, i) => 0xa0 + (i % 16)),
  code: 0,
  codespace: '',
  rawLog: utf8(''),
  gasWanted: 9_007_199_254_740_993n,
  gasUsed: 21_000n,
  blockTimeNs: 1_795_168_800_250_000_000n,
  msgs: utf8('[{"@type":"/a.B","n":1e2}]'),
  fee: utf8('[]'),
  evm: [],
  events: utf8('[]'),
};

describe('tx JSON', () => {
  test('has the fields of api.md in their order, stored texts as they are, 64-bit integers in full', () => {
    expect(textOf(txJson(row, new Set()))).toBe(
      `{"hash":"${'A0A1A2A3A4A5A6A7A8A9AAABACADAEAF'.repeat(2)}","height":61,"tx_index":2,"code":0,"codespace":"",` +
        '"gas_wanted":9007199254740993,"gas_used":21000,"msgs":[{"@type":"/a.B","n":1e2}],"fee":[],' +
        '"block_time":"2026-11-20T10:00:00.25Z","evm":null,"events":[]}',
    );
  });

  test('raw_log is there exactly when code is not 0', () => {
    const failed = { ...row, code: 5, codespace: 'sdk', rawLog: utf8('out of "gas"\n\u0000 é') };
    expect(JSON.parse(textOf(txJson(failed, new Set())))).toMatchObject({
      code: 5,
      codespace: 'sdk',
      raw_log: 'out of "gas"\n\u0000 é',
    });
    expect(JSON.parse(textOf(txJson({ ...row, rawLog: utf8('fine') }, new Set())))).not.toHaveProperty(
      'raw_log',
    );
  });

  test('evm is the view of the first message, or of the one asked for', () => {
    const evm = [utf8('null'), utf8('{"eth_hash":"0x01"}')];
    expect(JSON.parse(textOf(txJson({ ...row, evm }, new Set()))).evm).toBeNull();
    expect(JSON.parse(textOf(txJson({ ...row, evm }, new Set(), 1))).evm).toEqual({ eth_hash: '0x01' });
    expect(JSON.parse(textOf(txJson({ ...row, evm: [utf8('{"eth_hash":"0x02"}')] }, new Set()))).evm).toEqual(
      {
        eth_hash: '0x02',
      },
    );
  });
});

describe('applied', () => {
  const event = (type: string, value: string, decoded = 'null') =>
    `{"event_index":7,"type":${JSON.stringify(type)},"msg_index":null,"attributes":[{"key":"k","value":${JSON.stringify(
      value,
    )}}],"decoded":${decoded},"applied":false}`;
  const appliedOf = (events: readonly string[], types: readonly string[]): readonly boolean[] =>
    JSON.parse(textOf(markApplied(utf8(`[${events.join(',')}]`), new Set(types)))).map(
      (e: { applied: boolean }) => e.applied,
    );

  test('is true for the types that a module derives, and nothing else changes', () => {
    const events = [
      event('x.asset.v1.EventA', 'é'),
      event('transfer', '1'),
      event('x.rights.v1.EventB', '2'),
    ];
    expect(appliedOf(events, [])).toEqual([false, false, false]);
    expect(appliedOf(events, ['x.asset.v1.EventA', 'x.rights.v1.EventB'])).toEqual([true, false, true]);
    expect(appliedOf(events, ['x.rights.v1.EventB', 'transfer'])).toEqual([false, true, true]);
    // a longer name, or a shorter one, is another type
    expect(appliedOf(events, ['x.asset.v1.Event', 'x.rights.v1.EventBig'])).toEqual([false, false, false]);
    const both = new Set(['x.asset.v1.EventA', 'x.rights.v1.EventB']);
    const marked = textOf(markApplied(utf8(`[${events.join(',')}]`), both));
    expect(marked.replaceAll('"applied":true', '"applied":false')).toBe(`[${events.join(',')}]`);
  });

  test('texts inside values and decoded that look like an event stay untouched', () => {
    const lookalike = '{"event_index":1,"type":"x.asset.v1.EventA","decoded":null,"applied":false}';
    const events = [
      event('other', lookalike),
      event('other', 'quote " and \\ and \\" [{'),
      event('other', '', lookalike),
      event('x.asset.v1.EventA', lookalike, lookalike),
    ];
    expect(appliedOf(events, ['x.asset.v1.EventA'])).toEqual([false, false, false, true]);
    expect(
      textOf(markApplied(utf8(`[${events.join(',')}]`), new Set(['x.asset.v1.EventA']))).match(
        /"applied":true/g,
      ),
    ).toHaveLength(1);
  });

  test('events of a failed tx are never applied', () => {
    const events = utf8(`[${event('x.asset.v1.EventA', '')}]`);
    expect(
      JSON.parse(textOf(txJson({ ...row, events }, new Set(['x.asset.v1.EventA'])))).events[0].applied,
    ).toBe(true);
    expect(
      JSON.parse(textOf(txJson({ ...row, code: 1, events }, new Set(['x.asset.v1.EventA'])))).events[0]
        .applied,
    ).toBe(false);
  });
});
