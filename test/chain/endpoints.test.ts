import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { systemClock } from 'strata-kit/clock';
import { type NodeAccess, PLAIN_ACCESS } from 'strata-kit/node-access';
import { FAULTS, type FaultName, GATEWAY_KEY } from 'strata-kit/rpc/faults/names';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Capture, openCapture } from '../../src/chain/capture/reader.ts';
import { splitRange } from '../../src/chain/envelope.ts';
import { askChainFacts } from '../../src/chain/facts.ts';
import { startReplay } from '../../src/chain/replay/server.ts';
import { createRpcSource } from '../../src/chain/rpc/source.ts';
import { createDecoder } from '../../src/decode/decoder.ts';
import type { DecodedRange } from '../../src/decode/range.ts';
import { createBlockVerifier } from '../../src/pipeline/block-verifier.ts';
import { createRangeLoader } from '../../src/pipeline/range-loader.ts';
import { recordedContext } from '../support/decoded.ts';
import { FIXTURE } from './fixture.ts';

/**
 * Endpoints as they are: each serves the same rows as a good node, whatever its gateway refuses. docs/operations.md has a
 * row for each.
 */

const TO_HEIGHT = 40;
const RANGE_BLOCKS = 20;
const TLS_FOLDER = new URL('../fixtures/tls/', import.meta.url).pathname;
const tls = {
  key: readFileSync(`${TLS_FOLDER}key.pem`, 'utf8'),
  cert: readFileSync(`${TLS_FOLDER}cert.pem`, 'utf8'),
};

/** A node that is given to the source, with what its gateway does. */
interface Endpoint {
  readonly faults?: readonly FaultName[];
  /** After the node's URL. */
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly isTls?: boolean;
  /** Where nobody listens. */
  readonly isAway?: boolean;
}

interface Case {
  readonly nodes: readonly Endpoint[];
  /** Of the last node. */
  readonly dialect?: string;
  /** One line of the log, and no more that warns. */
  readonly warning?: RegExp;
  readonly isUndescribed?: boolean;
}

const BATCHES = 'batches of 10 calls by POST';
const SINGLE = 'single calls by POST';
const BY_PATH = 'single calls by GET';
const one = (...faults: FaultName[]): readonly Endpoint[] => [{ faults }];
const key = `/rpc/${GATEWAY_KEY}`;

const CASES: Readonly<Record<string, Case>> = {
  'refuses batches with 400': { nodes: one('batch-400'), dialect: SINGLE },
  'refuses batches with 403': { nodes: one('batch-403'), dialect: SINGLE },
  'refuses batches with 413': { nodes: one('batch-413'), dialect: SINGLE },
  'refuses batches with 500': { nodes: one('batch-500'), dialect: SINGLE, warning: /a node failed/ },
  'answers a batch with an error object': { nodes: one('batch-error'), dialect: SINGLE },
  'answers the first call of a batch': { nodes: one('batch-first'), dialect: SINGLE },
  'answers a batch with a list of one': { nodes: one('batch-short'), dialect: SINGLE },
  'takes two calls at most': { nodes: one('batch-two'), dialect: 'batches of 2 calls by POST' },
  'refuses POST': { nodes: one('get-only'), dialect: BY_PATH },
  'refuses POST and wants a key in the query': {
    nodes: [{ faults: ['get-only', 'query-key'], path: `?key=${GATEWAY_KEY}` }],
    dialect: BY_PATH,
  },
  'says 429': { nodes: one('too-many'), warning: /a node failed/ },
  'says 429 with Retry-After': { nodes: one('retry-after'), warning: /a node failed/ },
  'gives pages of 502': { nodes: one('bad-gateway'), warning: /a node failed/ },
  'gives pages of 503': { nodes: one('unavailable'), warning: /a node failed/ },
  'has its key in the path': { nodes: [{ faults: ['path-key'], path: key }], dialect: BATCHES },
  'has its key in the query': {
    nodes: [{ faults: ['query-key'], path: `/?key=${GATEWAY_KEY}` }],
    dialect: BATCHES,
  },
  'has its key in a header field': {
    nodes: [{ faults: ['header-key'], headers: { 'x-api-key': GATEWAY_KEY } }],
    dialect: BATCHES,
  },
  'has a certificate of its own': { nodes: [{ isTls: true }], dialect: BATCHES },
  'packs with gzip': { nodes: one('gzip'), dialect: BATCHES },
  'packs with deflate': { nodes: one('deflate'), dialect: BATCHES },
  'packs with br': { nodes: one('br'), dialect: BATCHES },
  'has no abci_query': { nodes: one('no-queries'), isUndescribed: true, warning: /does not describe itself/ },
  'refuses abci_query with 403': {
    nodes: one('queries-403'),
    isUndescribed: true,
    warning: /does not describe itself/,
  },
  'refuses abci_query with 404': {
    nodes: one('queries-404'),
    isUndescribed: true,
    warning: /does not describe itself/,
  },
  'is 50 ms away': { nodes: one('far-50'), dialect: BATCHES },
  'follows one that is away': { nodes: [{ isAway: true }, {}], warning: /a node failed/ },
  'follows one of another chain': {
    nodes: [...one('foreign'), {}, {}],
    warning: /serves another chain/,
  },
  'follows a web server': { nodes: [...one('web-server'), {}], warning: /as a CometBFT node/ },
  'follows an Ethereum node': { nodes: [...one('ethereum'), {}], warning: /as a CometBFT node/ },
};

