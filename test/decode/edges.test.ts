import { getCreateAddress, hexlify, keccak256 } from 'ethers';
import { encodeBech32 } from 'strata-kit/address';
import { encodeRlp } from 'strata-kit/rlp';
import { describe, expect, it } from 'vitest';
import { splitRange } from '../../src/chain/envelope.ts';
import { createDecoder } from '../../src/decode/decoder.ts';
import { type EthereumResponse, type EvmLog, evmExecution } from '../../src/decode/evm.ts';
import { AccountReader } from '../../src/decode/parties.ts';
import type { RawBlock } from '../../src/decode/range.ts';
import { rangeOf, recorded } from '../chain/fixture.ts';
import { decodeBlocks, recordedContext } from '../support/decoded.ts';

/** Rules that no recorded and no synthetic block depends on. */

function blockOf(results: string): RawBlock {
  const header = { height: '5', time: '2026-01-01T00:00:00Z', chain_id: 'test-1' };
  const hash = 'AB'.repeat(32);
  return {
    height: 5,
    block: JSON.stringify({ block_id: { hash }, block: { header, data: { txs: [] } } }),
    results: Buffer.from(`{"height":"5",${results}}`),
  };
}

const eventsOf = (results: string): Record<string, unknown>[] =>
  JSON.parse(decodeBlocks([blockOf(results)], 1).get('blocks')?.[0]?.events as string);

const result = (code: string): string =>
  `{"code":${code},"data":null,"log":"","info":"","gas_wanted":"1","gas_used":"1","events":[],"codespace":""}`;

describe('results that do not fit their block', () => {
  it('are refused where there are more than txs', () => {
    const results = `"txs_results":[${result('0')}],"finalize_block_events":[],"validator_updates":null`;
    expect(() => decodeBlocks([blockOf(results)], 1)).toThrow('block 5 has 0 txs and 1 results');
  });

  it('are refused where a code is no uint32', () => {
    const results = `"txs_results":[${result('4294967296')}],"finalize_block_events":[],"validator_updates":null`;
    expect(() => decodeBlocks([blockOf(results)], 1)).toThrow(/code/);
  });
});

it('a changed tx does not fit the data hash of its header', () => {
  const isRight = (change: (line: string) => string): boolean | undefined => {
    const { height, line } = recorded(61);
    const bytes = Buffer.from(change(line.toString('latin1')), 'latin1');
    const body = { layout: 'capture', fromHeight: height, toHeight: height, bytes } as const;
    const range = splitRange(rangeOf([body]));
    return createDecoder(recordedContext()).decodeRange(range, bytes.length).headers[0]?.isHashRight;
  };
  expect(isRight((line) => line)).toBe(true);
  const changed = (line: string): string =>
    line.replace(
      /("txs":\["[A-Za-z0-9+/]{80})(.)/,
      (_, start: string, char: string) => start + (char === 'A' ? 'B' : 'A'),
    );
  expect(changed(recorded(61).line.toString('latin1'))).not.toBe(recorded(61).line.toString('latin1'));
  expect(isRight(changed)).toBe(false);
});

it('the events of BeginBlock and EndBlock of older chains keep apart', () => {
  const event = (type: string): string => `{"type":"${type}","attributes":[]}`;
  const results = `"txs_results":null,"begin_block_events":[${event('a')},${event('b')}],"end_block_events":[${event('c')}]`;
  expect(eventsOf(results).map(({ type, mode }) => [type, mode])).toEqual([
    ['a', 'BeginBlock'],
    ['b', 'BeginBlock'],
    ['c', 'EndBlock'],
  ]);
});

it('every control character is printed as JSON.stringify prints it, whatever form the node takes', () => {
  for (let code = 0; code < 32; code++) {
    const spelled = `\\u00${code.toString(16).padStart(2, '0')}`;
    const events = `[{"type":"t","attributes":[{"key":"k","value":"a${spelled}b","index":true}]}]`;
    const results = `"txs_results":null,"finalize_block_events":${events},"validator_updates":null`;
    const text = decodeBlocks([blockOf(results)], 1).get('blocks')?.[0]?.events as string;
    expect(text).toContain(JSON.stringify(`a${String.fromCharCode(code)}b`));
  }
});

it('the operator address of a validator names its account', () => {
  const bytes = Uint8Array.from({ length: 20 }, (_, i) => i + 1);
  const accounts = new AccountReader('cosmos', []);
  const account = encodeBech32('cosmos', bytes);
  expect(accounts.fromText(encodeBech32('cosmosvaloper', bytes))).toBe(account);
  expect(accounts.fromText(encodeBech32('cosmosvalcons', bytes))).toBe('');
});

it.each([0n, 1n, 127n, 128n, 255n, 256n, 2n ** 32n])(
  'a contract of nonce %s is where ethers finds it',
  (nonce) => {
    const from = Uint8Array.from({ length: 20 }, (_, i) => 200 - i);
    const address = `0x${keccak256(encodeRlp([from, nonce])).slice(-40)}`;
    expect(address).toBe(getCreateAddress({ from: hexlify(from), nonce }).toLowerCase());
  },
);

it('logs of a response that has none are those of the events', () => {
  const log: EvmLog = {
    address: new Uint8Array(20),
    topics: [],
    data: new Uint8Array(),
  } as unknown as EvmLog;
  const empty: EthereumResponse = {
    hash: undefined,
    logs: [],
    ret: new Uint8Array(),
    vmError: '',
    gasUsed: 1n,
  };
  const logsOf = (response: EthereumResponse | undefined) =>
    evmExecution(
      { to: new Uint8Array(20), nonce: 0n, hash: () => new Uint8Array(32) } as never,
      response,
      new Uint8Array(20),
      { code: 0, rawLog: '', gasUsed: 1n },
      { logs: [log], vmError: '' },
    ).logs;
  expect(logsOf(empty)).toEqual([log]);
  expect(logsOf({ ...empty, logs: [log, log] })).toEqual([log, log]);
  expect(logsOf(undefined)).toEqual([log]);
});
