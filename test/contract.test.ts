import { describe, expect, it } from 'vitest';
import {
  asObject,
  document,
  type JsonObject,
  matchPath,
  resolve,
  routes,
  validateAnswer,
  validateSchema,
} from './support/contract.ts';
import { oracleTxs, recordedBlocks } from './support/oracle.ts';

/** Objects whose fields are the chain's, not ours: proto-JSON of messages and typed events. */
const OPEN_SCHEMAS = ['Message', 'NullableTypedEventJson', 'TypedEventJson'];
/** Objects keyed by data, all values of one schema. */
const MAP_SCHEMAS = ['AmountByDenom'];
/** Every field that an answer may leave out; all others are required. */
const OPTIONAL_FIELDS = [
  'ActivityEvent.mode',
  'AssetCandidate.bundle',
  'AssetCandidate.kind_id',
  'Event.mode',
  'QuestResult.last_completed_at',
  'QuestStatus.at',
  'QuestStatus.height',
  'Settlement.timeline',
  'Tx.raw_log',
  'TxCandidate.eth_hash',
];
const ERROR_STATUSES = [400, 404, 405, 500, 503];

const components = asObject(document.components, 'components');
const schemas = Object.entries(asObject(components.schemas, 'schemas')).map(
  ([name, schema]) => [name, asObject(schema, name)] as const,
);

/** Every schema node of the components with a readable place, e.g. `Tx.fee[]`. */
const schemaNodes = schemas.flatMap(([name, schema]) => walkSchema(name, schema));
const objectNodes = schemaNodes.filter(([, schema]) => schema.type === 'object');

describe('the document', () => {
  it('is the version of the API that it describes', () => {
    expect(document.openapi).toBe('3.0.3');
    expect(document.info).toMatchObject({ version: '0.12.2', license: { name: 'Apache-2.0' } });
  });

  it('has every route of the contract and of the extensions, each with a name of its own', () => {
    const isExtension = ({ path }: { readonly path: string }) => path.startsWith('/v1/x/');
    expect(routes().filter((route) => !isExtension(route))).toHaveLength(32);
    expect(new Set(routes().map((route) => route.operationId)).size).toBe(routes().length);
  });

  it.each(routes())('$path: GET only, one answer and every error', ({ path, statuses }) => {
    expect(Object.keys(asObject(asObject(document.paths, 'paths')[path], path))).toEqual(['get']);
    expect(statuses).toEqual([200, ...(path === '/v1/status' ? [] : [304]), ...ERROR_STATUSES]);
    const codes = {
      400: 'bad_request',
      404: 'not_found',
      405: 'method_not_allowed',
      500: 'internal',
      503: 'internal',
    };
    for (const [status, code] of Object.entries(codes)) {
      expect(validateAnswer(path, Number(status), { error: 'why', code })).toEqual([]);
    }
  });

  it('pages every list the same way', () => {
    const pages = routes().filter((route) => route.queryNames.includes('cursor'));
    expect(pages.length).toBeGreaterThanOrEqual(10);
    for (const { path, queryNames } of pages) {
      expect(queryNames, path).toContain('limit');
      expect(asObject(answerSchema(path).properties, path), path).toHaveProperty('next_cursor');
    }
  });

  it('uses every component', () => {
    const text = JSON.stringify(document);
    const unused = ['schemas', 'parameters', 'responses', 'examples', 'headers'].flatMap((kind) =>
      Object.keys(asObject(components[kind], kind)).filter(
        (name) => !text.includes(`"$ref":"#/components/${kind}/${name}"`),
      ),
    );
    expect(unused).toEqual([]);
  });
});

