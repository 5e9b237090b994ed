import type { CommandContext } from 'strata-kit/cli/context';
import { systemClock } from 'strata-kit/clock';
import { type AnswerFacts, addApiMetrics } from '../admin/api-metrics.ts';
import { addBadBlockMetrics, type BadBlocksShown } from '../admin/bad-blocks.ts';
import { addDeskMetrics } from '../admin/desk-metrics.ts';
import { addDriftMetrics } from '../admin/drift-metrics.ts';
import { addIndexingMetrics, type InFlight } from '../admin/indexing-metrics.ts';
import { createMetrics } from '../admin/metrics.ts';
import {
  addHeadBackMetrics,
  addPositionMetrics,
  type HeadBackShown,
  type Position,
} from '../admin/position.ts';
import { addReadinessMetrics, assessReadiness, type Concern, type Readiness } from '../admin/readiness.ts';
import {
  addExportMetrics,
  addReconciliationMetrics,
  type ExportFacts,
  type ReconciliationFacts,
} from '../admin/reconciliation-metrics.ts';
import { listenAdmin } from '../admin/server.ts';
import { addSourceMetrics, type SourceMetrics } from '../admin/source-metrics.ts';
import type { Snapshot } from '../api/route.ts';
import { areModulesOn } from '../core/layers.ts';
import { baseModulesOf } from '../modules/modules.ts';
import type { ModulesState } from '../pipeline/derive-stage.ts';
import type { IndexingHealth } from '../pipeline/health.ts';
import type { CommitReport } from '../pipeline/messages.ts';
import { type AdminOptions, readyLag } from '../settings/serving.ts';
import { NO_BAD_BLOCKS } from '../store/bad-blocks.ts';
import { privateListenWarnings } from './listening.ts';

/** What the parts of a process tell its admin listener. */
export interface Admin {
  /** http://host:port */
  readonly url: string;
  /** Hears of the exchanges with nodes. */
  readonly source: SourceMetrics;
  noteCommit(commit: CommitReport): void;
  noteHead(chainHeight: number): void;
  /** A comparison with the chain; undefined for one that failed. */
  noteReconciliation(found: ReconciliationFacts | undefined): void;
  /** A comparison of a module's whole state; undefined for one that failed. */
  noteExport(found: ExportFacts | undefined): void;
  noteAnswer(answer: AnswerFacts): void;
  /** By how a trade came, and why the desk refused it. */
  noteRefusal(door: string, reason: string): void;
  /** Indexing has been opened: where it stands, and what it has in flight from now on. */
  watchIndexing(indexing: WatchedIndexing, toHeight: number | undefined): void;
  /** The API is served. In a process that does not index, its store says where it stands. */
  watchServing(serving: WatchedServing): void;
  close(): Promise<void>;
}

export interface WatchedIndexing {
  readonly chainHeight: number;
  readonly position: { readonly height: number; readonly blockTimeNs: bigint } | undefined;
  inFlight(): InFlight;
  modules(): ModulesState;
  badBlocks(): BadBlocksShown;
}

type Shown = Pick<
  Snapshot,
  | 'indexedHeight'
  | 'chainHeight'
  | 'latestBlockTimeNs'
  | 'generations'
  | 'driftTotal'
  | 'reconciliations'
  | 'badBlocks'
>;

export interface WatchedServing {
  snapshot(): Shown;
  readAtMs(): number;
}

/** Which groups of metrics a command has: those of indexing where there is a health, those of the API. */
export interface AdminParts {
  readonly command: string;
  readonly health?: IndexingHealth;
  readonly api?: boolean;
  readonly desk?: { isPaused(): boolean };
}

/** The checkpoint is read four times a second. */
const MAX_STATE_AGE_MS = 10_000;

const NOWHERE: Position = { indexedHeight: 0, chainHeight: 0, blockTimeNs: 0n };
const SILENT: SourceMetrics = { onRequest: () => {}, onError: () => {} };

/**
 * Listens where --admin says, before anything else is opened, so that a store under repair is seen as alive and not
 * ready. Undefined without --admin. Errors: config_invalid when the address cannot be listened on.
 */
