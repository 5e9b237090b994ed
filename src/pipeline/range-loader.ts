import type { BlockSource, RawBody, RawRange } from '../chain/source.ts';
import type { Clock } from '../core/clock.ts';
import { isStrataError, StrataError } from '../core/errors.ts';
import { type DecodedRange, lastHeader } from '../decode/range.ts';
import { type ChainPosition, followHeaders } from '../derive/header-chain.ts';
import type { BlockVerifier } from './block-verifier.ts';
import { NewDescriptors } from './decode-stage.ts';

/** Bytes that a node sent but that cannot be used are asked for again this often, from another node where there is one. */
const MAX_ATTEMPTS = 12;
/** Blocks that do not follow each other are asked for again less often: a fork does not heal. */
const MAX_FORK_ATTEMPTS = 5;
/** What fits one request is asked for as a whole. */
const MIN_HALVED_BLOCKS = 5;
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 5_000;

/** A decoded range with the bytes that it came in, or those of its higher heights, where somebody keeps them. */
export interface LoadedRange extends DecodedRange {
  readonly raw?: readonly RawBody[];
}

export interface RangeLoader {
  /**
   * Fetches and decodes one range. Its first block must follow `parent` where that is known.
   *
   * Errors: final ones of the source; parent_mismatch with the height when the blocks do not follow each other however
   * often they are asked for; after MAX_ATTEMPTS bad answers of another kind block_refused when the last one could be read
   * and was wrong, else sources_exhausted.
   */
  load(
    fromHeight: number,
    toHeight: number,
    signal: AbortSignal,
    parent?: ChainPosition,
  ): Promise<LoadedRange>;
}

/**
 * One place decides what a bad answer does: tell the source, wait, fetch again, stop after a bounded time. `keepsRaw`:
 * whether the bytes of a range that ends at this height are wanted too.
 */
export function createRangeLoader(
  source: BlockSource,
  decode: (range: RawRange) => Promise<DecodedRange>,
  chainId: string,
  verifier: BlockVerifier,
  clock: Clock,
  keepsRaw: (toHeight: number) => boolean = () => false,
): RangeLoader {
  async function loadOnce(
    raw: RawRange,
    fromHeight: number,
    toHeight: number,
    parent: ChainPosition | undefined,
  ): Promise<LoadedRange> {
    // decoding takes the bytes away
    const bodies = keepsRaw(toHeight) ? raw.bodies.map(copyOf) : undefined;
    const decoded = await decode(raw);
    checkRange(decoded, fromHeight, toHeight, chainId);
    verifier.check(decoded.headers, parent);
    followHeaders(parent, decoded.headers);
    return bodies === undefined ? decoded : { ...decoded, raw: bodies };
  }

  /** Of a node that answers wrongly now and then, halves come right sooner than the whole. */
  async function loadHalves(
    fromHeight: number,
    toHeight: number,
    signal: AbortSignal,
    parent: ChainPosition | undefined,
  ): Promise<LoadedRange> {
    const middle = Math.floor((fromHeight + toHeight) / 2);
    // where the halves do not fit each other either may be wrong: both are asked for again
    const left = await load(fromHeight, middle, signal, parent, 1);
    const right = await load(middle + 1, toHeight, signal, endOf(left), 1);
    return joined(left, right);
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
    let isHalved = false;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (attempt > 0) await clock.sleep(Math.min(FIRST_DELAY_MS * 2 ** (attempt - 1), MAX_DELAY_MS), signal);
      if (signal.aborted) throw new StrataError('aborted', 'stopped');
      const raw = isHalved ? undefined : await source.fetch(fromHeight, toHeight, signal);
      try {
        return await (raw === undefined
          ? loadHalves(fromHeight, toHeight, signal, parent)
          : loadOnce(raw, fromHeight, toHeight, parent));
      } catch (error) {
        if (error instanceof NewDescriptors) continue;
        const isFork = isStrataError(error, 'parent_mismatch');
        if (!isFork && (!isStrataError(error) || !error.retryable)) throw error;
        if (raw !== undefined) reportBad(source, raw, error);
        if (isFork && ++forks >= maxForks) throw error;
        isHalved = !isFork && toHeight - fromHeight >= MIN_HALVED_BLOCKS;
        lastError = error;
      }
    }
    const reason = lastError instanceof Error ? lastError.message : String(lastError);
    throw new StrataError(
      isStrataError(lastError, 'block_refused') ? 'block_refused' : 'sources_exhausted',
      `heights ${fromHeight} to ${toHeight} could not be read in ${MAX_ATTEMPTS} attempts; last: ${reason}`,
      { height: fromHeight, cause: lastError },
    );
  }

  return {
    load: (fromHeight, toHeight, signal, parent) =>
      load(fromHeight, toHeight, signal, parent, MAX_FORK_ATTEMPTS),
  };
}

function copyOf(body: RawBody): RawBody {
  return { ...body, bytes: Uint8Array.from(body.bytes) };
}

function joined(left: LoadedRange, right: LoadedRange): LoadedRange {
  const raw = [...(left.raw ?? []), ...(right.raw ?? [])];
  return {
    fromHeight: left.fromHeight,
    toHeight: right.toHeight,
    headers: [...left.headers, ...right.headers],
    tables: [...left.tables, ...right.tables],
    hrp: left.hrp,
    unknownTypeUrls: [...new Set([...left.unknownTypeUrls, ...right.unknownTypeUrls])],
    rawBytes: left.rawBytes + right.rawBytes,
    ...(raw.length === 0 ? {} : { raw }),
  };
}

/** Where a range leaves the chain. */
export function endOf(range: DecodedRange): ChainPosition {
  const { height, hash, resultsHash, resultsAppHash } = lastHeader(range);
  return { height, hash, resultsHash, resultsAppHash };
}

/** A capture throws here, as it has nothing else to give; that blocks do not follow each other says more. */
function reportBad(source: BlockSource, raw: RawRange, error: StrataError): void {
  try {
    source.reportBad(raw, error);
  } catch (final) {
    throw error.code === 'parent_mismatch' ? error : final;
  }
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
