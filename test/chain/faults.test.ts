import { HASH_FIELDS, HeaderHasher, resultsHash, txsHash } from 'strata-kit/block-hash';
import { createBodyBudget } from 'strata-kit/body-budget';
import { sha256 } from 'strata-kit/hash';
import { readHashedHeader } from 'strata-kit/hashed-header';
import { createHolding } from 'strata-kit/holding';
import type { RpcRequest } from 'strata-kit/rpc/calls';
import { createFaultLayer } from 'strata-kit/rpc/faults/layer';
import { reprint } from 'strata-kit/rpc/faults/layout';
import { FAULT_NAMES, type FaultName, parseFaults } from 'strata-kit/rpc/faults/names';
import { createFaultSchedule } from 'strata-kit/rpc/faults/schedule';
import { READ_METHODS } from 'strata-kit/rpc/methods';
import type { RpcNode } from 'strata-kit/rpc/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Capture, openCapture } from '../../src/chain/capture/reader.ts';
import { splitRange } from '../../src/chain/envelope.ts';
import { createReplayChain } from '../../src/chain/replay/chain.ts';
import { createViewer } from '../../src/chain/replay/faults/view.ts';
import { rpcChain } from '../../src/chain/replay/rpc-chain.ts';
import { printRangeCalls } from '../../src/chain/rpc/calls.ts';
import { FIXTURE, rangeOf, recorded, recordedHeights, rpcBody } from './fixture.ts';

describe('the schedule of faults', () => {
  const run = (seed: number): number[] => {
    const schedule = createFaultSchedule(seed);
    return ['a', 'b', 'a', 'a', 'c'].map((request) => schedule.begin(request).share('drop'));
  };

  it('depends on the seed, the request and the attempt alone', () => {
    expect(run(1)).toEqual(run(1));
    expect(run(1)).not.toEqual(run(2));
    const shares = run(1);
    expect(new Set(shares).size).toBe(shares.length);
    // in another order each request meets the same
    const schedule = createFaultSchedule(1);
    const [c, a] = ['c', 'a'].map((request) => schedule.begin(request).share('drop'));
    expect([a, c]).toEqual([shares[0], shares[4]]);
  });

  it('is even', () => {
    const schedule = createFaultSchedule(3);
    const shares = Array.from({ length: 2_000 }, (_, i) => schedule.begin(`height ${i}`).share('drop'));
    for (const bound of [0.1, 0.25, 0.5, 0.9]) {
      const below = shares.filter((share) => share < bound).length / shares.length;
      expect(Math.abs(below - bound)).toBeLessThan(0.04);
    }
  });
});

describe('names of faults', () => {
  it('are read with and without a probability, and told when there is none such', () => {
    expect(parseFaults(['drop:0.1', 'fork', 'delay'])).toEqual(
      new Map([
        ['drop', 0.1],
        ['fork', 1],
        ['delay', 0.2],
      ]),
    );
    expect(() => parseFaults(['flood'])).toThrow(/no fault 'flood'; known: delay, drop/);
  });
});

let capture: Capture;
beforeAll(async () => {
  capture = await openCapture(FIXTURE);
});
afterAll(() => capture.blocks.close());

function layerOf(names: readonly FaultName[], seed: number) {
  const chances = new Map(names.map((name) => [name, 1] as const));
  const clock = { nowMs: () => 0, sleep: () => Promise.resolve() };
  const chain = createReplayChain(capture, 501);
  const layer = createFaultLayer({ chances, seed, clock }, (run) => createViewer(chain, chances, run));
  const node: RpcNode = {
    chain: rpcChain(chain),
    methods: new Map(READ_METHODS),
    onEvents: () => () => {},
    onError: (error) => {
      throw error;
    },
    close: () => {},
  };
  const exchange = () => ({
    caller: { client: '', signal: undefined },
    holding: createHolding(createBodyBudget(Number.POSITIVE_INFINITY)),
  });
  return { answer: (request: RpcRequest) => layer.answer(node, request, exchange()) };
}

const batch = (from: number, to: number) => ({
  method: 'POST',
  url: '/',
  body: `[${printRangeCalls(from, to).join(',')}]`,
});

/** What leaves a batch of blocks as it is: endpoints.test.ts meets these. */
const OF_OTHER_REQUESTS = new Set<FaultName>([
  'delay',
  'gzip',
  'deflate',
  'br',
  'no-queries',
  'queries-403',
  'queries-404',
  'far-50',
  'far-150',
  'far-400',
  'foreign',
]);

