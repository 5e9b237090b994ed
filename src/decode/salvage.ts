import { bytesToUtf8 } from 'strata-kit/bytes';
import { isStrataError } from 'strata-kit/errors';
import type { JsonMap } from 'strata-kit/json';
import type { BadBlockReason } from './range.ts';
import {
  type CompactResult,
  type CompactResults,
  compactBlockEvents,
  compactTxResult,
  holdsBase64,
  isOld,
  list,
  parseObject,
  printCompact,
} from './results-parse.ts';

/** What is left of block_results that cannot be used. */
export interface SalvagedResults {
  readonly compact: CompactResults;
  readonly reason: BadBlockReason;
}

export interface Damage {
  /** False: not even the envelope says which bytes are the results. */
  readonly isReadable: boolean;
  readonly isDisproved: boolean;
}

/**
 * The outcome of a tx whose result is not known. It must not look like a success, so its code is not 0. No chain's codes
 * are of this codespace.
 */
export const UNKNOWN_RESULT = { codespace: 'strata', code: 1 } as const;

/**
 * Results for each of a block's txs, out of results that cannot be used. As many results as txs: each that can be read is
 * kept. Fewer or more: it is not known which tx a result is of. Then all are unknown, and only the block-level events
 * stay. Nothing stays of results that are disproved or no JSON.
 */
export function salvageResults(bytes: Uint8Array, txCount: number, damage: Damage): SalvagedResults {
  if (damage.isDisproved) return nothingLeft(txCount, 'results_disproved');
  const parsed = damage.isReadable ? parseOrNothing(bytes) : undefined;
  if (parsed === undefined) return nothingLeft(txCount, 'results_unreadable');
  const old = isOld(parsed);
  const base64 = old && holdsBase64(parsed);
  const results = list(parsed.txs_results);
  const isEach = results.length === txCount;
  const reason = isEach ? 'results_unreadable' : 'results_missing';
  const kept = isEach
    ? results.map((item) => resultOrUnknown(item, base64, reason))
    : unknownResults(txCount, reason);
  return { compact: printCompact(kept, compactBlockEvents(parsed, old, base64)), reason };
}

function nothingLeft(txCount: number, reason: BadBlockReason): SalvagedResults {
  return { compact: printCompact(unknownResults(txCount, reason), { events: [], begin: -1 }), reason };
}

function parseOrNothing(bytes: Uint8Array): JsonMap | undefined {
  try {
    return parseObject(bytesToUtf8(bytes), 'block_results');
  } catch (error) {
    if (isStrataError(error, 'block_malformed')) return undefined;
    throw error;
  }
}

function resultOrUnknown(item: unknown, base64: boolean, reason: BadBlockReason): CompactResult {
  try {
    return compactTxResult(item, base64);
  } catch (error) {
    if (isStrataError(error, 'block_malformed')) return unknownResult(reason);
    throw error;
  }
}

function unknownResults(count: number, reason: BadBlockReason): CompactResult[] {
  return Array.from({ length: count }, () => unknownResult(reason));
}

function unknownResult(reason: BadBlockReason): CompactResult {
  return {
    code: UNKNOWN_RESULT.code,
    data: '',
    log: `no node gave a usable result (${reason}): whether this transaction succeeded is not known`,
    info: '',
    gas_wanted: '0',
    gas_used: '0',
    events: [],
    codespace: UNKNOWN_RESULT.codespace,
  };
}
