import { command } from 'strata-kit/cli/command';
import { text } from 'strata-kit/cli/kinds';
import { need, OWN_FLAG, setting } from 'strata-kit/cli/setting';
import { STORE, STORE_RULE, storeOf } from '../../settings/store.ts';

export const backup = command({
  name: 'backup',
  summary: 'copy a store as it is at a checkpoint, also while it is indexed or served',
  settings: STORE,
  rules: [STORE_RULE],
  flags: [
    need(
      setting('to', text('a folder, or a place of the server', '<folder>'), {
        ...OWN_FLAG,
        text: 'the folder to make; with --clickhouse a path on the server, or disk:<name>/<path>',
      }),
      'a place',
    ),
  ],
  examples: [
    'strata backup --data ./data --to ./backups/monday',
    'strata backup --clickhouse http://writer:secret@127.0.0.1:8123/strata --to disk:backups/monday',
  ],
  options: ({ to, ...given }) => ({ store: storeOf(given), to }),
  run: async (options, context) => (await import('../run/backup.ts')).backup(options, context),
});
