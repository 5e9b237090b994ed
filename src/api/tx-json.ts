import { bytesToHex, bytesToUtf8 } from 'strata-kit/bytes';
import { formatTimeNs } from 'strata-kit/time';
import { type DerivedTypes, markApplied } from './applied.ts';
import type { BodyPart } from './route.ts';

/** A row of txs. msgs, fee, evm and events are JSON texts (UTF-8 bytes) and pass as they are. */
export interface TxRow {
  readonly height: number;
  readonly txIndex: number;
  readonly hash: Uint8Array;
  readonly code: number;
  readonly codespace: string;
  readonly rawLog: Uint8Array;
  readonly gasWanted: bigint;
  readonly gasUsed: bigint;
  readonly blockTimeNs: bigint;
  readonly msgs: Uint8Array;
  readonly fee: Uint8Array;
  /** An entry per message up to the last Ethereum one, `null` for the others. */
  readonly evm: readonly Uint8Array[];
  readonly events: Uint8Array;
}

/**
 * A Tx as in api.md section 2, in its field order. `evmIndex` is the message whose EVM view is shown: the
 * first one, or the one whose eth hash was asked for.
 */
export function txJson(row: TxRow, derivedTypes: DerivedTypes, evmIndex = 0): BodyPart[] {
  const rawLog = row.code === 0 ? '' : `,"raw_log":${JSON.stringify(bytesToUtf8(row.rawLog))}`;
  return [
    `{"hash":"${bytesToHex(row.hash).toUpperCase()}","height":${row.height},"tx_index":${row.txIndex},` +
      `"code":${row.code},"codespace":${JSON.stringify(row.codespace)}${rawLog},` +
      `"gas_wanted":${row.gasWanted},"gas_used":${row.gasUsed},"msgs":`,
    row.msgs,
    ',"fee":',
    row.fee,
    `,"block_time":"${formatTimeNs(row.blockTimeNs)}","evm":`,
    row.evm[evmIndex] ?? 'null',
    ',"events":',
    ...(row.code === 0 ? markApplied(row.events, derivedTypes) : [row.events]),
    '}',
  ];
}

/** A JSON array of txs. */
export function txListJson(rows: readonly TxRow[], derivedTypes: DerivedTypes): BodyPart[] {
  return jsonArray(rows.map((row) => txJson(row, derivedTypes)));
}

/** `[item,item,…]` of texts that are JSON already. */
export function jsonArray(items: readonly (readonly BodyPart[])[]): BodyPart[] {
  const parts: BodyPart[] = ['['];
  for (const [index, item] of items.entries()) {
    if (index > 0) parts.push(',');
    for (const part of item) parts.push(part);
  }
  parts.push(']');
  return parts;
}
