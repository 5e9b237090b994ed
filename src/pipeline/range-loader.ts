import { backoffMs } from 'strata-kit/backoff';
import type { Clock } from 'strata-kit/clock';
import { type ErrorCode, isStrataError, StrataError } from 'strata-kit/errors';
import type { BlockSource, RawBody, RawRange } from '../chain/source.ts';
import { type DecodedRange, lastHeader, type SalvageWish } from '../decode/range.ts';
import { type ChainPosition, followHeaders } from '../derive/header-chain.ts';
import { type BlockVerifier, DisprovedResults } from './block-verifier.ts';
import { NewDescriptors } from './decode-stage.ts';
import { around, cutFor, isDisprovedIn, isOfBlock, isPair, type Part, refusalBehind } from './range-cuts.ts';
import { UnusableBlock } from './unusable-block.ts';

/** Bytes that a node sent but that cannot be used are asked for again this often, from another node where there is one. */
const MAX_ATTEMPTS = 12;
/** A bad block that may be kept as it is: each node is asked, without long waits. */
const MAX_BRIEF_ATTEMPTS = 5;
/** Blocks that do not follow each other are asked for again less often: a fork does not heal. */
const MAX_FORK_ATTEMPTS = 5;
const BACKOFF = { firstMs: 50, maxMs: 5_000 };
/** A node's bad blocks that are kept are reported this rarely: each report makes the node wait longer. */
const REPORT_INTERVAL_MS = 5_000;
const SALVAGE_ATTEMPTS = 3;
/** Bad heights that are remembered, so that they are not found out again. */
const MAX_KNOWN = 10_000;

/** A decoded range with the bytes that it came in, or those of its higher heights, where somebody keeps them. */
export interface LoadedRange extends DecodedRange {
  readonly raw?: readonly RawBody[];
  /** Where there are bad blocks: the range in parts, in order, each bad block a part of its own; `tables` is empty then. */
  readonly parts?: readonly DecodedRange[];
}

export interface RangeLoader {
  /**
   * Fetches and decodes one range. Its first block must follow `parent` where that is known. Bad blocks that may be kept
   * are in it as far as they can be read, each as a part of its own (partsOf).
   *
   * Errors: final ones of the source; parent_mismatch with the height when the blocks do not follow each other however
   * often they are asked for; UnusableBlock for a bad block that may not be kept; after MAX_ATTEMPTS bad answers of
   * another kind block_refused when the last one could be read and was wrong, else sources_exhausted.
   */
  load(
    fromHeight: number,
    toHeight: number,
    signal: AbortSignal,
    parent?: ChainPosition,
  ): Promise<LoadedRange>;
}

export interface RangeLoaderOptions {
  readonly source: BlockSource;
  readonly decode: (range: RawRange, salvage?: SalvageWish) => Promise<DecodedRange>;
  readonly chainId: string;
  readonly verifier: BlockVerifier;
  /** Whether a block whose results cannot be used is kept all the same. */
  readonly accepts: (height: number) => boolean;
  /** Whether a bad block is asked for a few times only: where it may be kept, or a person waits. */
  readonly isBrief: (height: number) => boolean;
  readonly clock: Clock;
  /** Whether the bytes of a range that ends at this height are wanted too; not, when left out. */
  readonly keepsRaw?: ((toHeight: number) => boolean) | undefined;
}

/** What is wrong with a block, as far as asking again has shown. */
type Blame = Pick<SalvageWish, 'isDisproved' | 'message'> & { readonly height: number };

