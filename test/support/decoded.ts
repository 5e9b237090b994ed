import { getAddress } from 'ethers';
import { ETHEREUM_TYPE_URLS } from 'strata-kit/parameters';
import { formatTimeNs } from 'strata-kit/time';
import { splitRange } from '../../src/chain/envelope.ts';
import { createDecoder } from '../../src/decode/decoder.ts';
import type { DecodeContext, DecodedRange, RawBlock } from '../../src/decode/range.ts';
import { moduleAccounts } from '../reference/addresses.ts';
import { type NativeRow, type NativeValue, readNativeRows } from './native-rows.ts';
import { descriptorBytes, GAS_DENOM, HRP, recordedBlockLines } from './oracle.ts';

/** The context that the recorded chain's own answers give. */
export function recordedContext(): DecodeContext {
  return {
    hrp: HRP,
    evmDenom: GAS_DENOM,
    moduleAccounts: [...moduleAccounts()],
    ethereumTypeUrls: ETHEREUM_TYPE_URLS,
    descriptorSets: [{ appVersion: '0', bytes: descriptorBytes() }],
  };
}

/** Recorded heights as one decoded range. */
export function recordedRange(fromHeight: number, toHeight: number): DecodedRange {
  const lines = recordedBlockLines().slice(fromHeight - 1, toHeight);
  const bytes = Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')]));
  const body = { layout: 'capture', fromHeight, toHeight, bytes } as const;
  const range = { fromHeight, toHeight, bodies: [body], byteLength: bytes.length, origin: 'the recording' };
  return createDecoder(recordedContext()).decodeRange(splitRange(range), bytes.length);
}

export type Tables = ReadonlyMap<string, readonly NativeRow[]>;

export function tablesOf(range: DecodedRange): Tables {
  return new Map(range.tables.map(({ table, native }) => [table, readNativeRows(native)]));
}

/** Decodes blocks in ranges of `rangeBlocks` with one decoder; rows of all ranges joined. */
export function decodeBlocks(
  blocks: readonly RawBlock[],
  rangeBlocks: number,
  context = recordedContext(),
): Tables {
  const decoder = createDecoder(context);
  const joined = new Map<string, NativeRow[]>();
  for (let at = 0; at < blocks.length; at += rangeBlocks) {
    const range = decoder.decodeRange(blocks.slice(at, at + rangeBlocks), 0);
    for (const [table, rows] of tablesOf(range)) {
      const all = joined.get(table) ?? [];
      for (const row of rows) all.push(row);
      joined.set(table, all);
    }
  }
  return joined;
}

export interface TxView {
  readonly hash: string;
  readonly height: number;
  readonly txIndex: number;
  readonly code: number;
  readonly codespace: string;
  readonly rawLog: string;
  readonly gasWanted: number;
  readonly gasUsed: number;
  readonly method: string;
  readonly blockTime: string;
  readonly msgs: unknown;
  readonly fee: unknown;
  readonly evm: readonly unknown[];
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

/** The rows of `txs`, with their JSON texts parsed. */
export function txViews(tables: Tables): TxView[] {
  return (tables.get('txs') ?? []).map((row) => ({
    hash: (row.hash as Buffer).toString('hex').toUpperCase(),
    height: Number(row.height),
    txIndex: row.tx_index as number,
    code: row.code as number,
    codespace: row.codespace as string,
    rawLog: row.raw_log as string,
    gasWanted: Number(row.gas_wanted),
    gasUsed: Number(row.gas_used),
    method: row.method as string,
    blockTime: formatTimeNs(row.block_time_ns as bigint),
    msgs: JSON.parse(row.msgs as string),
    fee: JSON.parse(row.fee as string),
    evm: (row.evm as readonly string[]).map((text) => JSON.parse(text)),
    events: JSON.parse(row.events as string),
  }));
}

/** Accounts by `height/txIndex`, sorted. */
export function accountsByTx(tables: Tables): Map<string, string[]> {
  const accounts = new Map<string, string[]>();
  for (const row of tables.get('account_txs') ?? []) {
    const key = `${row.height}/${row.tx_index}`;
    accounts.set(key, [...(accounts.get(key) ?? []), row.account as string].sort());
  }
  return accounts;
}

/** EIP-55 address of a created contract by `height/txIndex/msgIndex`. */
export function contractsByMessage(tables: Tables): Map<string, string> {
  const contracts = new Map<string, string>();
  for (const row of tables.get('evm_txs') ?? []) {
    const contract = (row.contract as Buffer).toString('hex');
    if (contract !== '')
      contracts.set(`${row.height}/${row.tx_index}/${row.msg_index}`, getAddress(`0x${contract}`));
  }
  return contracts;
}

/** Upper-case hex of a FixedString value. */
export function hexOf(value: NativeValue | undefined): string {
  return Buffer.isBuffer(value) ? value.toString('hex').toUpperCase() : '';
}
