import { createServer } from 'node:net';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { temporaryFolder } from '../../../../test/support/temporary-folder.ts';
import type { DatabaseChoice } from '../../../src/database/database.ts';

/** A database of one test: how to open it (again), and what removes it. */
export interface TestDatabase {
  readonly choice: DatabaseChoice;
  remove(): Promise<void>;
}

/** Both kinds that the app can run on: `describe.each(DATABASES)('… in %s', (_, make) => …)`. */
export const DATABASES: readonly (readonly [name: string, make: () => Promise<TestDatabase>])[] = [
  ['SQLite', sqliteFile],
  ['Postgres', postgresServer],
];

export async function sqliteFile(): Promise<TestDatabase> {
  const folder = await temporaryFolder();
  return { choice: { kind: 'sqlite', path: join(folder.path, 'app', 'app.db') }, remove: folder.remove };
}

let postgres: Promise<PGlite> | undefined;

/**
 * Postgres compiled to WebAssembly, behind a socket of its own on the loopback interface, which the real driver speaks to.
 * It has one session: the messages of a second connection would come between those of the first one's statements. Its
 * start takes 2 s of CPU: a process has one, and each test an empty schema and a socket of its own.
 */
export async function postgresServer(): Promise<TestDatabase> {
  postgres ??= PGlite.create();
  const db = await postgres;
  await db.exec('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const port = await freePort();
  const server = new PGLiteSocketServer({ db, host: '127.0.0.1', port, maxConnections: 16 });
  await server.start();
  return {
    choice: {
      kind: 'postgres',
      url: `postgres://postgres:secret@127.0.0.1:${port}/postgres`,
      connections: 1,
    },
    remove: () => server.stop(),
  };
}

/** pglite's server cannot tell which port it was given. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
