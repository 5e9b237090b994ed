import type { Logger } from 'pino';
import type { Clock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import type { Hold } from 'strata-kit/hold';
import { holdSqlite } from 'strata-kit/sqlite-hold';
import { type DatabaseChoice, databaseName, unreachable } from './database.ts';
import { holdPostgres } from './postgres-hold.ts';

/** Errors: StrataError store_in_use when another process holds it, store_unreachable. */
export async function holdDatabase(
  choice: DatabaseChoice,
  surroundings: { readonly clock: Clock; readonly log: Logger },
): Promise<Hold> {
  const name = databaseName(choice);
  const taken = () =>
    new StrataError(
      'store_in_use',
      `${name} has a desk already, in another process: stop that one, or give this one a --data or --database of its own`,
    );
  try {
    return choice.kind === 'sqlite'
      ? await holdSqlite(choice.path, taken)
      : await holdPostgres(choice.url, taken, surroundings);
  } catch (error) {
    throw error instanceof StrataError ? error : unreachable(name, error);
  }
}
