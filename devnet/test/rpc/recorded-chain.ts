import { readFileSync } from 'node:fs';
import type { AbciEvent } from 'strata-kit/abci-event';
import type { JsonObject } from 'strata-kit/proto-json';
import { FIXTURE, recordedHeights } from '../../../test/chain/fixture.ts';
import { txHash } from '../../src/comet/hashes.ts';
import type { Block, BlockId, Chain, CheckResult, Commit, TxResult } from '../../src/comet/types.ts';

/** The recorded chain as objects, behind the port that the RPC reads from. */

interface IdJson {
  readonly hash: string;
  readonly parts: { readonly total: number; readonly hash: string };
}
interface CommitJson {
  readonly height: string;
  readonly block_id: IdJson;
  readonly signatures: readonly {
    readonly validator_address: string;
    readonly timestamp: string;
    readonly signature: string;
  }[];
}
type HeaderJson = Readonly<Record<string, string>> & { readonly last_block_id: IdJson };
export interface BlockJson {
  readonly block_id: IdJson;
  readonly block: {
    readonly header: HeaderJson;
    readonly data: { readonly txs: readonly string[] };
    readonly last_commit: CommitJson;
  };
}
interface EventJson {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
}
export interface ResultsJson {
  readonly txs_results:
    | readonly {
        readonly code: number;
        readonly data: string | null;
        readonly log: string;
        readonly gas_wanted: string;
        readonly gas_used: string;
        readonly events: readonly EventJson[];
        readonly codespace: string;
      }[]
    | null;
  readonly finalize_block_events: readonly EventJson[] | null;
  readonly app_hash: string;
}

export function blockOfJson({ block_id, block }: BlockJson, results: ResultsJson): Block {
  const { header } = block;
  const text = (name: string) => header[name] ?? '';
  return {
    id: idOf(block_id),
    header: {
      blockVersion: 11,
      appVersion: 0,
      chainId: text('chain_id'),
      height: Number(header.height),
      timeNs: timeOf(text('time')),
      lastBlockId: idOf(header.last_block_id),
      lastCommitHash: text('last_commit_hash'),
      dataHash: text('data_hash'),
      validatorsHash: text('validators_hash'),
      nextValidatorsHash: text('next_validators_hash'),
      consensusHash: text('consensus_hash'),
      appHash: text('app_hash'),
      lastResultsHash: text('last_results_hash'),
      evidenceHash: text('evidence_hash'),
      proposerAddress: text('proposer_address'),
    },
    txs: block.data.txs.map((tx) => Buffer.from(tx, 'base64')),
    lastCommit: commitOf(block.last_commit),
    sizeBytes: 0,
    results: (results.txs_results ?? []).map(resultOf),
    events: (results.finalize_block_events ?? []).map(eventOf),
    nextAppHash: Buffer.from(results.app_hash, 'base64').toString('hex').toUpperCase(),
  };
}

function idOf({ hash, parts }: IdJson): BlockId {
  return { hash, partsTotal: parts.total, partsHash: parts.hash };
}

/** Of the validator that signs; the chain's second one never does. */
function commitOf({ height, block_id, signatures }: CommitJson): Commit {
  const [first] = signatures;
  return {
    height: Number(height),
    blockId: idOf(block_id),
    validatorAddress: first?.validator_address ?? '',
    timeNs: first === undefined ? 0n : timeOf(first.timestamp),
    signature: Buffer.from(first?.signature ?? '', 'base64'),
  };
}

function resultOf(json: NonNullable<ResultsJson['txs_results']>[number]): TxResult {
  return {
    code: json.code,
    codespace: json.codespace,
    log: json.log,
    data: Buffer.from(json.data ?? '', 'base64'),
    gasWanted: BigInt(json.gas_wanted),
    gasUsed: BigInt(json.gas_used),
    events: json.events.map(eventOf),
  };
}

function eventOf({ type, attributes }: EventJson): AbciEvent {
  return { type, attributes: attributes.map(({ key, value }) => [key, value] as const) };
}

