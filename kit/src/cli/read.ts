import { resolve } from 'node:path';
import { StrataError } from '../errors.ts';
import type { Command, Rule } from './command.ts';
import type { Environment, Surroundings } from './context.ts';
import { meant, nearest } from './nearest.ts';
import { quoteValue } from './quote.ts';
import { flagName, flagUsage, PREFIX, type Secrets, type Setting, variableName } from './setting.ts';
import { type ConfigFile, readYaml } from './yaml-file.ts';

/** Values out of flags, then STRATA_… variables, then the YAML file, then defaults. No I/O. */

export interface Sources extends Surroundings {
  /** By key, as typed; a command's own flags and its word among them. */
  readonly flags: Readonly<Record<string, unknown>>;
  readonly env: Environment;
  readonly file: ConfigFile | undefined;
}

export interface ReadSettings {
  /** By key: those of the command, and those that every command has. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly secrets: Secrets;
  /** What was given and has no effect, or is a test's. */
  readonly warnings: readonly string[];
}

interface Value {
  readonly raw: unknown;
  /** For messages: `--data`, `STRATA_DATA`, `data in strata.yaml (line 1)`. */
  readonly origin: string;
  /** 0 flag, 1 variable, 2 file. */
  readonly layer: 0 | 1 | 2;
}

type Values = Map<string, Value>;

/**
 * Reads every value that is given, those of other commands included: a wrong one is said now, not at the next command.
 * An empty variable or key counts as not given. `known` are the settings of all commands, `common` those of each. Errors:
 * config_invalid, one line that names the place of the value and what is allowed.
 */
export function readSettings(
  command: Command,
  known: ReadonlyMap<string, Setting>,
  common: readonly Setting[],
  sources: Sources,
): ReadSettings {
  const own = [...command.settings, ...common];
  const values = dropOutranked(command.rules, collect(own, known, sources));
  const parsed = new Map<string, unknown>();
  const secrets: { urls: string[]; passwords: string[] } = { urls: [], passwords: [] };
  for (const [key, value] of values) {
    const one = own.find((each) => each.key === key) ?? known.get(key);
    if (one === undefined) continue;
    parsed.set(key, parse(one, value));
    noteSecrets(secrets, one.secrets(parsed.get(key), value.raw));
  }
  checkOrder(command.rules, values, parsed);
  const given: Record<string, unknown> = {};
  const absolute = (path: string) => resolve(sources.cwd, path);
  for (const one of own) {
    const value = parsed.has(one.key) ? parsed.get(one.key) : one.preset;
    if (value === undefined && one.needed !== undefined) throw missing(command.name, one);
    given[one.key] = one.resolve(value, absolute);
  }
  for (const one of [...command.flags, ...(command.word === undefined ? [] : [command.word])]) {
    const raw = sources.flags[one.key];
    const origin = one.places.includes('word') ? one.key : flagName(one.key);
    if (raw === undefined && one.needed !== undefined) throw missing(command.name, one);
    given[one.key] =
      raw === undefined ? one.preset : one.resolve(parse(one, { raw, origin, layer: 0 }), absolute);
  }
  return { given, secrets, warnings: warningsOf(known, sources.env) };
}

function collect(
  own: readonly Setting[],
  known: ReadonlyMap<string, Setting>,
  { flags, env, file }: Sources,
): Values {
  const values: Values = new Map();
  if (file !== undefined) {
    for (const [key, { raw, place }] of readYaml(file)) {
      if (known.get(key)?.places.includes('file') !== true) throw unknownKey(key, place, known);
      values.set(key, { raw, origin: `${key} in ${place}`, layer: 2 });
    }
  }
  for (const { key, places } of known.values()) {
    const raw = env[variableName(key)];
    if (places.includes('variable') && raw !== undefined && raw !== '')
      values.set(key, { raw, origin: variableName(key), layer: 1 });
  }
  for (const { key, places } of own) {
    const raw = flags[key];
    if (places.includes('flag') && raw !== undefined)
      values.set(key, { raw, origin: flagName(key), layer: 0 });
  }
  return values;
}

