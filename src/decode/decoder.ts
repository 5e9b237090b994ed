import { hexToBytes } from 'strata-kit/bytes';
import { isStrataError, StrataError } from 'strata-kit/errors';
import { sha256 } from 'strata-kit/hash';
import { TableBuilder } from '../core/native.ts';
import type { TableBlock } from '../core/table.ts';
import { BAD_BLOCKS } from '../core/tables.ts';
import { type DecodedHeader, readBlock } from './block.ts';
import { BlockHasher, UNVERIFIED } from './block-hashes.ts';
import { RangeTables } from './columns.ts';
import { EventRows } from './event-rows.ts';
import { EventTypes } from './event-types.ts';
import { AccountReader } from './parties.ts';
import { createRegistry, type ProtoRegistry } from './proto/registry.ts';
import type { BadBlock, BlockHeader, DecodeContext, DecodedRange, RawBlock, SalvageWish } from './range.ts';
import type { BlockResults } from './results.ts';
import { type CompactResults, compactBlockResults } from './results-parse.ts';
import { createResultsScanner } from './results-scan.ts';
import { salvageResults } from './salvage.ts';
import { TxDecoder } from './tx-rows.ts';

/** Turns raw blocks into columns. Holds what is worth keeping between ranges: transcoders, caches, buffers. */
export interface Decoder {
  /**
   * Decodes the blocks of a range in the order given. `rawBytes` is what they weighed on the wire, for the writer's
   * reports. Errors: block_malformed when a block's outer shape cannot be read; nothing of the range is kept then.
   */
  decodeRange(blocks: readonly RawBlock[], rawBytes: number): DecodedRange;
  /**
   * One block although its results cannot be used: what of them can be read is kept, and a row of bad_blocks says why. A
   * block that turns out to be whole is decoded as any other, unless it is disproved. Errors: block_malformed when its
   * header cannot be read.
   */
  salvage(block: DamagedBlock, wish: SalvageWish, rawBytes: number): DecodedRange;
}

/** A block of which even its results' bytes may not be known. */
export interface DamagedBlock extends RawBlock {
  /** False: `results` are the bytes where the results should be. */
  readonly isReadable: boolean;
}

