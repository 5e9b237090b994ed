import { pathToFileURL } from 'node:url';
import { StrataError } from 'strata-kit/errors';
import { isObject } from 'strata-kit/json';
import { createRouter } from '../api/router.ts';
import { ROUTES } from '../api/routes.ts';
import type { DerivedTable } from '../core/table.ts';
import { DECODED_TABLES, SHARED_TABLES } from '../core/tables.ts';
import type { Derivation } from '../derive/derivation.ts';
import { KIT } from './kit.ts';
import type { Module } from './module.ts';
import { MODULES } from './modules.ts';

/** Modules that lie outside of Strata, by the paths of their files: `--modules`. */

const NAME = /^[a-z][a-z0-9_]{0,63}$/;
const ROUTE = /^\/v1(?:\/(?:[a-z0-9._-]+|\{[a-z_]+\}))+$/;

/**
 * Every module, Strata's own first, then those of the files in their order.
 *
 * Errors: config_invalid for a file that cannot be loaded, exports no module, or one whose name, tables or routes are
 * taken.
 */
export async function loadModules(paths: readonly string[] = []): Promise<readonly Module[]> {
  const modules = [...MODULES];
  for (const path of paths) {
    const module = await loadModule(path);
    checkModule(module, modules, path);
    modules.push(module);
  }
  return modules;
}

/** The derivations of loadModules, in its order. Errors: the same. */
export async function derivationsOf(modulePaths?: readonly string[]): Promise<readonly Derivation[]> {
  const modules = await loadModules(modulePaths);
  return modules.flatMap(({ derivation }) => derivation ?? []);
}

/** The tables that modules derive. */
export function tablesOf(modules: readonly Module[]): readonly DerivedTable[] {
  return modules.flatMap(({ derivation }) => derivation?.tables ?? []);
}

async function loadModule(path: string): Promise<Module> {
  let exported: unknown;
  try {
    const file = (await import(pathToFileURL(path).href)) as Record<string, unknown>;
    exported = typeof file.module === 'function' ? file.module(KIT) : file.module;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StrataError('config_invalid', `the module ${path} cannot be loaded: ${reason}`, { cause });
  }
  const problem = shapeProblem(exported);
  if (problem !== undefined) throw refused(path, problem);
  return exported as Module;
}

/** As far as it can be looked at without running it. */
function shapeProblem(module: unknown): string | undefined {
  if (!isObject(module)) return 'exports no `module`';
  const { name, derivation, routes, candidates } = module;
  if (typeof name !== 'string' || !NAME.test(name)) return `has a name that is not like ${NAME.source}`;
  if (!Array.isArray(routes)) return 'has no list `routes`';
  for (const route of routes) {
    if (!isRoute(route)) {
      return 'has a route that is none: {path: /v1/…, query, cache, handle}';
    }
  }
  if (candidates !== undefined && !Array.isArray(candidates)) return 'has `candidates` that are no list';
  if (derivation === undefined) return undefined;
  if (!isObject(derivation)) return 'has a derivation that is none';
  if (derivation.module !== name) return `has a derivation of another module, ${String(derivation.module)}`;
  if (typeof derivation.open !== 'function') return 'has a derivation without open()';
  if (!Array.isArray(derivation.reads)) return 'has a derivation without a list `reads`';
  if (!Array.isArray(derivation.tables)) return 'has a derivation without a list `tables`';
  return derivation.tables.map((table) => tableProblem(table, name)).find((found) => found !== undefined);
}

function isRoute(route: unknown): boolean {
  if (!isObject(route) || typeof route.path !== 'string') return false;
  const { path, query, cache, handle } = route;
  const isCached = cache === 'head' || cache === 'process' || cache === 'none';
  return ROUTE.test(path) && Array.isArray(query) && isCached && typeof handle === 'function';
}

function tableProblem(table: unknown, module: string): string | undefined {
  if (!isObject(table) || typeof table.name !== 'string' || !NAME.test(table.name)) {
    return `has a table whose name is not like ${NAME.source}`;
  }
  const { name, columns, key, kinds, facts } = table;
  if (table.module !== module) return `has a table ${name} of another module, ${String(table.module)}`;
  if (!Array.isArray(columns) || !columns.every((column) => Array.isArray(column) && column.length === 2)) {
    return `has a table ${name} without columns`;
  }
  const types = new Map(columns as [string, string][]);
  if (types.size !== columns.length) return `has a table ${name} that names a column twice`;
  if (types.get('height') !== 'UInt64') return `has a table ${name} without a column height of UInt64`;
  if (types.has('generation')) return `has a table ${name} with a column generation, which is Strata's`;
  if (![...types.keys()].every((column) => NAME.test(column))) return `has a table ${name} with odd columns`;
  if (!Array.isArray(key) || !key.every((column) => types.has(column))) {
    return `has a table ${name} whose key is not of its columns`;
  }
  if (!isObject(kinds) || !isObject(facts)) return `has a table ${name} that kit.table() did not make`;
  const own = OWN_FACTS.find((fact) => facts[fact] !== undefined);
  return own && `has a table ${name} with ${own}, which Strata's own modules alone have`;
}

/** What a data folder's check knows of Strata's own tables alone (src/store/module-definitions.ts). */
const OWN_FACTS = ['filledBy', 'also', 'engine', 'settings'] as const;

/** Errors: config_invalid for what another module or Strata itself has already. */
function checkModule(module: Module, others: readonly Module[], path: string): void {
  if (others.some(({ name }) => name === module.name)) {
    throw refused(path, `is named ${module.name}, as another one`);
  }
  const names = new Set(others.map(({ name }) => name));
  for (const name of module.derivation?.reads ?? []) {
    if (!names.has(name)) throw refused(path, `reads ${name}, which does not stand before it`);
  }
  const taken = new Set([...DECODED_TABLES, ...SHARED_TABLES, ...tablesOf(others)].map(({ name }) => name));
  for (const { name } of tablesOf([module])) {
    if (taken.has(name)) throw refused(path, `has a table ${name}, which is there already`);
    taken.add(name);
  }
  const own = module.routes.map((route) => route.path);
  const paths = new Set([...ROUTES, ...others.flatMap(({ routes }) => routes)].map((route) => route.path));
  try {
    createRouter([...paths, ...own].map((each) => [each, each] as const));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw refused(path, `serves a path that is there already, or names its parameters anew: ${reason}`);
  }
}

function refused(path: string, problem: string): StrataError {
  return new StrataError('config_invalid', `the module ${path} ${problem}`);
}
