import type { Logger } from 'pino';
import { ChainError } from 'strata-kit/chain-error';
import type { Included } from 'strata-kit/client/node';
import { type OutcomeWatch, watchOutcome } from 'strata-kit/client/outcome';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Chain } from '../chain.ts';
import type { DeskTradeRow } from '../database/tables.ts';
import { AppError } from '../errors.ts';
import { type Sender, SenderUnknown } from '../sender.ts';
import { proposedId } from './settlement.ts';
import type { NewTrade, Trades } from './trades.ts';

/** Where a process may die with a trade half done; tests do it there. */
export type DeskStep = 'reserved' | 'signed' | 'included' | 'concluded';

/** Trades on their way to the chain. */
export interface Dispatch {
  /**
   * Writes it down: from here on what it gives is held. `send` comes next. Errors: unavailable while the database may be
   * another desk's.
   */
  reserve(trade: NewTrade): Promise<void>;
  /**
   * Sends a trade that is reserved; the settlement's id. Errors: AppError conflict as the chain refuses it, then nothing is
   * held any more; unavailable when no block took it, or when that is not known yet and it stays held.
   */
  send(trade: NewTrade, message: JsonObject): Promise<string>;
  /**
   * Asks the chain once what became of trades that no process sends any more. A trade that cannot be resolved does not keep
   * the others from it. Errors: the first trade's, after all of them, with its id.
   */
  resolve(): Promise<void>;
}

export interface DispatchOptions {
  readonly chain: Chain;
  readonly trades: Trades;
  readonly sender: Sender;
  readonly log: Logger;
  /** Blocks in which a tx may stand. */
  readonly timeoutBlocks: number;
  readonly isHeld: () => boolean;
  readonly onStep?: (step: DeskStep, trade: string) => void | Promise<void>;
}

/** Of builds that did not write the height at which a tx was signed. */
const FORMER_TIMEOUT_BLOCKS = 20n;

export function createDispatch(options: DispatchOptions): Dispatch {
  const { chain, trades, sender, log, timeoutBlocks, isHeld, onStep = () => undefined } = options;
  /** Those that this process sends. */
  const live = new Set<string>();
  const watches = new Map<string, OutcomeWatch>();

  /** What a block says of a trade is written down; the settlement's id. Errors: AppError conflict. */
  async function conclude(
    trade: Pick<DeskTradeRow, 'id' | 'role' | 'settlement_id'>,
    included: Pick<Included, 'code' | 'codespace' | 'log' | 'events' | 'hash'>,
  ): Promise<string> {
    const { code, codespace, events, hash } = included;
    if (code !== 0) {
      const note = `${codespace}/${code}: ${included.log}`;
      await trades.end(trade.id, 'failed', { note });
      throw refused(note);
    }
    const settlementId =
      trade.role === 'accept'
        ? trade.settlement_id
        : proposedId(events, chain.facts.namespace, sender.address);
    if (settlementId === null || settlementId === undefined) {
      await trades.end(trade.id, 'failed', { note: `${hash} proposed nothing` });
      throw new Error(`the tx ${hash} of trade ${trade.id} proposed nothing`);
    }
    await trades.end(trade.id, trade.role === 'accept' ? 'settled' : 'proposed', { settlementId });
    log.info(
      { trade: trade.id, tx: hash },
      `the desk ${trade.role === 'accept' ? 'accepted' : 'proposed'} settlement ${settlementId}`,
    );
    return settlementId;
  }

  async function transmit(trade: NewTrade, message: JsonObject): Promise<string> {
    await onStep('reserved', trade.id);
    try {
      const sent = await sender.send({
        messages: [message],
        timeoutBlocks,
        async onSigned(tx) {
          await trades.sign(trade.id, tx);
          await onStep('signed', trade.id);
        },
      });
      await onStep('included', trade.id);
      const settlementId = await conclude(trade, sent);
      await onStep('concluded', trade.id);
      return settlementId;
    } catch (error) {
      if (error instanceof SenderUnknown) {
        log.warn({ err: error, trade: trade.id }, 'it is not certain yet what became of a trade');
        throw new AppError('unavailable', 'it is not known yet whether the chain has it: look again later', {
          cause: error,
        });
      }
      // nothing that was signed can be included any more, or nothing was
      if (error instanceof ChainError) await trades.end(trade.id, 'failed', { note: error.message });
      if (isUnavailable(error)) await trades.end(trade.id, 'released', { note: error.message });
      throw error instanceof ChainError ? refused(error.message) : error;
    }
  }

  async function resolveOne(row: DeskTradeRow): Promise<void> {
    if (row.hash === null || row.tx === null || row.sequence === null || row.timeout_height === null) {
      await trades.end(row.id, 'released', { note: 'it was never signed' });
      return;
    }
    const timeoutHeight = BigInt(row.timeout_height);
    const signed = {
      hash: row.hash,
      bytes: Buffer.from(row.tx, 'base64'),
      sequence: BigInt(row.sequence),
      timeoutHeight,
      signedHeight: Number(row.signed_height ?? timeoutHeight - FORMER_TIMEOUT_BLOCKS),
    };
    const watch = watches.get(row.id) ?? watchOutcome(chain, sender.address, signed);
    watches.set(row.id, watch);
    const { outcome } = await watch.look();
    if (outcome.state === 'open') return;
    watches.delete(row.id);
    if (outcome.state === 'never') {
      await trades.end(row.id, 'released', { note: 'no block holds it, and none will' });
      log.info({ trade: row.id }, 'no block holds a trade and none will: what it held is free');
    } else {
      await conclude(row, outcome.tx).catch((error) => {
        if (!(error instanceof AppError)) throw error;
      });
    }
  }

  return {
    async reserve(trade) {
      if (!isHeld()) throw new AppError('unavailable', 'the desk is without its database: ask again later');
      live.add(trade.id);
      try {
        await trades.reserve(trade);
      } catch (error) {
        live.delete(trade.id);
        throw error;
      }
    },
    async send(trade, message) {
      try {
        return await transmit(trade, message);
      } finally {
        live.delete(trade.id);
      }
    },
    async resolve() {
      let failure: Error | undefined;
      for (const { id } of await trades.unresolved()) {
        if (live.has(id)) continue;
        try {
          // as it is now: it may have ended while the list was read
          const row = await trades.find(id);
          if (row?.status === 'reserved' || row?.status === 'signed') await resolveOne(row);
        } catch (cause) {
          const why = cause instanceof Error ? cause.message : String(cause);
          failure ??= new Error(`trade ${id}: ${why}`, { cause });
        }
      }
      if (failure !== undefined) throw failure;
    },
  };
}

export function refused(reason: string): AppError {
  return new AppError('conflict', `the chain refuses it: ${reason}`);
}

function isUnavailable(error: unknown): error is AppError {
  return error instanceof AppError && error.code === 'unavailable';
}