describe('a layer of faults', () => {
  it.each(FAULT_NAMES.filter((name) => !OF_OTHER_REQUESTS.has(name)))(
    '%s changes an answer, and is the same again',
    async (name) => {
      const changes: (string | undefined)[][] = [];
      for (let i = 0; i < 2; i++) {
        const layer = layerOf([name], 11);
        const answers: (string | undefined)[] = [];
        for (const request of [batch(330, 333), batch(497, 501), batch(497, 501)]) {
          const answer = await layer.answer(request);
          const text = answer && Buffer.concat(answer.parts).toString('latin1');
          answers.push(
            answer && JSON.stringify([answer.status, answer.headers, answer.breakAfterBytes, text]),
          );
        }
        changes.push(answers);
      }
      expect(changes[0]).toEqual(changes[1]);
      const layer = layerOf([], 11);
      const right = await layer.answer(batch(497, 501));
      const text = right && Buffer.concat(right.parts).toString('latin1');
      expect(changes[0]?.slice(1)).not.toContain(JSON.stringify([200, undefined, undefined, text]));
    },
  );

  it('prints another layout of the same values', () => {
    const schedule = createFaultSchedule(5);
    const styles = new Set<string>();
    for (let i = 0; i < 12; i++) {
      const { block } = recorded(61);
      const printed = reprint(block.toString('latin1'), schedule.begin(String(i)));
      styles.add(printed.slice(0, 60));
      expect(JSON.parse(Buffer.from(printed, 'latin1').toString('utf8'))).toEqual(
        JSON.parse(block.toString('utf8')),
      );
    }
    expect(styles.size).toBeGreaterThan(4);
  });

  it('forks into blocks that follow each other by right hashes', async () => {
    const layer = layerOf(['fork'], 4);
    const answer = await layer.answer(batch(494, 498));
    const text = Buffer.concat(answer?.parts ?? []).toString('latin1');
    const blocks = splitRange(rangeOf([rpcBody(494, 498, text)]));
    const hashes = blocks.map(({ block }) => blockHashes(block));
    for (const [i, { told, made, parent }] of hashes.entries()) {
      expect(made).toBe(told);
      if (i > 0) expect(parent).toBe(hashes[i - 1]?.told);
    }
    expect(hashes[0]?.told).not.toBe(blockHashes(recorded(494).block.toString('latin1')).told);
  });
});

interface BlockJson {
  readonly block_id: { readonly hash: string };
  readonly block: {
    readonly header: Readonly<Record<string, string>> & { readonly last_block_id: { readonly hash: string } };
    readonly data: { readonly txs: readonly string[] };
  };
}

const hasher = new HeaderHasher();
const hex = (latin1: string): string => Buffer.from(latin1, 'latin1').toString('hex').toUpperCase();

function blockHashes(block: string) {
  const { block_id, block: inner } = JSON.parse(block) as BlockJson;
  const header = readHashedHeader(inner.header);
  if (header === undefined) throw new Error('no time');
  return {
    told: block_id.hash,
    made: hex(hasher.hash(header)),
    parent: inner.header.last_block_id.hash,
    header: inner.header,
    txs: txsHash(inner.data.txs.map((tx) => sha256(Buffer.from(tx, 'base64')))),
  };
}

describe('the hashes of a block', () => {
  it('are those of every recorded block', () => {
    let resultsBefore: string | undefined;
    for (const { block, results } of recordedHeights()) {
      const { told, made, header, txs } = blockHashes(block.toString('latin1'));
      expect(made).toBe(told);
      expect(hex(txs)).toBe(header.data_hash);
      if (resultsBefore !== undefined) expect(resultsBefore).toBe(header.last_results_hash);
      const { txs_results } = JSON.parse(results.toString('latin1')) as {
        txs_results:
          | readonly { code: number; data: string | null; gas_wanted: string; gas_used: string }[]
          | null;
      };
      resultsBefore = hex(
        resultsHash(
          (txs_results ?? []).map(({ code, data, gas_wanted, gas_used }) => ({
            code,
            data: data ?? '',
            gasWanted: BigInt(gas_wanted),
            gasUsed: BigInt(gas_used),
          })),
        ),
      );
    }
  });

  it('change with every field of the header', () => {
    const block = JSON.parse(recorded(61).block.toString('latin1')) as BlockJson;
    const right = readHashedHeader(block.block.header);
    if (right === undefined) throw new Error('no time');
    const other = 'AB'.repeat(32);
    const changes = [
      { blockVersion: '12' },
      { appVersion: '1' },
      { chainId: '9002' },
      { height: 62 },
      { timeNs: right.timeNs + 1n },
      { parentHash: other },
      { parentPartsTotal: 2 },
      { parentPartsHash: other },
      { proposer: 'AB'.repeat(20) },
      ...HASH_FIELDS.map((_, at) => ({ hashes: right.hashes.map((hash, i) => (i === at ? other : hash)) })),
    ];
    const made = [{}, ...changes].map((change) => hex(hasher.hash({ ...right, ...change })));
    expect(made[0]).toBe(block.block_id.hash);
    expect(new Set(made).size).toBe(changes.length + 1);
  });
});
