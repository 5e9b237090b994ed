import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isModuleDefinition } from './module-definitions.ts';
import { packageRoot } from './package-root.ts';

/**
 * Every object that Strata makes, by name and whole definition: a table's columns, engine, keys and settings, a view's
 * query. The engine runs what a definition says (defaults, views, table engines), so that nobody else's may be loaded.
 *
 * sql/schema.sql has those of Strata and of its own modules; tables of modules from outside, and the views over all of
 * them, follow a fixed form (module-definitions.ts).
 */
export interface Definitions {
  /**
   * Whether Strata makes this object. `text` is the engine's own CREATE or ATTACH statement; names of these databases in
   * front of tables have no meaning.
   */
  knows(name: string, text: string, databases: readonly string[]): boolean;
  /** Whether one of Strata's own objects has this name. */
  hasName(name: string): boolean;
}

/** Settings of a table with a number: Strata changes some while it runs, operators others; none names a file or host. */
const NUMERIC_SETTING = /,\w+ = \d+/g;
const HEADER =
  /^(?:ATTACH|CREATE) (TABLE|VIEW|MATERIALIZED VIEW) (?:\w+\.)?(\w+)(?: UUID '[0-9a-f-]{36}')?(?= TO |\()/;
const PRINTABLE = /^[\n\x20-\x7e]*$/;
export const SCHEMA_FILE = 'schema.sql';

let loading: Promise<Definitions> | undefined;

/** Read once in a process. */
export function loadDefinitions(): Promise<Definitions> {
  loading ??= readFile(join(packageRoot(), 'sql', SCHEMA_FILE), 'utf8').then(parseDefinitions);
  return loading;
}

/** From the statements of sql/schema.sql. */
export function parseDefinitions(text: string): Definitions {
  const known = new Set<string>();
  const names = new Set<string>();
  for (const statement of splitStatements(text)) {
    const found = readDefinition(statement, []);
    if (found === undefined) continue;
    known.add(`${found.name} ${found.body}`);
    names.add(found.name);
  }
  return {
    knows(name, definition, databases) {
      const found = readDefinition(definition, databases);
      // on disk the name stands in the file's name alone
      if (found === undefined || (found.name !== name && found.name !== '_')) return false;
      return known.has(`${name} ${found.body}`) || isModuleDefinition(name, found.body);
    },
    hasName: (name) => names.has(name),
  };
}

export function splitStatements(text: string): readonly string[] {
  return text.split(/;\n+/).filter((statement) => statement.trim() !== '');
}

/**
 * Whether an object that is dropped already is one whose removal touches nothing outside of the store. It is read without
 * its texts and quoted names, so that none of them passes for a clause; an escape or a comment could hide one.
 */
export function isHarmlessToDrop(text: string): boolean {
  if (/\\|--|\/\*|#/.test(text)) return false;
  const body = readDefinition(text, [])
    ?.body.replaceAll(/'[^']*'/g, "''")
    .replaceAll(/`[^`]*`|"[^"]*"/g, '``');
  if (body === undefined || /`` ?=|\b(?:COMMENT|disk|storage_policy|REFRESH)\b/i.test(body)) return false;
  if (body.startsWith('VIEW') || body.startsWith('MATERIALIZED VIEW TO ')) return true;
  const engines = [...body.matchAll(/\bENGINE ?= ?(\S*)/gi)].map(([, engine = '']) => engine);
  return (
    engines.length === 1 &&
    /^(?:\w*MergeTree|Memory|Null|Log|TinyLog|StripeLog)(?![\w`])/.test(engines[0] ?? '')
  );
}

/** One form for the engine's printing in one line and in many; undefined for what no definition of Strata looks like. */
function readDefinition(
  text: string,
  databases: readonly string[],
): { readonly name: string; readonly body: string } | undefined {
  if (!PRINTABLE.test(text)) return undefined;
  const line = text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1');
  const header = HEADER.exec(line);
  if (header === null) return undefined;
  const [whole, kind = '', name = ''] = header;
  let body = line
    .slice(whole.length)
    .replace(kind === 'TABLE' ? /SETTINGS .*$/ : /$^/, (settings) => settings.replace(NUMERIC_SETTING, ''));
  for (const database of databases) body = body.replaceAll(new RegExp(`\\b${database}\\.(?=\\w)`, 'g'), '');
  return { name, body: `${kind}${body}` };
}
