import { SECRET_TABLES } from '../store/cursor-keys.ts';
import { READER_DATABASES, READER_SYSTEM_TABLES } from '../store/reader-tables.ts';
import { failure } from './failure.ts';
import { isKeyword, type Token, tokens } from './lexer.ts';
import { AGGREGATES, FUNCTIONS } from './reader-functions.ts';
import { isReaderSetting } from './settings.ts';

/**
 * What a reader may ask: a list of statements, functions, settings and system tables. All else is refused.
 *
 * The embedded engine's grants refuse writes, sources of data outside, and tables of other databases
 * (src/store/engine-config.ts). This is for what has no grant: SET ROLE, INTO OUTFILE, settings, functions. A server has
 * the grants of its own users.
 *
 * It looks at the statement as the engine prints it after parsing (formatQuery), and that text is what runs. So comments,
 * heredocs and odd quoting have no part in it. EXPLAIN AST does not do: it leaves out names of settings and functions
 * after APPLY, applies the settings, and prints names with line ends as they are.
 */

/** What the engine has besides. */
export interface EngineNames {
  /** All that it has and a reader may not call, lower case. */
  readonly refusedFunctions: ReadonlySet<string>;
  /** Where grants do not hold a reader to the store: databases of others. */
  readonly foreignDatabases: ReadonlySet<string>;
}

/** Tables made of their arguments alone. */
export const READER_TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'numbers',
  'numbers_mt',
  'zeros',
  'zeros_mt',
  'generate_series',
  'generateseries',
  'values',
  'sqlstandardvalues',
  'view',
  'null',
  'primes',
  'format',
]);

const COMBINATORS =
  /(?:simplestate|ordefault|distinct|resample|foreach|argmax|argmin|ornull|tuple|merge|state|array|null|map|if)$/;

/** After which a bracket is no list of arguments. None is the name of a function that is refused. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  `all and any apply array as asof between by columns describe distinct else end except exists explain filter final first
   from global having ilike in inner intersect interpolate is join left like limit next not offset on or over partition
   prewhere qualify replace right rollup select sets settings staleness step table then to union using values when where
   with query plan pipeline estimate ast syntax desc asc cube strict`.split(/\s+/),
);

/** What is in these is for Strata alone. The names are refused wherever they stand, as an alias too. */
const SECRETS: ReadonlySet<string> = new Set(SECRET_TABLES);

/** By the word after SHOW, what may follow it; undefined for anything. */
const SHOWS: ReadonlyMap<string, RegExp | undefined> = new Map([
  ['DATABASES', undefined],
  ['TABLES', undefined],
  ['COLUMNS', undefined],
  ['FULL', /^(TABLES|COLUMNS)$/],
  ['EXTENDED', /^(FULL|COLUMNS|INDEX|INDEXES)$/],
  ['CREATE', /^(TABLE|VIEW|DATABASE)$/],
  ['INDEXES', undefined],
  ['INDEX', undefined],
  ['FUNCTIONS', undefined],
  ['SETTINGS', /^(LIKE|ILIKE)$/],
  ['SETTING', undefined],
  ['ENGINES', undefined],
]);
const EXPLAINS = new Set(['AST', 'SYNTAX', 'QUERY', 'PLAN', 'PIPELINE', 'ESTIMATE', 'SELECT', 'WITH']);
const SETTINGS_NAME = /^[A-Za-z_][A-Za-z0-9_.]*$/;

const PATH = /[\\/]/;

/**
 * What the owner may not ask either: the store belongs to the owner, the files of this machine do not. Grants refuse the rest.
 * `parameters` are values for `{name:Type}`. Errors: ACCESS_DENIED.
 */
export function checkOwnerStatement(sql: string, parameters: ReadonlyMap<string, string> = new Map()): void {
  const all = [...tokens(sql)];
  const values = [...parameters.values()];
  for (const [i, token] of all.entries()) {
    const [before, next] = [all[i - 1], all[i + 1]];
    if (isFileFunction(token, before, next)) throw refusal('No user', 'the function file');
    // arrayMap({f:Identifier}, …) takes a function's name too
    if (token.text === 'Identifier' && isSign(before, ':') && values.some(mayName)) {
      throw refusal('No user', 'the function file');
    }
    if (isKeyword(token, 'INTO') && isKeyword(next, 'OUTFILE')) throw refusal('No user', 'INTO OUTFILE');
    if (isKeyword(token, 'FROM') && isKeyword(next, 'INFILE')) throw refusal('No user', 'FROM INFILE');
  }
}

/** `file(…)`, and `file` alone: arrayMap(file, …) and APPLY file call it. A quoted name may be written with escapes. */
function isFileFunction(token: Token, before: Token | undefined, next: Token | undefined): boolean {
  if (token.kind !== 'word' && token.kind !== 'name') return false;
  if (!mayName(token.text)) return false;
  // an alias, a column of a table, a table of a database
  return isSign(next, '(') || !(isKeyword(before, 'AS') || isSign(before, '.') || isSign(next, '.'));
}

function mayName(text: string): boolean {
  return text.trim() === 'file' || text.includes('\\');
}