describe('schemas', () => {
  it('are closed, but for the chain’s own JSON and maps keyed by denom', () => {
    const notClosed = objectNodes.filter(([, schema]) => schema.additionalProperties !== false);
    expect(notClosed.map(([place]) => place).sort()).toEqual([...OPEN_SCHEMAS, ...MAP_SCHEMAS].sort());
  });

  it('have no bare object: each names its fields or is open on purpose', () => {
    for (const [place, schema] of objectNodes) {
      if (OPEN_SCHEMAS.includes(place)) continue;
      if (MAP_SCHEMAS.includes(place)) expect(schema.additionalProperties, place).toHaveProperty('$ref');
      else expect(Object.keys(asObject(schema.properties, place)).length, place).toBeGreaterThan(0);
    }
  });

  it('require every field that the contract does not call optional', () => {
    const optional = objectNodes.flatMap(([place, schema]) => {
      const required = (schema.required ?? []) as readonly string[];
      const fields = Object.keys((schema.properties ?? {}) as JsonObject);
      expect(
        required.filter((name) => !fields.includes(name)),
        place,
      ).toEqual([]);
      return fields.filter((name) => !required.includes(name)).map((name) => `${place}.${name}`);
    });
    expect(optional.sort()).toEqual(OPTIONAL_FIELDS);
  });

  it('type every value, integers with their width and objects under a name', () => {
    for (const [place, schema] of schemaNodes) {
      const typed = ['$ref', 'allOf', 'oneOf', 'type'].some((keyword) => keyword in schema);
      expect(typed, place).toBe(true);
      if (schema.type === 'integer') expect(['int32', 'int64'], place).toContain(schema.format);
      // tools print an unnamed object as `object`
      if (schema.type === 'object') expect(place).toMatch(/^\w+$/);
    }
  });

  it('are nullable only beside a type, as OpenAPI 3.0.3 asks', () => {
    for (const [place, schema] of schemaNodes) {
      if (schema.nullable === true) expect(schema, place).toHaveProperty('type');
    }
  });
});

describe('examples', () => {
  it('of schemas conform to them', () => {
    const examples = schemaNodes.filter(([, schema]) => 'example' in schema);
    expect(examples.length).toBeGreaterThan(150);
    for (const [place, schema] of examples) expect(validateSchema(schema, schema.example), place).toEqual([]);
  });

  it('of parameters and answers conform to their schemas', () => {
    const carriers = walkCarriers(document);
    expect(carriers.length).toBeGreaterThan(30);
    for (const [schema, value] of carriers) {
      expect(validateSchema(schema, value), JSON.stringify(value).slice(0, 200)).toEqual([]);
    }
  });

  it.each(['TxTransfer', 'TxEvm', 'TxFailed'])('%s is a transaction of the recorded chain', (name) => {
    const example = asObject(resolve({ $ref: `#/components/examples/${name}` }).value, name);
    const recorded = oracleTxs().find((tx) => tx.hash === example.hash);
    expect(example).toMatchObject({ height: recorded?.height, tx_index: recorded?.index });
    expect(example.msgs).toEqual(recorded?.rest.tx.body.messages);
    expect(example.fee).toEqual(recorded?.rest.tx.auth_info.fee.amount);

    const block = recordedBlocks().find((found) => found.height === example.height);
    const result = block?.block_results.txs_results?.[Number(example.tx_index)];
    expect(example.gas_wanted).toBe(Number(result?.gas_wanted));
    expect(example.block_time).toBe(block?.block.block.header.time);
    const events = (example.events as readonly JsonObject[]).map(({ type, attributes }) => ({
      type,
      attributes,
    }));
    expect(events).toEqual(
      result?.events?.map((event) => ({
        type: event.type,
        attributes: event.attributes.map(({ key, value }) => ({ key, value })),
      })) ?? [],
    );
  });
});

