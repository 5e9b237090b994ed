import type { Clock } from 'strata-kit/clock';
import { deferred } from '../core/deferred.ts';
import { RowReader } from '../core/rowbinary.ts';
import { listBadBlocks } from '../store/bad-blocks.ts';
import { NO_MAP } from '../store/checkpoints.ts';
import { readFacts } from '../store/facts.ts';
import { countedRows } from '../store/generations.ts';
import { uintLiteral } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import type { Snapshot } from './route.ts';
import { EMPTY_SNAPSHOT, readSnapshot, type StateReading } from './rows.ts';

export const STATE_POLL_MS = 500;
/**
 * Where no other process can write into the store. This one reports commits, re-derivations and comparisons that it
 * makes; a `strata verify` that it makes for another process shows with a poll.
 */
export const REPORTED_POLL_MS = 10_000;
/** Of so many polls one reads everything; the others ask for the number of checkpoints, at a seventh of the CPU. */
const POLLS_PER_READING = 8;
/** Facts that are not part of a derivation, such as module accounts, are this old at most while blocks come. */
const FACTS_EVERY_MS = 10_000;
/** So long after the indexer of this process has given notice nothing is polled: it gives notice of the next commit, too. */
const QUIET_AFTER_NEWS_MS = 1_000;
/** Between a reading and one that a request asks for. */
const REFRESH_GAP_MS = 50;

