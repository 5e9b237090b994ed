import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Dialect, Kysely, Migrator } from 'kysely';
import { StrataError } from 'strata-kit/errors';
import { MIGRATIONS } from './migrations.ts';
import { postgresDialect } from './postgres.ts';
import { sqliteDialect } from './sqlite.ts';
import type { AppDatabase, Tables } from './tables.ts';

export type DatabaseChoice =
  /** A file; it and its folder are made where they are missing. */
  | { readonly kind: 'sqlite'; readonly path: string }
  /** `postgres://user:password@host:port/database`, which exists; `connections` at most at once, 4 when left out. */
  | { readonly kind: 'postgres'; readonly url: string; readonly connections?: number };

/**
 * The app's database with its tables up to date; `destroy()` closes it. Migrations run in one transaction under a lock,
 * so that of two starts at once the second finds them done. Errors: StrataError store_newer_schema when a newer build
 * wrote there, store_unreachable when it cannot be opened (the file, or the server).
 */
export async function openDatabase(choice: DatabaseChoice): Promise<AppDatabase> {
  const name = databaseName(choice);
  let db: AppDatabase | undefined;
  try {
    db = new Kysely<Tables>({ dialect: await dialectOf(choice) });
    await migrate(db, name);
    return db;
  } catch (error) {
    await db?.destroy();
    throw error instanceof StrataError ? error : unreachable(name, error);
  }
}

/** store_unreachable */
export function unreachable(name: string, cause: unknown): StrataError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StrataError('store_unreachable', `${name} cannot be opened: ${reason}`, { cause });
}

async function dialectOf(choice: DatabaseChoice): Promise<Dialect> {
  if (choice.kind === 'postgres') return postgresDialect(choice.url, choice.connections ?? 4);
  await mkdir(dirname(choice.path), { recursive: true, mode: 0o700 });
  return sqliteDialect(choice.path);
}

async function migrate(db: AppDatabase, name: string): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } });
  const { error } = await migrator.migrateToLatest();
  if (error === undefined) return;
  if (/previously executed migration .* is missing/.test(String(error))) {
    throw new StrataError(
      'store_newer_schema',
      `${name} was written by a newer version of Strata: run that one, or use another folder or database`,
      { cause: error },
    );
  }
  throw error;
}

/** For messages: without user and password. */
export function databaseName(choice: DatabaseChoice): string {
  if (choice.kind === 'sqlite') return `the app's database ${choice.path}`;
  if (!URL.canParse(choice.url)) return "the app's database";
  const { host, pathname } = new URL(choice.url);
  return `the app's database ${host}${pathname}`;
}