let capture: Capture;
const decoder = createDecoder(recordedContext());
let good: Indexed;

beforeAll(async () => {
  capture = await openCapture(FIXTURE);
  good = await index([{}]);
});
afterAll(() => capture.blocks.close());

interface Indexed {
  readonly digest: string;
  /** With a digest in place of the descriptors. */
  readonly facts: object;
  readonly dialect: string;
  readonly warnings: readonly string[];
  /** That happened. */
  readonly faults: readonly FaultName[];
}

/** The rows of the first blocks, as the indexer would get them from these nodes. */
async function index(endpoints: readonly Endpoint[]): Promise<Indexed> {
  const seen = new Set<FaultName>();
  const replays = await Promise.all(
    endpoints.map(({ faults = [], isTls = false }) =>
      startReplay({
        capture,
        host: '127.0.0.1',
        port: 0,
        ...(isTls ? { tls } : {}),
        faults: {
          chances: new Map(faults.map((name) => [name, FAULTS[name]])),
          seed: 3,
          onFault: (name) => seen.add(name),
        },
      }),
    ),
  );
  const urls = replays.map(({ url }, i) => {
    const { path = '', isAway = false } = endpoints[i] ?? {};
    return isAway ? 'http://127.0.0.1:1' : url + path;
  });
  const warnings: string[] = [];
  const log = { info: () => {}, warn: (_facts: object, text: string) => warnings.push(text) };
  const source = createRpcSource({ urls, log, access: accessOf(endpoints, urls) });
  try {
    const head = await source.head();
    const facts = await askChainFacts(source, log);
    const hash = createHash('sha256');
    const verifier = createBlockVerifier({
      mode: 'always',
      isProven: false,
      canAskAgain: true,
      log,
      onProven: () => {},
    });
    const decode = async (raw: Parameters<typeof splitRange>[0]): Promise<DecodedRange> =>
      decoder.decodeRange(splitRange(raw), raw.byteLength);
    const loader = createRangeLoader({
      source,
      decode,
      chainId: head.chainId,
      verifier,
      accepts: () => false,
      isBrief: () => false,
      clock: systemClock,
    });
    for (let from = 1; from <= TO_HEIGHT; from += RANGE_BLOCKS) {
      const stop = new AbortController().signal;
      const { tables } = await loader.load(from, from + RANGE_BLOCKS - 1, stop);
      for (const { table, native } of tables) hash.update(table).update(native);
    }
    return {
      digest: hash.digest('hex'),
      facts: { ...facts, descriptorSet: facts.descriptorSet && digestOf(facts.descriptorSet) },
      dialect: source.dialectOf(urls.at(-1) ?? ''),
      warnings,
      faults: [...seen],
    };
  } finally {
    await source.close();
    await Promise.all(replays.map((replay) => replay.close()));
  }
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

function accessOf(endpoints: readonly Endpoint[], urls: readonly string[]): NodeAccess {
  return {
    ...PLAIN_ACCESS,
    headers: Object.fromEntries(urls.map((url, i) => [url, endpoints[i]?.headers ?? {}])),
    caPath: endpoints.some(({ isTls }) => isTls) ? `${TLS_FOLDER}cert.pem` : undefined,
  };
}

describe('a node that', () => {
  it.each(Object.entries(CASES))('%s gives the rows of a good node', async (_name, wanted) => {
    const { digest, facts, dialect, warnings, faults } = await index(wanted.nodes);
    expect(digest).toBe(good.digest);
    // the key was never missing
    const wanting = wanted.nodes.flatMap(({ faults: given = [] }) =>
      given.filter((name) => !name.endsWith('-key')),
    );
    expect(faults).toEqual(expect.arrayContaining(wanting));
    if (wanted.dialect !== undefined) expect(dialect).toBe(wanted.dialect);
    if (wanted.isUndescribed === true)
      expect(facts).toMatchObject({ hrp: undefined, descriptorSet: undefined });
    else expect(facts).toEqual(good.facts);
    const others = warnings.filter((text) => wanted.warning?.test(text) !== true);
    expect({ others, count: warnings.length }).toEqual({
      others: [],
      count: wanted.warning === undefined ? 0 : 1,
    });
  });
});

describe('nodes of which none is right', () => {
  it.each([
    ['a web server', ['web-server'], 'node_bad_answer', 'not answered by JSON'],
    ['an Ethereum node', ['ethereum'], 'node_rpc_error', 'the method does not exist'],
    ['a node whose key in the path is missing', ['path-key'], 'node_rpc_error', 'HTTP 401'],
    ['a node whose key in the query is missing', ['query-key'], 'node_rpc_error', 'HTTP 401'],
    ['a node whose header field is missing', ['header-key'], 'node_rpc_error', 'HTTP 401'],
  ] as const)('%s ends the start with what it answers', async (_name, faults, code, text) => {
    const message = expect.stringContaining(text);
    await expect(index([{ faults }])).rejects.toMatchObject({ code, message });
  });
});