export async function startAdmin(
  options: AdminOptions,
  parts: AdminParts,
  { log, version }: CommandContext,
): Promise<Admin | undefined> {
  if (options.admin === undefined) return undefined;
  const { health, api = false } = parts;
  const indexes = health !== undefined;
  const registry = createMetrics({ version, command: parts.command });
  let indexed = NOWHERE;
  let position = (): Position => indexed;
  let lastHeight = Number.POSITIVE_INFINITY;
  let inFlight = (): InFlight | undefined => undefined;
  let modules = (): ModulesState => 'undecided';
  let badBlocks = (): BadBlocksShown => NO_BAD_BLOCKS;
  let serving: WatchedServing | undefined;
  const concerns: Concern[] = [];
  if (indexes) concerns.push(() => indexingConcern(health));
  if (api) concerns.push(() => servingConcern(serving));
  const readiness = (): Readiness => {
    const now = position();
    // indexing that ends at --to has done all it is to do
    const target = { ...now, chainHeight: Math.min(now.chainHeight, lastHeight) };
    const goal =
      indexes || api
        ? { position: target, readyLagBlocks: options.readyLagBlocks ?? readyLag.preset }
        : undefined;
    return assessReadiness(goal, concerns, health?.status().stall?.reason, {
      modules: modules(),
      badBlocks: badBlocks(),
      ...(health === undefined ? {} : { headBack: shownHeadBack(health) }),
    });
  };
  if (indexes || api) addPositionMetrics(registry, () => position(), systemClock.nowMs);
  addReadinessMetrics(registry, readiness);
  if (indexes || api) addBadBlockMetrics(registry, () => badBlocks());
  if (health !== undefined) addHeadBackMetrics(registry, () => shownHeadBack(health));
  const countCommit = indexes ? addIndexingMetrics(registry, () => inFlight()) : undefined;
  const countReconciliation = indexes ? addReconciliationMetrics(registry) : undefined;
  const countExport = indexes ? addExportMetrics(registry) : undefined;
  const countRefusal = parts.desk === undefined ? undefined : addDeskMetrics(registry, parts.desk.isPaused);
  const countAnswer = api ? addApiMetrics(registry) : undefined;
  if (api) addDriftMetrics(registry, () => serving?.snapshot());
  const server = await listenAdmin(
    {
      readiness,
      metrics: registry,
      onError: (error) => log.warn({ err: error }, 'the admin listener could not answer'),
    },
    options.admin,
  );
  log.info(`admin listener at ${server.url}`);
  for (const warning of privateListenWarnings('the admin listener', options.admin)) log.warn(warning);

  const noteHead = (height: number): void => {
    indexed = { ...indexed, chainHeight: Math.max(indexed.chainHeight, height) };
  };
  const noteHeight = (height: number, blockTimeNs: bigint): void => {
    indexed = { ...indexed, indexedHeight: height, blockTimeNs };
    noteHead(height);
  };
  return {
    url: server.url,
    source: indexes ? addSourceMetrics(registry) : SILENT,
    noteHead,
    noteCommit: (commit) => {
      noteHeight(commit.height, commit.blockTimeNs);
      countCommit?.(commit);
    },
    noteReconciliation: (found) => countReconciliation?.(found),
    noteExport: (found) => countExport?.(found),
    noteAnswer: (answer) => countAnswer?.(answer),
    noteRefusal: (door, reason) => countRefusal?.(door, reason),
    watchIndexing: (indexing, toHeight) => {
      if (indexing.position !== undefined)
        noteHeight(indexing.position.height, indexing.position.blockTimeNs);
      noteHead(indexing.chainHeight);
      lastHeight = toHeight ?? Number.POSITIVE_INFINITY;
      inFlight = () => indexing.inFlight();
      modules = () => indexing.modules();
      badBlocks = () => indexing.badBlocks();
    },
    watchServing: (given) => {
      serving = given;
      if (indexes) return;
      position = () => shownPosition(given.snapshot());
      modules = () => shownModules(given.snapshot());
      badBlocks = () => given.snapshot().badBlocks;
    },
    close: () => server.close(),
  };
}

/** Runs `use` beside the admin listener, if one is wanted. */
export async function withAdmin<T>(
  options: AdminOptions,
  parts: AdminParts,
  context: CommandContext,
  use: (admin: Admin | undefined) => Promise<T>,
): Promise<T> {
  const admin = await startAdmin(options, parts, context);
  try {
    return await use(admin);
  } finally {
    await admin?.close();
  }
}

function shownPosition({ indexedHeight, chainHeight, latestBlockTimeNs }: Shown): Position {
  return { indexedHeight, chainHeight, blockTimeNs: latestBlockTimeNs };
}

function shownHeadBack(health: IndexingHealth): HeadBackShown | null {
  const { headBack } = health.status();
  return headBack === undefined ? null : { from: headBack.fromHeight, to: headBack.toHeight };
}

function shownModules({ indexedHeight, generations }: Shown): ModulesState {
  if (indexedHeight === 0) return 'undecided';
  return areModulesOn(generations, baseModulesOf()) ? 'on' : 'off';
}

/** A chain without new blocks leaves nothing behind: it is told, and is no reason against being ready. */
function indexingConcern(health: IndexingHealth): string | undefined {
  const { phase, stall, lastError, headBack } = health.status();
  if (phase === 'opening') return 'the store is being opened';
  if (stall === undefined || stall.reason === 'no_new_block') return undefined;
  const seconds = Math.round((systemClock.nowMs() - stall.sinceMs) / 1_000);
  if (headBack !== undefined && stall.reason === 'head_back') {
    return `the nodes' head went back from height ${headBack.fromHeight} to ${headBack.toHeight}, ${seconds} s ago`;
  }
  const error = lastError === undefined ? '' : `, last error ${lastError.code}`;
  return `indexing stands still for ${seconds} s (${stall.reason}${error})`;
}

function servingConcern(serving: WatchedServing | undefined): string | undefined {
  if (serving === undefined) return 'the API is not served yet';
  const ageMs = systemClock.nowMs() - serving.readAtMs();
  return ageMs <= MAX_STATE_AGE_MS
    ? undefined
    : `the store's checkpoint could not be read for ${Math.round(ageMs / 1_000)} s`;
}
