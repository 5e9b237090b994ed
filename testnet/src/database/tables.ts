import type { Kysely } from 'kysely';

/**
 * The tables of the app's database, the same in SQLite and in Postgres. So that both answer alike, a column is text or an
 * integer: text holds no U+0000 (JSON escapes it), an integer of the database is a number here and stays within 2^53,
 * amounts and everything larger are decimal text, bytes are hex or base64, times are milliseconds since 1970.
 */
export interface Tables {
  readonly launchpad_documents: LaunchpadDocumentRow;
  readonly desk_trades: DeskTradeRow;
  readonly desk_calls: DeskCallRow;
}

export type AppDatabase = Kysely<Tables>;

/** One document of the launchpad, written once and never changed. */
export interface LaunchpadDocumentRow {
  /** SHA-256 of `document`: 64 lower-case hex digits. */
  readonly meta_hash: string;
  /** The canonical JSON (RFC 8785) that was hashed, its logo included. */
  readonly document: string;
  /** When it was posted first. */
  readonly created_at_ms: number;
}

/** A proposal of the desk, or an acceptance by it; what it gives is held while `status` is reserved or signed. */
export interface DeskTradeRow {
  /** A UUID; `accept/<settlement id>` of an acceptance, so that there is one. */
  readonly id: string;
  readonly role: 'propose' | 'accept';
  /**
   * reserved: nothing has been signed. signed: its tx may stand in a block, or may yet. proposed: the settlement is on the
   * chain, and pending as far as is known. settled, cancelled, expired: as the settlement ended. failed: the chain
   * refuses it, in a block or before one. released: no block will ever take its tx.
   */
  readonly status:
    | 'reserved'
    | 'signed'
    | 'proposed'
    | 'settled'
    | 'cancelled'
    | 'expired'
    | 'failed'
    | 'released';
  /** Decimal; null until it is known. */
  readonly settlement_id: string | null;
  /** The other party, bech32. */
  readonly address: string;
  readonly symbol: string;
  readonly asset_id: string;
  /** -1: the whole share. */
  readonly kind: number;
  /** What moves, comma-separated: `0,1,2`. */
  readonly kind_ids: string;
  /** From the other party's view: `buy` gives units of the desk, `sell` its coins. */
  readonly side: 'buy' | 'sell';
  /** Base units, decimal, of each kind. */
  readonly units: string;
  /** Stable base units a whole unit, decimal. */
  readonly price: string;
  /** Stable base units, decimal. */
  readonly amount: string;
  /** Of the tx that was signed last: upper-case hex; TxRaw in base64; decimal, decimal. */
  readonly hash: string | null;
  readonly tx: string | null;
  readonly sequence: string | null;
  readonly timeout_height: string | null;
  /** The newest block when it was signed, decimal; null in rows of builds that did not write it. */
  readonly signed_height: string | null;
  /** How often it has been begun; a try that was released and the next are one. */
  readonly attempts: number;
  /** Why it failed or was released; empty otherwise. */
  readonly note: string;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
}

/** A request for a quote that counts against a limit. */
export interface DeskCallRow {
  readonly id: string;
  /** `address/<bech32>` or `ip/<address>` */
  readonly caller: string;
  readonly at_ms: number;
}
