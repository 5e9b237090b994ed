import { command } from 'strata-kit/cli/command';
import { file, oneOf, text } from 'strata-kit/cli/kinds';
import { OWN_FLAG, OWN_WORD, setting } from 'strata-kit/cli/setting';
import { StrataError } from 'strata-kit/errors';
import { STORE, STORE_RULE, storeOf } from '../../settings/store.ts';

const FORMATS = ['table', 'csv', 'json', 'parquet'] as const;

export const sql = command({
  name: 'sql',
  summary: 'ask a store in SQL, read-only: a table, CSV, JSON or Parquet',
  settings: STORE,
  rules: [STORE_RULE],
  flags: [
    setting('format', oneOf(FORMATS), {
      ...OWN_FLAG,
      argument: '<format>',
      text: FORMATS.join(', '),
      default: 'table',
    }),
    setting('output', file, {
      ...OWN_FLAG,
      text: 'where the result goes; what is there is replaced (default: stdout)',
    }),
  ],
  word: setting('statement', text('a statement', '<sql>'), {
    ...OWN_WORD,
    text: 'one statement that reads; - or none: it is read from stdin',
  }),
  examples: [
    'strata sql "SELECT method, count() FROM txs GROUP BY method"',
    'strata sql "SELECT * FROM events" --format parquet --output events.parquet',
    'strata sql --clickhouse http://reader:secret@127.0.0.1:8123/strata --format csv < query.sql',
  ],
  options: ({ statement, format, output, ...given }) => {
    if (format === 'parquet' && output === undefined)
      throw new StrataError('config_invalid', 'parquet is bytes: give --output <file>');
    return {
      store: storeOf(given),
      statement: statement === '-' ? undefined : statement,
      format,
      output,
    };
  },
  run: async (options, context) => (await import('../run/sql.ts')).sql(options, context),
});