function unknownKey(key: string, place: string, known: ReadonlyMap<string, Setting>): StrataError {
  const keys = [...known.values()].filter(({ places }) => places.includes('file')).map((one) => one.key);
  const quoted = quoteValue(key, 'none').replace(/^not /, '');
  return invalid(`unknown key ${quoted} in ${place}${meant(key, keys)}; allowed: ${keys.join(', ')}`);
}

function dropOutranked(rules: readonly Rule[], values: Values): Values {
  const kept = new Map(values);
  for (const { kind, keys } of rules) {
    const [a, b] = keys;
    const [first, second] = [values.get(a), values.get(b)];
    if (kind !== 'either' || first === undefined || second === undefined) continue;
    if (first.layer === second.layer)
      throw invalid(`${first.origin} and ${second.origin} exclude each other: give one`);
    kept.delete(first.layer < second.layer ? b : a);
  }
  return kept;
}

function parse(one: Setting, { raw, origin }: Value): unknown {
  const reading = one.read(raw);
  if (!('problem' in reading)) return reading.value;
  throw invalid(
    `${reading.path === undefined ? origin : origin.replace(one.key, reading.path)} ${reading.problem}`,
  );
}

function checkOrder(rules: readonly Rule[], values: Values, parsed: ReadonlyMap<string, unknown>): void {
  for (const { kind, keys } of rules) {
    if (kind !== 'ascending') continue;
    const [from, to] = keys.map((key) => parsed.get(key));
    if (typeof from !== 'number' || typeof to !== 'number' || from <= to) continue;
    const [above, below] = keys.map((key) => `${values.get(key)?.origin} ${parsed.get(key)}`);
    throw invalid(`${above} is above ${below}`);
  }
}

function noteSecrets(all: { urls: string[]; passwords: string[] }, more: Secrets): void {
  all.urls.push(...more.urls);
  all.passwords.push(...more.passwords);
}

/** Not an error: a cluster's service links put variables of their own beside ours (STRATA_PORT, STRATA_SERVICE_HOST). */
function warningsOf(known: ReadonlyMap<string, Setting>, env: Environment): readonly string[] {
  const variables = [...known.values()].filter(({ places }) => places.includes('variable'));
  const names = ['STRATA_CONFIG', ...variables.map(({ key }) => variableName(key))];
  const shown = variables.filter((one) => !one.isInternal).map(({ key }) => variableName(key));
  // the prefix, which all have, makes no two alike
  const likely = (name: string) => {
    const found = nearest(
      name.slice(PREFIX.length),
      shown.map((one) => one.slice(PREFIX.length)),
    );
    return found === undefined ? '' : ` (Did you mean ${PREFIX}${found}?)`;
  };
  const unknown = Object.keys(env).filter((name) => name.startsWith(PREFIX) && !names.includes(name));
  return [
    ...unknown
      .sort()
      .map((name) => `the variable ${name} is none of Strata's and has no effect${likely(name)}`),
    ...variables.flatMap(({ key, warning }) => {
      const raw = env[variableName(key)] ?? '';
      return warning === undefined || raw === '' ? [] : [warning(raw)];
    }),
  ];
}

/** `capture needs the nodes to record: give --rpc <url,…> (or STRATA_RPC, rpc: in the configuration file)` */
function missing(command: string, one: Setting): StrataError {
  return invalid(`${command} needs ${one.needed}: ${giving([one])}`);
}

/** `give --rpc <url,…> or --capture <folder> (or STRATA_RPC, …)` */
export function giving(settings: readonly Setting[]): string {
  const flags = settings.map(flagUsage).join(' or ');
  const others = settings
    .filter(({ places }) => places.includes('variable'))
    .map(({ key }) => `${variableName(key)}, ${key}: in the configuration file`);
  return `give ${flags}${others.length === 0 ? '' : ` (or ${others.join(', ')})`}`;
}

function invalid(message: string): StrataError {
  return new StrataError('config_invalid', message);
}
