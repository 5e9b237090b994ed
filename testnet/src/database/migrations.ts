import type { Kysely, Migration } from 'kysely';
import { createLaunchpadDocuments } from './migrations/001-launchpad-documents.ts';
import { createDesk } from './migrations/002-desk.ts';
import { addSignedHeight } from './migrations/003-desk-signed-height.ts';

/**
 * What makes the tables, in the order of the names. One that has been released is never edited or renamed: a change is a
 * further one. They have no way back; a newer database is refused by an older build.
 */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001-launchpad-documents': forward(createLaunchpadDocuments),
  '002-desk': forward(createDesk),
  '003-desk-signed-height': forward(addSignedHeight),
};

function forward(up: (db: Kysely<unknown>) => Promise<void>): Migration {
  return { up };
}
