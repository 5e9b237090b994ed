import type { ColumnType } from '../core/columns.ts';

/**
 * The tables of modules from outside, and every module's views, as the engine prints what module-tables.ts asks for.
 * Columns of plain types in a MergeTree, and a selection of them: neither has an expression of its own to run. So a
 * store with such tables opens also in a process that was not given the module.
 */

const TYPES: Readonly<Record<ColumnType, true>> = {
  UInt8: true,
  Int8: true,
  UInt16: true,
  UInt32: true,
  UInt64: true,
  Int32: true,
  Int64: true,
  UInt256: true,
  Int256: true,
  String: true,
  'FixedString(4)': true,
  'FixedString(20)': true,
  'FixedString(32)': true,
  'Array(String)': true,
};

const NAME = '`?[A-Za-z_]\\w*`?';
const NAMES = `${NAME}(?:,${NAME})*`;
const TYPE = `(?:${Object.keys(TYPES).map(quoteForRegExp).join('|')})`;
const CODEC = 'CODEC\\((?:NONE|(?:Delta\\([1248]\\),)?ZSTD\\(1\\))\\)';
const COLUMN = `${NAME} (?:${TYPE} ?${CODEC}|LowCardinality\\(String\\))`;
const TABLE = new RegExp(
  `^TABLE\\(\`generation\` UInt32 CODEC\\(ZSTD\\(1\\)\\)((?:,${COLUMN})+)\\)` +
    `ENGINE = MergeTree PARTITION BY generation ORDER BY(?: ${NAME} |\\(${NAMES}\\))` +
    'SETTINGS index_granularity = \\d+$',
);

const CHECKPOINT = 'SELECT max(height)FROM checkpoints';
const GENERATIONS = 'SELECT generations FROM checkpoints ORDER BY height DESC,written_at DESC LIMIT 1';
const VIEW_TYPE = `(?:${TYPE}|LowCardinality\\(${TYPE}\\)|Array\\(LowCardinality\\(String\\)\\))`;
const VIEW = new RegExp(
  `^VIEW\\(${NAME} ${VIEW_TYPE}(?:,${NAME} ${VIEW_TYPE})*\\)AS SELECT ${NAMES} FROM (\\w+) ` +
    `WHERE\\(generation =\\(\\(${quoteForRegExp(GENERATIONS)}\\)\\[(?:'[a-z][a-z0-9_]*'|module)\\]\\)\\)` +
    `AND\\(height <=\\(${quoteForRegExp(CHECKPOINT)}\\)\\)` +
    `(ORDER BY ${NAME} (?:ASC|DESC)(?:,${NAME} (?:ASC|DESC))* LIMIT 1 BY ${NAMES})?$`,
);

/** Of a view that a process was replacing when it was killed. */
const REPLACING = /^_tmp_replace_\w+$/;

/** `body` as definitions.ts reads a definition. */
export function isModuleDefinition(name: string, body: string): boolean {
  if (TABLE.test(body)) return true;
  const [, table, newest] = VIEW.exec(body) ?? [];
  if (table === undefined) return false;
  return name === `${table}_${newest === undefined ? 'history' : 'now'}` || REPLACING.test(name);
}

function quoteForRegExp(text: string): string {
  return text.replace(/[()[\]+*?.\\^$|]/g, '\\$&');
}
