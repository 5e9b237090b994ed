import { SECRET_TABLES } from '../store/cursor-keys.ts';
import { failure } from './failure.ts';
import { isKeyword, type Token, tokens } from './lexer.ts';
import { isReaderSetting } from './settings.ts';

/**
 * What a reader may ask. The engine's grants already refuse writes and every source of data outside (src/store/engine-config.ts); this
 * is for what has no grant: SET ROLE, INTO OUTFILE, settings, functions that read files or open connections, system
 * tables that tell paths or other people's queries, and tables with Strata's own secrets.
 *
 * It looks at the statement as the engine prints it after parsing (formatQuery), and that text is what runs, so that
 * comments, heredocs and odd quoting have no part in it.
 */

/** What the engine itself has, lower case. */
export interface EngineNames {
  readonly tableFunctions: ReadonlySet<string>;
  /** Scalar functions that a reader may not call. */
  readonly refusedFunctions: ReadonlySet<string>;
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
  'view',
  'null',
  'primes',
  'format',
]);

/** Functions of these categories, and of those in REFUSED_FUNCTIONS, are not for readers. */
export const REFUSED_CATEGORIES: readonly string[] = [
  'AI',
  'Introspection',
  'Machine Learning',
  'Internal',
  'Embedded Dictionary',
];
export const REFUSED_FUNCTIONS: readonly string[] = [
  'file',
  'filesystemAvailable',
  'filesystemCapacity',
  'filesystemUnreserved',
  'getServerSetting',
  'getMacro',
  'showCertificate',
  'getClientHTTPHeader',
  'catboostEvaluate',
  'generateSerialID',
  'logTrace',
  'hasColumnInTable',
  'getOSKernelVersion',
  'hostName',
  'FQDN',
  'joinGet',
  'joinGetOrNull',
  'structureToCapnProtoSchema',
  'structureToProtobufSchema',
];

/** Those that clients ask to show what there is. Paths (data_path, path) stand in databases and tables alone. */
const SYSTEM_TABLES = new Set([
  'databases',
  'tables',
  'columns',
  'functions',
  'table_functions',
  'table_engines',
  'database_engines',
  'formats',
  'data_type_families',
  'settings',
  'one',
  'numbers',
  'numbers_mt',
  'zeros',
  'zeros_mt',
  'contributors',
  'licenses',
  'time_zones',
  'keywords',
  'collations',
  'data_skipping_indices',
  'projections',
  'dictionaries',
  'completions',
  'build_options',
  'aggregate_function_combinators',
]);

/** What is in these is for Strata alone. The names are refused wherever they stand, as an alias too. */
const SECRETS: ReadonlySet<string> = new Set(SECRET_TABLES);

const SHOWS = new Set([
  'DATABASES',
  'TABLES',
  'COLUMNS',
  'FIELDS',
  'CREATE',
  'INDEX',
  'INDEXES',
  'INDICES',
  'KEYS',
  'FUNCTIONS',
  'FULL',
  'EXTENDED',
  'DICTIONARIES',
  'SETTINGS',
  'SETTING',
  'ENGINES',
]);
const EXPLAINS = new Set(['AST', 'SYNTAX', 'QUERY', 'PLAN', 'PIPELINE', 'ESTIMATE', 'SELECT', 'WITH']);
const SETTINGS_NAME = /^[A-Za-z_][A-Za-z0-9_.]*$/;

const PATH = /[\\/]/;

/**
 * What the owner may not ask either: the store belongs to the owner, the files of this machine do not. Grants refuse the rest.
 * Errors: ACCESS_DENIED.
 */
export function checkOwnerStatement(sql: string): void {
  let before: Token | undefined;
  for (const token of tokens(sql)) {
    const isCall = token.text === '(' && (before?.kind === 'word' || before?.kind === 'name');
    // File(…) is the place of a backup; a quoted name may be written with escapes
    if (isCall && (before?.text === 'file' || before?.text.includes('\\'))) {
      throw refusal('No user', 'the function file');
    }
    if (isKeyword(before, 'INTO') && isKeyword(token, 'OUTFILE')) throw refusal('No user', 'INTO OUTFILE');
    if (isKeyword(before, 'FROM') && isKeyword(token, 'INFILE')) throw refusal('No user', 'FROM INFILE');
    before = token;
  }
}

/** Errors: ACCESS_DENIED, with what is not allowed. */
export function checkReaderStatement(formatted: string, names: EngineNames): void {
  const all = [...tokens(formatted)];
  checkVerb(all);
  for (const [i, token] of all.entries()) {
    if (token.text === ';') throw denied('more than one statement');
    if (token.kind !== 'word' && token.kind !== 'name') continue;
    // the engine takes a table that it does not have for a file, and says whether that is there
    if (token.kind === 'name' && PATH.test(token.text) && !isKeyword(all[i - 1], 'AS')) {
      throw denied('a name with a slash or a backslash, except after AS');
    }
    const name = token.text.toLowerCase();
    const next = all[i + 1];
    if (SECRETS.has(name)) throw denied(`the table ${token.text}`);
    if (name === 'into' && isKeyword(next, 'OUTFILE')) throw denied('INTO OUTFILE');
    if (names.refusedFunctions.has(name)) throw denied(`the function ${token.text}`);
    const isCall = next?.text === '(' && next.kind === 'sign';
    if (isCall && names.tableFunctions.has(name) && !READER_TABLE_FUNCTIONS.has(name)) {
      throw denied(`the table function ${token.text}`);
    }
    if (name === 'system' && next?.text === '.') checkSystemTable(all[i + 2]);
    if (name === 'settings') checkSettings(all, i + 1);
    // a value of that type names a database or table out of sight
    if (name === 'identifier' && all[i - 1]?.text === ':') throw denied('parameters of the type Identifier');
  }
}

/** Errors: ACCESS_DENIED for a database whose tables a statement would name without it. */
export function checkReaderDatabase(database: string): void {
  if (database.toLowerCase() === 'system') throw denied('the database system as the default one');
}

function checkVerb(all: readonly Token[]): void {
  const [first, second] = all;
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
  if (verb === 'SHOW' && SHOWS.has(word)) return;
  if (verb === 'EXPLAIN' && EXPLAINS.has(word)) return;
  throw denied(`${verb}${verb === 'SHOW' || verb === 'EXPLAIN' ? ` ${word}` : ''} statements`);
}

function checkSystemTable(table: Token | undefined): void {
  if (table !== undefined && SYSTEM_TABLES.has(table.text.toLowerCase())) return;
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
