import type { Kysely } from 'kysely';

/**
 * The tables of the app's database, the same in SQLite and in Postgres. So that both answer alike, a column is text or an
 * integer: text holds no U+0000 (JSON escapes it), an integer of the database is a number here and stays within 2^53,
 * amounts and everything larger are decimal text, bytes are hex or base64, times are milliseconds since 1970.
 */
export interface Tables {
  readonly launchpad_documents: LaunchpadDocumentRow;
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