/** Keeps the newest checkpoint and the chain's head, as the indexing process stored them. */
export interface ChainState {
  current(): Snapshot;
  /** What the store kept of its chain when that was read first: a new configuration comes with the next commit. */
  facts(): ReadonlyMap<string, string>;
  /** When that was read, in milliseconds since 1970. */
  readAtMs(): number;
  /**
   * The indexer of this process has committed, or changed other rows: look now instead of at the next poll. A commit is
   * shown as it says, and nothing is read from the store.
   */
  notify(news: CommitNews | 'changed'): void;
  /**
   * Resolves after a reading that began later than the call. Calls of a while share one, so that who makes us look
   * cannot make us look often. Errors: those of the reading.
   */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** A commit as it is shown; src/pipeline/messages.ts, CommitReport. */
export interface CommitNews {
  readonly height: number;
  readonly firstHeight: number;
  readonly blockTimeNs: bigint;
  readonly chainHeight: number;
  readonly checkpoint: {
    readonly generations: ReadonlyMap<string, number>;
    readonly driftRows: number;
    readonly badBlockRows: number;
  };
}

export interface ChainStateOptions {
  /** A session of its own, so that the poll never waits behind an answer's query. */
  readonly store: Store;
  readonly clock: Clock;
  readonly pollMs?: number;
  /** Runs with each reading, on the same session. */
  readonly alsoRead?: () => Promise<void>;
  /** Hears of a poll that failed; the last snapshot goes on being served. */
  readonly reportError: (error: unknown) => void;
}

/** See readSnapshot. */
const STATE_SQL = [
  "SELECT * FROM (SELECT toUInt8(0), height, first_height, block_time_ns, chain_height, rows['drift'], rows['bad_blocks'], generations " +
    'FROM checkpoints ORDER BY height DESC, written_at DESC LIMIT 1)',
  `SELECT toUInt8(1), toUInt64(0), toUInt64(0), toInt64(0), toUInt64(max(chain_height)), toUInt64(0), toUInt64(0), ${NO_MAP} FROM source_heads`,
  `SELECT toUInt8(2), toUInt64(max(sequence)), toUInt64(0), toInt64(0), toUInt64(0), toUInt64(0), toUInt64(0), ${NO_MAP} FROM reconciliations`,
].join(' UNION ALL ');

/**
 * Event values that are not the derived ones, and what comparisons with the chain found. A comparison of a whole module
 * counts by its differences, each of which is a row.
 */
function driftSql({ generations, indexedHeight }: Snapshot): string {
  const counted = countedRows({ generations, tableGenerations: new Map() }, 'drift');
  return (
    // as scalars the counts are Nullable, a byte more on the wire
    `SELECT assumeNotNull((SELECT count() FROM drift WHERE height <= ${uintLiteral(indexedHeight)} AND ${counted}) + ` +
    `(SELECT count() FROM reconciliation_checks FINAL WHERE agree = 0 AND check != 'export' AND height <= ${uintLiteral(indexedHeight)}))`
  );
}

/** Each commit and each re-derivation adds a row. The engine knows the number without reading any. */
const CHECKPOINT_COUNT_SQL = 'SELECT count() FROM checkpoints';

/** Reads the state once, then polls. Errors of the first reading: store_query_failed, store_unreachable. */
export async function openChainState(options: ChainStateOptions): Promise<ChainState> {
  const { store } = options;
  let last = EMPTY_SNAPSHOT;
  let countedKey = '';
  let polls = 0;
  let checkpoints = 0;
  let factsReadAtMs = 0;
  let facts = await readFacts(store);

  /** A new configuration makes a new generation, or comes with a process that has just begun to index. */
  const readFactsIfOld = async (found: Snapshot): Promise<void> => {
    const nowMs = options.clock.nowMs();
    if (nowMs - factsReadAtMs < FACTS_EVERY_MS && isSameGeneration(found, last)) return;
    facts = await readFacts(store);
    factsReadAtMs = nowMs;
  };

  const readWhole = async (): Promise<StateReading> => {
    // before the rest: a checkpoint that comes in between shows in the next poll
    checkpoints = await countCheckpoints(store);
    return readSnapshot(await store.query(STATE_SQL), EMPTY_SNAPSHOT);
  };

  const read = async (commit: CommitNews | undefined): Promise<Snapshot> => {
    const {
      snapshot: found,
      driftRows,
      badBlockRows,
    } = commit === undefined || last.indexedHeight === 0 ? await readWhole() : readingOf(commit, last);
    const key = `${driftRows} ${badBlockRows} ${found.reconciliations} ${generationsKey(found.generations)}`;
    let { driftTotal, badBlocks } = last;
    if (key !== countedKey || found.indexedHeight < last.indexedHeight) {
      driftTotal = new RowReader(await store.query(driftSql(found))).u64();
      badBlocks = await listBadBlocks(store, found.indexedHeight);
    }
    if (!isSameState(found, last)) await readFactsIfOld(found);
    countedKey = key;
    last = { ...found, driftTotal, badBlocks };
    return last;
  };
  let snapshot = await read(undefined);
  await options.alsoRead?.();
  let readAtMs = options.clock.nowMs();
  let closed = false;
  let wake = new AbortController();
  let refreshing: Promise<void> | undefined;
  /** Of those who wait for the reading that has not begun. */
  let next = deferred<undefined>();
  // nobody may be waiting when it fails
  const quiet = () => undefined;

  const refresh = async (): Promise<void> => {
    const sinceMs = options.clock.nowMs() - readAtMs;
    if (sinceMs < REFRESH_GAP_MS) await options.clock.sleep(REFRESH_GAP_MS - sinceMs);
    // the next reading is this one's: who comes later needs one that begins later
    refreshing = undefined;
    if (closed) return;
    const { promise } = next;
    isAsked = true;
    wake.abort();
    await promise;
  };

  /** Since the last reading, by the indexer of this process. */
  let news: CommitNews | 'changed' | undefined;
  /** Since the last reading, by a request. */
  let isAsked = false;
  let newsAtMs = Number.NEGATIVE_INFINITY;
  /** Whether a poll that nobody asked for has something to read. A failure shows in the reading. */
  const isDue = async (): Promise<boolean> => {
    if (options.clock.nowMs() - newsAtMs < QUIET_AFTER_NEWS_MS) return false;
    polls++;
    if (polls % POLLS_PER_READING === 0) return true;
    const askedAtMs = options.clock.nowMs();
    if ((await countCheckpoints(store).catch(() => -1)) !== checkpoints) return true;
    readAtMs = askedAtMs;
    return false;
  };

  const poll = async (): Promise<void> => {
    while (!closed) {
      await options.clock.sleep(options.pollMs ?? STATE_POLL_MS, wake.signal);
      if (closed) return;
      if (!wake.signal.aborted && !(await isDue())) continue;
      // replaced before reading, so that a notice that comes while reading is not lost
      wake = new AbortController();
      const commit = news === 'changed' || isAsked ? undefined : news;
      isAsked = false;
      if (news !== undefined) newsAtMs = options.clock.nowMs();
      news = undefined;
      const reading = next;
      next = deferred();
      reading.promise.catch(quiet);
      try {
        snapshot = await read(commit);
        readAtMs = options.clock.nowMs();
        await options.alsoRead?.();
        reading.resolve(undefined);
      } catch (error) {
        reading.reject(error);
        options.reportError(error);
      }
    }
    next.resolve(undefined);
  };
  const polling = poll();

  return {
    current: () => snapshot,
    facts: () => facts,
    readAtMs: () => readAtMs,
    notify(what) {
      if (news !== 'changed') news = what;
      wake.abort();
    },
    refresh: () => {
      refreshing ??= refresh();
      return refreshing;
    },
    close: async () => {
      closed = true;
      wake.abort();
      await polling;
    },
  };
}

function readingOf(
  {
    height,
    firstHeight,
    blockTimeNs,
    chainHeight,
    checkpoint: { generations, driftRows, badBlockRows },
  }: CommitNews,
  before: Snapshot,
): StateReading {
  const snapshot = {
    ...before,
    indexedHeight: height,
    firstHeight,
    latestBlockTimeNs: blockTimeNs,
    chainHeight: Math.max(before.chainHeight, chainHeight, height),
    generations,
  };
  return { snapshot, driftRows, badBlockRows };
}

async function countCheckpoints(store: Store): Promise<number> {
  return new RowReader(await store.query(CHECKPOINT_COUNT_SQL)).u64();
}

/**
 * Whether two snapshots show the same rows: answers of the one are those of the other. A re-derivation changes what is
 * shown of a height, a reconciliation what is known of it.
 */
export function isSameState(a: Snapshot, b: Snapshot): boolean {
  return stateKey(a) === stateKey(b);
}

/** Equal for snapshots that show the same rows. */
export function stateKey({ indexedHeight, reconciliations, generations }: Snapshot): string {
  return `${indexedHeight} ${reconciliations} ${generationsKey(generations)}`;
}

/** Whether both show rows of the same derivations. */
export function isSameGeneration(a: Snapshot, b: Snapshot): boolean {
  return generationsKey(a.generations) === generationsKey(b.generations);
}

const generationKeys = new WeakMap<ReadonlyMap<string, number>, string>();

function generationsKey(generations: ReadonlyMap<string, number>): string {
  const known = generationKeys.get(generations);
  if (known !== undefined) return known;
  const key = [...generations].sort(([a], [b]) => (a < b ? -1 : 1)).join(' ');
  generationKeys.set(generations, key);
  return key;
}
