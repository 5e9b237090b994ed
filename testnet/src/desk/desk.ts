import PQueue from 'p-queue';
import type { Logger } from 'pino';
import type { Clock } from 'strata-kit/clock';
import { DEFAULT_RISK, type DeskRisk } from 'strata-kit/desk-risk';
import type { Chain } from '../chain.ts';
import type { AppDatabase } from '../database/tables.ts';
import type { Indexer } from '../indexer.ts';
import type { Instrument } from '../instrument.ts';
import type { Documents } from '../launchpad/documents.ts';
import type { Sender } from '../sender.ts';
import { createAcceptance } from './acceptance.ts';
import { type Book, createBook } from './book.ts';
import { createCaps } from './caps.ts';
import { createDispatch, type DeskStep } from './dispatch.ts';
import { createLedger } from './ledger.ts';
import { createLimits } from './limits.ts';
import { createMarket } from './market.ts';
import { createPause, type Pause } from './pause.ts';
import { createRefusals, type Door, type RefusalReason } from './refusals.ts';
import { createRfq, type Rfq } from './rfq.ts';
import { readSettlement } from './settlement.ts';
import { createTrades } from './trades.ts';

/** The trade desk: it quotes, proposes what it is asked for, and accepts what fits. */
export interface Desk {
  /** Bech32. */
  readonly address: string;
  isPaused(): boolean;
  readonly book: Book;
  readonly rfq: Rfq;
  /** Resolves what an earlier process left, follows open proposals and accepts, until the signal aborts. */
  run(signal: AbortSignal): Promise<void>;
}

export interface DeskOptions {
  readonly chain: Chain;
  readonly indexer: Indexer;
  readonly database: AppDatabase;
  readonly sender: Sender;
  readonly clock: Clock;
  readonly log: Logger;
  /** False while the database may be another desk's: nothing is reserved or resolved then. Always true when left out. */
  readonly isHeld?: () => boolean;
  /** May grow while the app runs: a testnet's are made. */
  readonly instruments: () => readonly Instrument[];
  /** False while a start still looks for some; always true. */
  readonly isComplete?: () => boolean;
  readonly documents: Pick<Documents, 'get'>;
  /** What it risks at most; DEFAULT_RISK. */
  readonly risk?: DeskRisk;
  /** Not paused when left out. */
  readonly pause?: Pick<Pause, 'isPaused'>;
  readonly onRefusal?: (door: Door, reason: RefusalReason) => void;
  /** Between two rounds; 1,000. */
  readonly roundMs?: number;
  /** Blocks in which a tx of the desk may stand; 20. */
  readonly timeoutBlocks?: number;
  readonly maxLagMs?: number;
  readonly answerMs?: number;
  readonly onStep?: (step: DeskStep, trade: string) => void | Promise<void>;
}

/** Proposals that a round looks after, and how long ended trades are kept. */
const FOLLOWED = 40;
const KEPT_MS = 7 * 86_400_000;
const PURGE_MS = 3_600_000;
const ENDS: Readonly<Record<string, 'settled' | 'cancelled' | 'expired'>> = {
  STATUS_SETTLED: 'settled',
  STATUS_CANCELLED: 'cancelled',
  STATUS_EXPIRED: 'expired',
};

export function createDesk(options: DeskOptions): Desk {
  const { chain, indexer, database, sender, clock, log, roundMs = 1_000, timeoutBlocks = 20 } = options;
  const { address } = sender;
  const { isHeld = () => true, risk = DEFAULT_RISK, onRefusal = () => undefined } = options;
  const { pause = createPause(log) } = options;
  const ledger = createLedger(database, createTrades(database, clock), clock);
  const { trades } = ledger;
  const caps = createCaps(trades, ledger, risk);
  const refusals = createRefusals(log, onRefusal);
  const market = createMarket({ ...options, cacheMs: Math.min(1_000, roundMs) });
  const book = createBook({ ...options, market, trades, caps, risk, pause, address });
  const dispatch = createDispatch({ ...options, trades, timeoutBlocks, isHeld });
  const line = new PQueue({ concurrency: 1 });
  const shared = { chain, address, book, trades, caps, refusals, dispatch, line };
  const rfq = createRfq({ ...options, ...shared, limits: createLimits(database, clock) });
  const acceptance = createAcceptance({ ...shared, indexer, clock, log, pauseMs: roundMs });

  async function follow(): Promise<void> {
    const pending: string[] = [];
    for (const { id, settlement_id, timeout_height } of await trades.proposed(FOLLOWED)) {
      const settlement = await readSettlement(chain, settlement_id ?? '');
      const end = settlement?.proposer === address ? ENDS[settlement.status] : undefined;
      if (end !== undefined) await trades.end(id, end);
      else if (settlement?.proposer !== address && (await isBeyond(timeout_height))) {
        await trades.end(id, 'released', { note: 'the chain has no such proposal of the desk' });
      } else pending.push(id);
    }
    // those behind them have their turn
    if (pending.length === FOLLOWED) await trades.touch(pending);
  }

  /** A block in which a proposal could still come is no excuse any more: the database is of another chain. */
  async function isBeyond(height: string | null): Promise<boolean> {
    return BigInt((await chain.node.status()).height) > BigInt(height ?? 0);
  }

  let purgedAtMs = Number.NEGATIVE_INFINITY;
  async function purge(): Promise<void> {
    if (clock.nowMs() - purgedAtMs < PURGE_MS) return;
    await trades.purge(KEPT_MS);
    purgedAtMs = clock.nowMs();
  }

  /** A round goes on next time; what is wrong is told when it begins, changes and ends. */
  function watched(what: string, act: () => Promise<void>): () => Promise<void> {
    let told = '';
    return async () => {
      let wrong = '';
      try {
        await act();
      } catch (error) {
        wrong = error instanceof Error ? error.message : String(error);
        if (wrong !== told) log.warn({ err: error }, `the desk cannot ${what}: ${wrong}`);
      }
      if (wrong === '' && told !== '') log.info(`the desk can ${what} again`);
      told = wrong;
    };
  }

  return {
    address,
    isPaused: () => pause.isPaused(),
    book,
    rfq,
    async run(signal) {
      const acts = [
        watched('find out what became of its txs', () => dispatch.resolve()),
        watched('look for what it may accept', () => acceptance.round()),
        watched('follow its proposals', follow),
        watched('drop old trades', purge),
      ];
      while (!signal.aborted) {
        for (const act of acts) if (!signal.aborted && isHeld()) await act();
        await clock.sleep(roundMs, signal);
      }
    },
  };
}