/** One place decides what a bad answer does: tell the source, wait, fetch again, stop after a bounded time. */
export function createRangeLoader(options: RangeLoaderOptions): RangeLoader {
  const { source, decode, chainId, verifier, accepts, isBrief, clock, keepsRaw } = options;
  /** Bad blocks that are kept. */
  const known = new Map<number, Blame>();
  const reportedMs = new Map<string, number>();

  async function loadOnce(
    raw: RawRange,
    parent: ChainPosition | undefined,
    salvage?: SalvageWish,
  ): Promise<LoadedRange> {
    const { fromHeight, toHeight } = raw;
    // decoding takes the bytes away
    const bodies = keepsRaw?.(toHeight) === true ? raw.bodies.map(copyOf) : undefined;
    const decoded = await decode(raw, salvage);
    checkRange(decoded, fromHeight, toHeight, chainId);
    try {
      verifier.check(decoded.headers, parent);
    } catch (error) {
      // the header of another branch disproves nothing
      if (error instanceof DisprovedResults) followHeaders(parent, decoded.headers);
      throw error;
    }
    followHeaders(parent, decoded.headers);
    return bodies === undefined ? decoded : { ...decoded, raw: bodies };
  }

  async function loadParts(
    parts: readonly Part[],
    signal: AbortSignal,
    parent: ChainPosition | undefined,
  ): Promise<LoadedRange> {
    const loaded: LoadedRange[] = [];
    let before = parent;
    for (const [from, to] of parts) {
      // where parts do not fit each other either may be wrong: all are asked for again
      const part = await load(from, to, signal, before, 1);
      loaded.push(part);
      before = endOf(part);
    }
    return loaded.reduce(joined);
  }

  async function load(
    fromHeight: number,
    toHeight: number,
    signal: AbortSignal,
    parent: ChainPosition | undefined,
    maxForks: number,
  ): Promise<LoadedRange> {
    let lastError: unknown;
    let forks = 0;
    let cut: readonly Part[] | undefined;
    const origins = new Set<string>();
    const attempts = (): number => {
      const isAlone = fromHeight === toHeight || isPair(lastError, fromHeight, toHeight);
      return isAlone && isOfBlock(lastError) && isBrief(fromHeight) ? MAX_BRIEF_ATTEMPTS : MAX_ATTEMPTS;
    };
    for (let attempt = 0; attempt < attempts(); attempt++) {
      if (attempt > 0) await clock.sleep(backoffMs(BACKOFF, attempt), signal);
      if (signal.aborted) throw new StrataError('aborted', 'stopped');
      const bad = knownIn(fromHeight, toHeight);
      if (bad !== undefined && fromHeight === toHeight) return salvage(bad, signal, parent);
      const parts = bad === undefined ? cut : around([bad.height, bad.height], fromHeight, toHeight);
      let raw: RawRange | undefined;
      try {
        if (parts !== undefined) return await loadParts(parts, signal, parent);
        raw = await source.fetch(fromHeight, toHeight, signal);
        return await loadOnce(raw, parent);
      } catch (error) {
        if (error instanceof NewDescriptors) continue;
        if (raw === undefined && parts === undefined) {
          // every node has been asked, and again
          const refusal = refusalBehind(error, fromHeight);
          if (refusal === undefined) throw error;
          lastError = refusal;
          cut = cutFor(refusal, fromHeight, toHeight, attempt);
          if (cut === undefined) break;
          continue;
        }
        const isOwn = isDisprovedIn(error, fromHeight);
        const isFork = isStrataError(error, 'parent_mismatch') && !isOwn;
        if (!isFork && !isOwn && (!isStrataError(error) || !error.retryable)) throw error;
        const isSeen = raw !== undefined && origins.has(raw.origin) && fromHeight === toHeight;
        if (raw !== undefined) origins.add(raw.origin);
        const isFinal = raw !== undefined && !isSeen && !report(raw, error);
        if (isFork && ++forks >= maxForks) throw error;
        cut = isFork ? undefined : cutFor(error, fromHeight, toHeight, attempt);
        lastError = error;
        if (isFinal && cut === undefined) break;
      }
    }
    const blame = await findBlame(lastError, fromHeight, toHeight, signal);
    if (blame !== undefined) return settle(blame, fromHeight, toHeight, signal, parent, [...origins]);
    const reason = lastError instanceof Error ? lastError.message : String(lastError);
    throw new StrataError(
      isStrataError(lastError, 'block_refused') ? 'block_refused' : 'sources_exhausted',
      `heights ${fromHeight} to ${toHeight} could not be read in ${MAX_ATTEMPTS} attempts; last: ${reason}`,
      { height: fromHeight, cause: lastError },
    );
  }

  /** The block that is to blame when asking again has not helped; undefined where it may be the nodes. */
  async function findBlame(
    error: unknown,
    fromHeight: number,
    toHeight: number,
    signal: AbortSignal,
  ): Promise<Blame | undefined> {
    if (!isStrataError(error)) return undefined;
    const { message } = error;
    if (error instanceof DisprovedResults) {
      return { height: error.disprovedHeight, isDisproved: true, message };
    }
    if (fromHeight !== toHeight) return undefined;
    const isBlock =
      error.code === 'block_malformed' || (isOfBlock(error) && (await areNodesWell(fromHeight, signal)));
    return isBlock ? { height: fromHeight, isDisproved: false, message } : undefined;
  }

  /** Whether a neighbour of the block comes as it should: then it is the block, and not who answers. */
  async function areNodesWell(height: number, signal: AbortSignal): Promise<boolean> {
    for (const neighbour of [height - 1, height + 1]) {
      try {
        await decode(await source.fetch(neighbour, neighbour, signal));
        return true;
      } catch (error) {
        if (error instanceof NewDescriptors) return true;
        if (!isStrataError(error) || signal.aborted) throw error;
      }
    }
    return false;
  }

  /** Keeps the bad block where that is allowed, and goes on with the range. */
  async function settle(
    blame: Blame,
    fromHeight: number,
    toHeight: number,
    signal: AbortSignal,
    parent: ChainPosition | undefined,
    nodes: readonly string[],
  ): Promise<LoadedRange> {
    const { height, message } = blame;
    const salvaged = await salvage(blame, signal, height === fromHeight ? parent : undefined).catch(
      (error: unknown) => {
        if (isStrataError(error) && UNREADABLE.has(error.code)) return undefined;
        throw error;
      },
    );
    // it came right after all
    if (salvaged !== undefined && salvaged.badBlocks === undefined) return salvaged;
    if (salvaged === undefined || !accepts(height)) {
      throw new UnusableBlock(
        height,
        message,
        nodes.length > 0 ? nodes : [source.name],
        salvaged?.headers[0],
      );
    }
    remember(blame);
    return fromHeight === toHeight ? salvaged : load(fromHeight, toHeight, signal, parent, 1);
  }

  /** The block with what can be read of its results; as any other where they have come right, unless disproved. */
  async function salvage(
    { height, isDisproved, message }: Blame,
    signal: AbortSignal,
    parent: ChainPosition | undefined,
  ): Promise<LoadedRange> {
    for (let attempt = 1; ; attempt++) {
      const raw = await source.fetch(height, height, signal, { keepsRefusals: true });
      try {
        const loaded = await loadOnce(raw, parent, { isDisproved, message, node: raw.origin });
        return loaded.badBlocks === undefined ? loaded : { ...loaded, parts: [loaded], tables: [] };
      } catch (error) {
        if (error instanceof NewDescriptors) continue;
        if (attempt === SALVAGE_ATTEMPTS || !isStrataError(error) || !error.retryable) throw error;
        await clock.sleep(backoffMs(BACKOFF, attempt), signal);
      }
    }
  }

  function knownIn(fromHeight: number, toHeight: number): Blame | undefined {
    if (known.size === 0) return undefined;
    for (let height = fromHeight; height <= toHeight; height++) {
      const blame = known.get(height);
      if (blame !== undefined) return blame;
    }
    return undefined;
  }

  function remember(blame: Blame): void {
    for (const oldest of known.keys()) {
      if (known.size < MAX_KNOWN) break;
      known.delete(oldest);
    }
    known.set(blame.height, blame);
  }

  /** False: the source has nothing else to give, and the block itself is to blame. Errors: those of reportBad. */
  function report(raw: RawRange, error: StrataError): boolean {
    const isBlock =
      error.code === 'block_malformed' ||
      (error instanceof DisprovedResults && error.code !== 'parent_mismatch');
    const isKept = isOfBlock(error) && error.height !== undefined && accepts(error.height);
    const nowMs = clock.nowMs();
    if (isKept) {
      if (nowMs - (reportedMs.get(raw.origin) ?? Number.NEGATIVE_INFINITY) < REPORT_INTERVAL_MS) return true;
      reportedMs.set(raw.origin, nowMs);
    }
    try {
      source.reportBad(raw, error);
      return true;
    } catch (final) {
      if (isBlock) return false;
      // that blocks do not follow each other says more
      throw error.code === 'parent_mismatch' ? error : final;
    }
  }

  return {
    load: (fromHeight, toHeight, signal, parent) =>
      load(fromHeight, toHeight, signal, parent, MAX_FORK_ATTEMPTS),
  };
}

