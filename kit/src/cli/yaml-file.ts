import { isMap, LineCounter, parseDocument, YAMLParseError } from 'yaml';
import { StrataError } from '../errors.ts';
import { isObject } from '../json.ts';

export interface ConfigFile {
  readonly path: string;
  readonly text: string;
}

/** What a key says, and where: `workers in strata.yaml (line 3)`. */
export interface FileValue {
  readonly raw: unknown;
  readonly place: string;
}

/**
 * The keys of a YAML file. Its scalars stay strings, so that an unquoted 0x… address is not read as a number. A key
 * without a value counts as not given. Errors: config_invalid.
 */
export function readYaml({ path, text }: ConfigFile): ReadonlyMap<string, FileValue> {
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', logLevel: 'error', lineCounter: lines });
  const [problem] = document.errors;
  if (problem !== undefined) throw invalid(`${path} is not valid YAML: ${yamlReason(problem)}`);
  const found = contentOf(() => document.toJS(), path);
  if (found === undefined) return new Map();
  if (!isObject(found))
    throw invalid(`${path} must hold keys and values, such as 'rpc: http://127.0.0.1:26657'`);
  const starts = new Map<string, number>();
  for (const { key } of isMap(document.contents) ? document.contents.items : []) {
    const { range } = key as { readonly range?: readonly number[] | null };
    if (range !== undefined && range !== null) starts.set(String(key), lines.linePos(range[0] ?? 0).line);
  }
  return new Map(
    Object.entries(found).map(([key, raw]) => {
      const line = starts.get(key);
      return [key, { raw, place: `${path}${line === undefined ? '' : ` (line ${line})`}` }];
    }),
  );
}

function contentOf(read: () => unknown, path: string): unknown {
  try {
    return withoutEmpty(read());
  } catch (error) {
    // an alias without an anchor
    throw invalid(`${path} is not valid YAML: ${yamlReason(error)}`);
  }
}

/** Without what the parser repeats of the file after a colon, which may be a password. */
function yamlReason(error: unknown): string {
  const [reason = ''] = String(error instanceof Error ? error.message : error).split(/:| at line \d/);
  const [at] = error instanceof YAMLParseError ? (error.linePos ?? []) : [];
  return at === undefined ? reason : `${reason} at line ${at.line}, column ${at.col}`;
}

function withoutEmpty(value: unknown): unknown {
  if (value === '' || value === null) return undefined;
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutEmpty(inner)]);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

function invalid(message: string): StrataError {
  return new StrataError('config_invalid', message);
}