describe('validateAnswer', () => {
  const status = {
    indexed_height: 501,
    chain_height: 501,
    lag_blocks: 0,
    latest_block_time: '2026-11-20T23:36:07.529655502Z',
    wall_clock_lag_seconds: 3,
    drift_total: 0,
  };

  it('accepts an answer as the document has it', () => {
    expect(validateAnswer('/v1/status', 200, status)).toEqual([]);
    expect(validateAnswer('/openapi.yaml', 200, 'openapi: 3.0.3')).toEqual([]);
    expect(validateAnswer('/v1/blocks', 200, { blocks: [], next_cursor: null })).toEqual([]);
  });

  it('names an undeclared field, a missing one, a wrong type and a wrong form', () => {
    expect(validateAnswer('/v1/status', 200, { ...status, node: 'n1' })).toEqual([
      ' must NOT have additional properties (node)',
    ]);
    const { drift_total, ...rest } = status;
    expect(drift_total).toBe(0);
    expect(validateAnswer('/v1/status', 200, rest)).toEqual([" must have required property 'drift_total'"]);
    expect(validateAnswer('/v1/status', 200, { ...status, lag_blocks: '0' })).toEqual([
      '/lag_blocks must be integer',
    ]);
    const zerosKept = { ...status, latest_block_time: '2026-11-20T23:36:07.500Z' };
    expect(validateAnswer('/v1/status', 200, zerosKept)).toEqual([
      expect.stringContaining('/latest_block_time must match pattern'),
    ]);
    expect(validateAnswer('/v1/status', 200, { ...status, latest_block_time: null })).not.toEqual([]);
  });

  it('sees into nested values', () => {
    const tx = asObject(resolve({ $ref: '#/components/examples/TxEvm' }).value, 'TxEvm');
    const evm = asObject(tx.evm, 'evm');
    const upperCase = { ...tx, evm: { ...evm, eth_hash: String(evm.eth_hash).toUpperCase() } };
    expect(validateAnswer('/v1/txs/{hash}', 200, { ...tx, evm: null })).toEqual([]);
    expect(validateAnswer('/v1/txs/{hash}', 200, upperCase)).toEqual([
      expect.stringContaining('/evm/eth_hash must match pattern'),
    ]);
    const legs = [{ direction: 'DIRECTION_PROPOSER_TO_COUNTERPARTY' }];
    expect(validateSchema({ $ref: '#/components/schemas/SettlementLeg' }, legs[0])).not.toEqual([]);
  });

  it('keeps 64-bit integers apart from what is larger', () => {
    const int64 = { type: 'integer', format: 'int64' };
    expect(validateSchema(int64, JSON.parse('1795217722005239294'))).toEqual([]);
    expect(validateSchema(int64, 2 ** 64)).not.toEqual([]);
  });

  it('refuses routes and statuses that the document does not declare', () => {
    expect(validateAnswer('/v1/peers', 200, {})).toEqual(['/v1/peers is not in the document']);
    expect(validateAnswer('/v1/status', 304, {})).toEqual(['/v1/status does not declare status 304']);
  });
});

describe('matchPath', () => {
  it('finds the template of a request', () => {
    expect(matchPath('/v1/txs?limit=2')).toBe('/v1/txs');
    expect(matchPath('http://127.0.0.1:8080/v1/blocks/278')).toBe('/v1/blocks/{height}');
    expect(matchPath('/v1/assets/47/kinds/0/holders')).toBe('/v1/assets/{id}/kinds/{kind}/holders');
  });

  it('takes a literal segment before a parameter, and no empty one', () => {
    expect(matchPath('/v1/quests/leaderboard')).toBe('/v1/quests/leaderboard');
    expect(matchPath('/v1/quests/cosmos1ll48')).toBe('/v1/quests/{addr}');
    expect(matchPath('/v1/txs/')).toBeUndefined();
    expect(matchPath('/v2/txs')).toBeUndefined();
  });
});

function answerSchema(path: string): JsonObject {
  const operation = asObject(asObject(asObject(document.paths, 'paths')[path], path).get, path);
  const content = asObject(resolve(asObject(operation.responses, path)['200']).content, path);
  return resolve(asObject(content['application/json'], path).schema);
}

/** The node and all schema nodes inside it; a `$ref` is a leaf. */
function walkSchema(place: string, schema: JsonObject): (readonly [place: string, schema: JsonObject])[] {
  const inner: (readonly [string, unknown])[] = [
    ...Object.entries((schema.properties ?? {}) as JsonObject).map(
      ([name, property]) => [`${place}.${name}`, property] as const,
    ),
    ...(schema.items === undefined ? [] : [[`${place}[]`, schema.items] as const]),
    ...(typeof schema.additionalProperties === 'object'
      ? [[`${place}{}`, schema.additionalProperties] as const]
      : []),
    ...['allOf', 'oneOf'].flatMap((keyword) =>
      ((schema[keyword] ?? []) as readonly unknown[]).map((part) => [`${place}|`, part] as const),
    ),
  ];
  return [[place, schema], ...inner.flatMap(([where, node]) => walkSchema(where, asObject(node, where)))];
}

/** Every (schema, example value) of parameters and media types anywhere in a node. */
function walkCarriers(node: unknown): (readonly [schema: unknown, value: unknown])[] {
  if (typeof node !== 'object' || node === null) return [];
  const carrier = node as JsonObject;
  const own: (readonly [unknown, unknown])[] = [];
  if ('schema' in carrier) {
    if ('example' in carrier) own.push([carrier.schema, carrier.example]);
    for (const example of Object.values((carrier.examples ?? {}) as JsonObject)) {
      own.push([carrier.schema, resolve(example).value]);
    }
  }
  return [...own, ...Object.values(carrier).flatMap(walkCarriers)];
}