function copyOf(body: RawBody): RawBody {
  return { ...body, bytes: Uint8Array.from(body.bytes) };
}

/** Errors of the block's own bytes, or of those where they should be. */
const UNREADABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'block_malformed',
  'block_refused',
  'node_bad_answer',
  'node_rpc_error',
]);

/** A range as the writer is to get it. */
export function partsOf(range: LoadedRange): readonly DecodedRange[] {
  return range.parts ?? [range];
}

function joined(left: LoadedRange, right: LoadedRange): LoadedRange {
  const raw = [...(left.raw ?? []), ...(right.raw ?? [])];
  const badBlocks = [...(left.badBlocks ?? []), ...(right.badBlocks ?? [])];
  const whole = {
    fromHeight: left.fromHeight,
    toHeight: right.toHeight,
    headers: [...left.headers, ...right.headers],
    tables: [...left.tables, ...right.tables],
    hrp: left.hrp,
    unknownTypeUrls: [...new Set([...left.unknownTypeUrls, ...right.unknownTypeUrls])],
    rawBytes: left.rawBytes + right.rawBytes,
    ...(raw.length === 0 ? {} : { raw }),
  };
  if (badBlocks.length === 0) return whole;
  return { ...whole, tables: [], badBlocks, parts: [...partsOf(left), ...partsOf(right)] };
}

/** Where a range leaves the chain. */
export function endOf(range: DecodedRange): ChainPosition {
  const { height, hash, resultsHash, resultsAppHash } = lastHeader(range);
  return { height, hash, resultsHash, resultsAppHash };
}

/** A node of another chain answers with another chain id. */
function checkRange(decoded: DecodedRange, fromHeight: number, toHeight: number, chainId: string): void {
  if (decoded.headers.length !== toHeight - fromHeight + 1 || decoded.fromHeight !== fromHeight) {
    throw new StrataError('block_refused', `heights ${fromHeight} to ${toHeight} came incomplete`, {
      retryable: true,
    });
  }
  for (const header of decoded.headers) {
    if (header.chainId !== chainId) {
      throw new StrataError(
        'block_refused',
        `block ${header.height} is of chain ${header.chainId}, not ${chainId}`,
        { retryable: true, height: header.height },
      );
    }
  }
}
