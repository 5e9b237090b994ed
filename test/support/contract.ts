import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { parse } from 'yaml';

/**
 * openapi.yaml as a judge of answers. Every test that has an answer of the API in hand asks `validateAnswer`;
 * an empty list means that the answer is what the document promises, field for field.
 */

export type JsonObject = { readonly [key: string]: unknown };

/** A route of the document, with what its answers may be. */
export interface ContractRoute {
  /** As in the document, e.g. `/v1/txs/{hash}`. */
  readonly path: string;
  readonly operationId: string;
  readonly queryNames: readonly string[];
  readonly statuses: readonly number[];
}

const SCHEMAS_POINTER = '#/components/schemas/';
const INT64_END = 2 ** 63;

export const document: JsonObject = asObject(
  parse(readFileSync(new URL('../../openapi.yaml', import.meta.url), 'utf8')),
  'openapi.yaml',
);

const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
formats.default(ajv, ['date', 'date-time']);
// numbers beyond 2^53 reach us rounded by JSON.parse, so only their size can be judged
ajv.addFormat('int64', { type: 'number', validate: (n: number) => n >= -INT64_END && n <= INT64_END });
ajv.addFormat('int32', { type: 'number', validate: (n: number) => n >= -(2 ** 31) && n < 2 ** 31 });
// annotations of OpenAPI that judge nothing; `nullable` beside a `type` is known to ajv itself
for (const keyword of ['example', 'discriminator']) ajv.addKeyword(keyword);
for (const [name, schema] of Object.entries(resolve({ $ref: '#/components/schemas' }))) {
  ajv.addSchema(asObject(namedRefs(schema), name), name);
}

const compiled = new Map<unknown, ValidateFunction>();

/**
 * What is wrong with a 200 or an error answer of a route; empty when it conforms. `body` is parsed JSON, for
 * /openapi.yaml the text. A path or a status that the document does not know is an error too.
 */
export function validateAnswer(pathTemplate: string, status: number, body: unknown): string[] {
  const operation = operationOf(pathTemplate);
  if (operation === undefined) return [`${pathTemplate} is not in the document`];
  const response = asObject(operation.responses, pathTemplate)[String(status)];
  if (response === undefined) return [`${pathTemplate} does not declare status ${status}`];
  const { content: declared } = resolve(response);
  if (declared === undefined) return body === undefined ? [] : [`${pathTemplate} ${status} has no body`];
  const content = asObject(declared, pathTemplate);
  const mediaTypes = Object.values(content);
  if (mediaTypes.length !== 1) return [`${pathTemplate} ${status} needs exactly one media type`];
  return validateSchema(asObject(mediaTypes[0], pathTemplate).schema, body);
}

/** What is wrong with an answer's headers: those that the document declares, and etag and vary, which it must declare. */
export function validateHeaders(
  pathTemplate: string,
  status: number,
  headers: ReadonlyMap<string, string>,
): string[] {
  const response = asObject(operationOf(pathTemplate)?.responses, pathTemplate)[String(status)];
  const declared = new Map(
    Object.entries((resolve(response).headers ?? {}) as JsonObject).map(([name, header]) => [
      name.toLowerCase(),
      resolve(header),
    ]),
  );
  const faults = ['etag', 'vary', 'content-encoding', 'retry-after', 'cache-control']
    .filter((name) => headers.has(name) && !declared.has(name))
    .map((name) => `${name} is not declared`);
  for (const [name, { required, schema }] of declared) {
    const value = headers.get(name);
    if (value !== undefined) faults.push(...validateSchema(schema, value).map((fault) => name + fault));
    else if (required === true) faults.push(`${name} is missing`);
  }
  return faults.map((fault) => `${pathTemplate} ${status}: ${fault}`);
}

/** What is wrong with a value by a schema of the document, with a line a fault, e.g. `/txs/0/hash must be string`. */
export function validateSchema(schema: unknown, value: unknown): string[] {
  let validate = compiled.get(schema);
  if (validate === undefined) {
    validate = ajv.compile(asObject(namedRefs(schema), 'schema'));
    compiled.set(schema, validate);
  }
  return validate(value) ? [] : (validate.errors ?? []).map(printError);
}

/** The template of the path of a URL or request target; a literal segment wins over a parameter. */
export function matchPath(url: string): string | undefined {
  const segments = new URL(url, 'http://localhost').pathname.split('/');
  return Object.keys(asObject(document.paths, 'paths'))
    .filter((template) => fits(template.split('/'), segments))
    .sort((a, b) => parameterCount(a) - parameterCount(b))[0];
}

/** Every route of the document, in its order. */
export function routes(): readonly ContractRoute[] {
  return Object.keys(asObject(document.paths, 'paths')).map((path) => {
    const operation = operationOf(path) ?? {};
    const parameters = ((operation.parameters ?? []) as unknown[]).map(resolve);
    return {
      path,
      operationId: String(operation.operationId),
      queryNames: parameters.filter((found) => found.in === 'query').map((found) => String(found.name)),
      statuses: Object.keys(asObject(operation.responses, path)).map(Number),
    };
  });
}

/** The node itself, or what its `$ref` points at. */
export function resolve(node: unknown): JsonObject {
  const found = asObject(node, 'node');
  if (typeof found.$ref !== 'string') return found;
  const segments = found.$ref.slice(2).split('/');
  let target: unknown = document;
  for (const segment of segments) target = asObject(target, found.$ref)[segment];
  return asObject(target, found.$ref);
}

export function asObject(value: unknown, what: string): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${what} is not an object`);
  }
  return value as JsonObject;
}

function operationOf(pathTemplate: string): JsonObject | undefined {
  const item = asObject(document.paths, 'paths')[pathTemplate];
  return item === undefined ? undefined : asObject(asObject(item, pathTemplate).get, pathTemplate);
}

/** Component schemas stand in ajv under their bare names: as one schema, strict mode would refuse the document. */
function namedRefs(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(namedRefs);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) =>
      key === '$ref' && typeof value === 'string'
        ? [key, value.replace(SCHEMAS_POINTER, '')]
        : [key, namedRefs(value)],
    ),
  );
}

function printError(error: ErrorObject): string {
  const params = error.params as { additionalProperty?: string };
  const name = params.additionalProperty === undefined ? '' : ` (${params.additionalProperty})`;
  return `${error.instancePath} ${error.message ?? error.keyword}${name}`;
}

function fits(template: readonly string[], segments: readonly string[]): boolean {
  return (
    template.length === segments.length &&
    template.every((part, index) =>
      part.startsWith('{') ? segments[index] !== '' : part === segments[index],
    )
  );
}

function parameterCount(template: string): number {
  return template.split('{').length - 1;
}