/** Errors: ACCESS_DENIED, with what is not allowed. */
export function checkReaderStatement(
  formatted: string,
  { refusedFunctions, foreignDatabases }: EngineNames,
): void {
  const all = [...tokens(formatted)];
  checkVerb(all);
  let braces = 0;
  for (const [i, token] of all.entries()) {
    if (token.text === ';' && token.kind === 'sign') throw denied('more than one statement');
    if (token.kind === 'sign') braces += token.text === '{' ? 1 : token.text === '}' ? -1 : 0;
    if (token.kind !== 'word' && token.kind !== 'name') continue;
    const before = all[i - 1];
    // the engine takes a table that it does not have for a file, and says whether that is there
    if (token.kind === 'name' && PATH.test(token.text) && !isKeyword(before, 'AS')) {
      throw denied('a name with a slash or a backslash, except after AS');
    }
    const name = token.text.toLowerCase();
    const next = all[i + 1];
    if (SECRETS.has(name)) throw denied(`the table ${token.text}`);
    if (isKeyword(token, 'INTO') && isKeyword(next, 'OUTFILE')) throw denied('INTO OUTFILE');
    // a value of that type names a database or table out of sight
    if (braces > 0 && name === 'identifier') throw denied('parameters of the type Identifier');
    // what else is in braces is the type of a parameter
    if (braces === 0) checkCall(token, before, next);
    // arrayMap(file, …): a function's name alone is a function too, and so may be a column or an alias of that name
    if (
      refusedFunctions.has(name) &&
      !isSign(before, '.') &&
      !isSign(next, '.') &&
      !isKeyword(before, 'AS')
    ) {
      throw denied(`the function ${token.text}`);
    }
    if (isSign(next, '.')) {
      if (name === 'system') checkSystemTable(all[i + 2]);
      else if (foreignDatabases.has(token.text) && !isSign(before, '.'))
        throw denied(`the database ${token.text}`);
    }
    if (name === 'settings') checkSettings(all, i + 1);
  }
}

/** `f(…)`, and `APPLY f` without brackets. */
function checkCall(token: Token, before: Token | undefined, next: Token | undefined): void {
  if (token.kind === 'word' && KEYWORDS.has(token.text.toLowerCase())) return;
  const isCalled = isSign(next, '(') || isKeyword(before, 'APPLY');
  if (isCalled && !isReaderFunction(token.text)) throw denied(`the function ${token.text}`);
}

/** Scalar, aggregate or table function. */
export function isReaderFunction(name: string): boolean {
  const lower = name.toLowerCase();
  return FUNCTIONS.has(lower) || READER_TABLE_FUNCTIONS.has(lower) || isAggregate(lower);
}

function isAggregate(name: string): boolean {
  if (AGGREGATES.has(name)) return true;
  const base = name.replace(COMBINATORS, '');
  return base !== name && isAggregate(base);
}

function isSign(token: Token | undefined, text: string): boolean {
  return token?.kind === 'sign' && token.text === text;
}

/** Errors: ACCESS_DENIED for a database whose tables a statement would name without it. */
export function checkReaderDatabase(database: string): void {
  if (!READER_DATABASES.has(database)) throw denied(`the database ${database} as the default one`);
}

function checkVerb(all: readonly Token[]): void {
  const [first, second, third] = all;
  const verb = first?.text.toUpperCase() ?? '';
  const word = second?.text.toUpperCase() ?? '';
  if (first?.kind === 'name') throw denied(`${verb} statements`);
  // the printer puts WITH before INSERT too, and only there at the top
  if (
    all.some((token) => token.depth === 0 && (isKeyword(token, 'INSERT') || isKeyword(token, 'PARALLEL')))
  ) {
    throw denied('INSERT and PARALLEL WITH');
  }
  if (['SELECT', 'WITH', '(', 'DESCRIBE', 'DESC', 'EXISTS'].includes(verb)) return;
  if (verb === 'SHOW' && SHOWS.has(word) && (SHOWS.get(word)?.test(third?.text.toUpperCase() ?? '') ?? true))
    return;
  if (verb === 'EXPLAIN' && EXPLAINS.has(word)) return;
  throw denied(`${verb}${verb === 'SHOW' || verb === 'EXPLAIN' ? ` ${word}` : ''} statements`);
}

function checkSystemTable(table: Token | undefined): void {
  if (table !== undefined && READER_SYSTEM_TABLES.has(table.text.toLowerCase())) return;
  throw denied(`the table system.${table?.text ?? ''}`);
}

/** `SETTINGS a = 1, b = 2` from its first name on; a column of that name is followed by something else. */
function checkSettings(all: readonly Token[], from: number): void {
  let at = from;
  while (all[at + 1]?.text === '=' && SETTINGS_NAME.test(all[at]?.text ?? '')) {
    const name = all[at]?.text ?? '';
    if (!isReaderSetting(name)) throw denied(`the setting ${name}`);
    at += 2;
    const depth = all[at]?.depth ?? 0;
    while (at < all.length && all[at]?.text !== ',') {
      if ((all[at]?.depth ?? 0) < depth) return;
      at++;
    }
    at++;
  }
}

function denied(what: string): Error {
  return refusal('The read-only user', what, 'may not');
}

function refusal(user: string, what: string, may = 'may'): Error {
  return failure('ACCESS_DENIED', `${user} ${may} use ${what}.`);
}