function timeOf(text: string): bigint {
  const [, seconds = '', fraction = ''] = /^(.*?)(?:\.(\d+))?Z$/.exec(text) ?? [];
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

let blocks: readonly Block[] | undefined;

/** All 501, index 0 is height 1. */
export function recordedBlocks(): readonly Block[] {
  blocks ??= recordedHeights().map(({ block, results }) =>
    blockOfJson(
      JSON.parse(block.toString('utf8')) as BlockJson,
      JSON.parse(results.toString('utf8')) as ResultsJson,
    ),
  );
  return blocks;
}

export interface RecordedChain extends Chain {
  /** Shows the next height and tells the listeners. */
  step(): Block;
  /** Tells the listeners of any block. */
  announce(block: Block): void;
  readonly listeners: ReadonlySet<(block: Block) => void>;
}

export interface RecordedChainOptions {
  readonly head?: number;
  readonly earliest?: number;
  readonly addTx?: (tx: Uint8Array) => Promise<CheckResult>;
  readonly mempool?: readonly Uint8Array[];
}

const META = JSON.parse(readFileSync(`${FIXTURE}meta.json`, 'utf8')) as {
  readonly genesis: { readonly genesis: JsonObject };
};
const QUERIES = JSON.parse(readFileSync(`${FIXTURE}abci-queries.json`, 'utf8')) as readonly {
  readonly path: string;
  readonly data: string;
  readonly response: Readonly<Record<string, unknown>>;
}[];

export function openRecordedChain(options: RecordedChainOptions = {}): RecordedChain {
  const all = recordedBlocks();
  const { earliest = 1, mempool = [] } = options;
  const listeners = new Set<(block: Block) => void>();
  let head = options.head ?? all.length;
  const at = (height: number) => (height >= earliest && height <= head ? all[height - 1] : undefined);
  const announce = (block: Block) => {
    for (const listener of listeners) listener(block);
  };

  return {
    chainId: '9001',
    genesis: META.genesis.genesis,
    validator: {
      address: '24559DD62BDE352D1F1034A43A4A3EEFA336A34B',
      publicKey: Buffer.from('0yAyeQo7YWFKlBtnYCFq7Wn+E6SuiYToHXmCMetWWbo=', 'base64'),
      power: 2268,
    },
    appVersion: 0,
    binaryVersion: 'v0.6.0',
    latestHeight: () => head,
    earliestHeight: () => earliest,
    block: at,
    commitOf: (height) => all[height]?.lastCommit,
    heightOfBlock: (hash) => all.slice(0, head).find(({ id }) => id.hash === hash)?.header.height,
    placeOfTx(hash) {
      const places = all
        .slice(earliest - 1, head)
        .flatMap(({ header: { height }, txs, results }) =>
          txs.flatMap((tx, index) =>
            txHash(tx) === hash ? [{ height, index, isGood: results[index]?.code === 0 }] : [],
          ),
        );
      return places.find(({ isGood }) => isGood) ?? places.at(-1);
    },
    mempoolSize: () => ({
      count: mempool.length,
      bytes: mempool.reduce((sum, { length }) => sum + length, 0),
    }),
    mempoolTxs: (limit) => mempool.slice(0, limit),
    waitingTx: () => undefined,
    waitingSequence: () => undefined,
    addTx: options.addTx ?? (() => Promise.reject(new Error('takes no txs'))),
    async query(path, data, height) {
      const refuse = (code: number, log: string) => {
        return { code, codespace: 'sdk', log, value: new Uint8Array(0), height: 0 };
      };
      if (height > head) {
        return refuse(
          26,
          'cannot query with height in the future; please provide a valid height: invalid height',
        );
      }
      const found = QUERIES.find(
        (query) => query.path === path && query.data === Buffer.from(data).toString('hex'),
      );
      if (found === undefined) return refuse(6, 'unknown query path: unknown request');
      const { code, log, value, codespace } = found.response;
      return {
        code: Number(code),
        codespace: String(codespace),
        log: String(log),
        value: Buffer.from(String(value ?? ''), 'base64'),
        height: Number(found.response.height),
      };
    },
    onBlock(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    announce,
    listeners,
    step() {
      const block = all[head] as Block;
      head += 1;
      announce(block);
      return block;
    },
  };
}
