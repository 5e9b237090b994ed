import { command } from 'strata-kit/cli/command';
import { text } from 'strata-kit/cli/kinds';
import { need, OWN_FLAG, setting } from 'strata-kit/cli/setting';
import { modules } from '../../settings/modules.ts';
import { STORE, STORE_RULE, storeOf } from '../../settings/store.ts';

export const restore = command({
  name: 'restore',
  summary: 'put a backup into an empty store',
  settings: [...STORE, modules],
  rules: [STORE_RULE],
  flags: [
    need(
      setting('from', text('a folder, or a place of the server', '<folder>'), {
        ...OWN_FLAG,
        text: 'the backup; with --clickhouse a path on the server, or disk:<name>/<path>',
      }),
      'a place',
    ),
  ],
  examples: ['strata restore --from ./backups/monday --data ./restored'],
  options: ({ from, ...given }) => ({ store: storeOf(given), from, modulePaths: given.modules }),
  run: async (options, context) => (await import('../run/restore.ts')).restore(options, context),
});