export function createDecoder(context: DecodeContext): Decoder {
  const registries = new RegistrySet(context);
  const accounts = new AccountReader(context.hrp, context.moduleAccounts);
  const tables = new RangeTables();
  const scanner = createResultsScanner();
  const hasher = new BlockHasher();
  let needsEvmDenom = false;
  const onMissingDenom = (): void => {
    needsEvmDenom = true;
  };
  const stages = new Map<ProtoRegistry, { readonly events: EventRows; readonly txs: TxDecoder }>();

  const stagesFor = (appVersion: string) => {
    const registry = registries.forAppVersion(appVersion);
    let stage = stages.get(registry);
    if (stage === undefined) {
      const events = new EventRows({
        tables,
        types: new EventTypes(registry, context.namespace),
        registry,
        accounts,
      });
      stage = { events, txs: new TxDecoder({ context, registry, accounts, tables, onMissingDenom }) };
      stages.set(registry, stage);
    }
    return stage;
  };

  /** `salvaged`: what is left of the results of a bad block. */
  const decodeBlock = (
    raw: RawBlock,
    unknownTypeUrls: Set<string>,
    salvaged?: CompactResults,
  ): BlockHeader => {
    const header = readBlock(raw);
    const { events, txs } = stagesFor(header.appVersion);
    const results =
      salvaged === undefined
        ? readResults(raw, header.txCount, events, unknownTypeUrls)
        : scanCompact(salvaged, events, raw.height, unknownTypeUrls);
    const mentioned = new Set<string>();
    const parties = new Set<string>();
    const txHashes: Uint8Array[] = [];
    for (let txIndex = 0; txIndex < header.txs.length; txIndex++) {
      const bytes = Buffer.from(header.txs[txIndex] as string, 'base64');
      const hash = sha256(bytes);
      txHashes.push(hash);
      txs.append({
        header,
        txIndex,
        bytes,
        hash,
        results,
        mentioned,
        heightParties: parties,
        unknownTypeUrls,
      });
    }
    appendBlock(header, results);
    for (const account of results.blockEvents.mentioned) mentioned.add(account);
    appendMentions(header.height, mentioned, parties);
    tables.endHeight(header.height);
    const { txs: _, proposer: __, hashed: ___, ...rest } = header;
    if (context.verify === false) return { ...rest, eventCount: results.eventCount, ...UNVERIFIED };
    // what the next header must name is not known of results that are not whole
    const unknown = salvaged === undefined ? {} : { resultsHash: '', resultsAppHash: '' };
    const hashes = hasher.check({
      hash: header.hash,
      header: header.hashed,
      txHashes,
      txResults: results.txResults,
      results: salvaged === undefined ? raw.results : NO_BYTES,
    });
    return { ...rest, eventCount: results.eventCount, ...hashes, ...unknown };
  };

  const scanCompact = (
    { bytes, beginBlockEvents }: CompactResults,
    events: EventRows,
    height: number,
    unknownTypeUrls: Set<string>,
  ): BlockResults => {
    const results = scanner.scan(bytes, events, { height, beginBlockEvents, unknownTypeUrls });
    if (results === undefined) throw new Error('its results read otherwise each time');
    return results;
  };

  /** The fast reader where the layout allows it. Fewer results than txs is a node's broken answer, not a block. */
  const readResults = (
    raw: RawBlock,
    txCount: number,
    events: EventRows,
    unknownTypeUrls: Set<string>,
  ): BlockResults => {
    const { height } = raw;
    let results = scanner.scan(raw.results, events, { height, beginBlockEvents: -1, unknownTypeUrls });
    if (results === undefined) {
      tables.dropHeight();
      results = scanCompact(compactBlockResults(raw.results), events, height, unknownTypeUrls);
    }
    if (results.txResults.length === txCount) return results;
    throw new StrataError(
      'block_malformed',
      `block ${raw.height} has ${txCount} txs and ${results.txResults.length} results`,
      { height: raw.height, retryable: true },
    );
  };

  const appendBlock = (header: DecodedHeader, results: BlockResults): void => {
    const columns = tables.blocks.columns;
    columns.height.u64(header.height);
    columns.hash.fixed(hexToBytes(header.hash) ?? NO_BYTES);
    columns.parent_hash.fixed(hexToBytes(header.parentHash) ?? NO_BYTES);
    columns.time_ns.i64big(header.timeNs);
    columns.proposer.fixed(hexToBytes(header.proposer) ?? NO_BYTES);
    columns.app_version.u64big(/^\d+$/.test(header.appVersion) ? BigInt(header.appVersion) : 0n);
    columns.tx_count.u32(header.txCount);
    columns.event_count.u32(results.eventCount);
    columns.events.copy(results.text, results.blockEvents.start, results.blockEvents.end);
    tables.blocks.rows++;
  };

  const appendMentions = (
    height: number,
    mentioned: ReadonlySet<string>,
    parties: ReadonlySet<string>,
  ): void => {
    const columns = tables.accountMentions.columns;
    for (const account of mentioned) {
      if (parties.has(account)) continue;
      columns.account.latin1(account);
      columns.height.u64(height);
      tables.accountMentions.rows++;
    }
  };

  const decodeRange = (
    blocks: readonly RawBlock[],
    rawBytes: number,
    salvaged?: CompactResults,
  ): DecodedRange => {
    const unknownTypeUrls = new Set<string>();
    needsEvmDenom = false;
    const first = blocks[0];
    const last = blocks[blocks.length - 1];
    if (first === undefined || last === undefined)
      throw new StrataError('internal', 'a range without blocks');
    try {
      const headers = blocks.map((raw) => {
        try {
          return decodeBlock(raw, unknownTypeUrls, salvaged);
        } catch (error) {
          throw malformed(raw.height, error);
        }
      });
      return {
        fromHeight: first.height,
        toHeight: last.height,
        headers,
        tables: tables.finish(),
        hrp: context.hrp,
        unknownTypeUrls: [...unknownTypeUrls],
        ...(needsEvmDenom ? { needsEvmDenom } : {}),
        rawBytes,
      };
    } catch (error) {
      tables.reset();
      throw error;
    }
  };

  return {
    decodeRange: (blocks, rawBytes) => decodeRange(blocks, rawBytes),
    salvage(block, wish, rawBytes) {
      if (block.isReadable && !wish.isDisproved) {
        try {
          return decodeRange([block], rawBytes);
        } catch (error) {
          if (!isStrataError(error, 'block_malformed')) throw error;
        }
      }
      const { height, results, isReadable } = block;
      const { txCount } = readBlock(block);
      const { compact, reason } = salvageResults(results, txCount, {
        isReadable,
        isDisproved: wish.isDisproved,
      });
      const range = decodeRange([block], rawBytes, compact);
      const bad = { height, reason };
      return { ...range, tables: [...range.tables, badBlockRow(bad, results, wish)], badBlocks: [bad] };
    },
  };
}

function badBlockRow(
  { height, reason }: BadBlock,
  results: Uint8Array,
  { message, node }: SalvageWish,
): TableBlock {
  const row = new TableBuilder(BAD_BLOCKS);
  row.columns.height.u64(height);
  row.columns.reason.latin1(reason);
  row.columns.message.text(message);
  row.columns.node.text(node);
  row.columns.results_sha256.fixed(sha256(results));
  row.rows = 1;
  return { table: BAD_BLOCKS.name, rows: 1, native: row.finish() };
}

const NO_BYTES = new Uint8Array(0);

/** Whatever a block's bytes run into is the block's fault: another node may answer better. */
function malformed(height: number, error: unknown): StrataError {
  if (isStrataError(error) && error.code !== 'block_malformed') return error;
  const reason = isStrataError(error) ? error.message : `block ${height} cannot be decoded: ${String(error)}`;
  return new StrataError('block_malformed', reason, { height, retryable: true, cause: error });
}

/** The descriptor sets, compiled when first used: a block reads with its app version's set, else the newest. */
class RegistrySet {
  readonly #context: DecodeContext;
  readonly #compiled = new Map<Uint8Array, ProtoRegistry>();
  #empty: ProtoRegistry | undefined;

  constructor(context: DecodeContext) {
    this.#context = context;
  }

  forAppVersion(appVersion: string): ProtoRegistry {
    const sets = this.#context.descriptorSets;
    const set = sets.findLast((candidate) => candidate.appVersion === appVersion) ?? sets[sets.length - 1];
    if (set === undefined) {
      this.#empty ??= createRegistry(NO_BYTES);
      return this.#empty;
    }
    let registry = this.#compiled.get(set.bytes);
    if (registry === undefined) {
      registry = createRegistry(set.bytes);
      this.#compiled.set(set.bytes, registry);
    }
    return registry;
  }
}
