import type { Block, Chain } from 'strata-devnet/comet/types';
import { startRpc } from 'strata-devnet/rpc/server';
import type { AbciEvent } from 'strata-kit/abci-event';
import { parseTimeNs } from 'strata-kit/time';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { splitRange } from '../../src/chain/envelope.ts';
import { RECORDING_FOLDER } from './recording.ts';

/**
 * The reference chain's RPC in a process of its own, over the recording's blocks as objects, over and over with other
 * heights. argv: the number of blocks, and the bytes of printed blocks that it keeps. Prints its URL.
 */
const blocks = Number(process.argv[2]);
const cacheBytes = Number(process.argv[3]);

const source = createCaptureSource(await openCapture(RECORDING_FOLDER));
const { latestHeight } = await source.head();
const recorded = splitRange(await source.fetch(1, latestHeight)).map(({ block, results }) =>
  toBlock(
    JSON.parse(Buffer.from(block, 'latin1').toString('utf8')) as BlockJson,
    JSON.parse(Buffer.from(results).toString('utf8')) as ResultsJson,
  ),
);

function blockAt(height: number): Block | undefined {
  const block = height > blocks ? undefined : recorded[(height - 1) % recorded.length];
  return block === undefined ? undefined : { ...block, header: { ...block.header, height } };
}

const chain: Chain = {
  chainId: '9001',
  genesis: { consensus_params: { block: { max_bytes: '22020096', max_gas: '40000000' } } },
  validator: { address: '00', publicKey: new Uint8Array(32), power: 1 },
  appVersion: 0,
  binaryVersion: '1',
  latestHeight: () => blocks,
  earliestHeight: () => 1,
  block: blockAt,
  commitOf: (height) => blockAt(height + 1)?.lastCommit,
  heightOfBlock: () => undefined,
  placeOfTx: () => undefined,
  mempoolSize: () => ({ count: 0, bytes: 0 }),
  mempoolTxs: () => [],
  waitingTx: () => undefined,
  waitingSequence: () => undefined,
  addTx: () => Promise.reject(new Error('takes no txs')),
  query: () => Promise.reject(new Error('answers no queries')),
  onBlock: () => () => {},
};
const rpc = await startRpc({ chain, port: 0, cacheBytes });
console.log(rpc.url);
process.on('SIGTERM', () => process.exit(0));

interface IdJson {
  readonly hash: string;
  readonly parts: { readonly total: number; readonly hash: string };
}
interface BlockJson {
  readonly block_id: IdJson;
  readonly block: {
    readonly header: Readonly<Record<string, string>> & { readonly last_block_id: IdJson };
    readonly data: { readonly txs: readonly string[] };
    readonly last_commit: {
      readonly height: string;
      readonly block_id: IdJson;
      readonly signatures: readonly { validator_address: string; timestamp: string; signature: string }[];
    };
  };
}
interface EventJson {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
}
interface ResultsJson {
  readonly txs_results: readonly (Readonly<Record<string, string>> & {
    readonly events: readonly EventJson[];
  })[];
  readonly finalize_block_events: readonly EventJson[];
  readonly app_hash: string;
}

function toBlock({ block_id, block }: BlockJson, results: ResultsJson): Block {
  const { header, last_commit } = block;
  const [signature] = last_commit.signatures;
  const hash = (name: string) => header[name] ?? '';
  const events = (list: readonly EventJson[] | null): AbciEvent[] =>
    (list ?? []).map(({ type, attributes }) => ({
      type,
      attributes: attributes.map(({ key, value }) => [key, value] as const),
    }));
  return {
    id: toId(block_id),
    header: {
      blockVersion: 11,
      appVersion: 0,
      chainId: hash('chain_id'),
      height: Number(header.height),
      timeNs: parseTimeNs(hash('time')) ?? 0n,
      lastBlockId: toId(header.last_block_id),
      lastCommitHash: hash('last_commit_hash'),
      dataHash: hash('data_hash'),
      validatorsHash: hash('validators_hash'),
      nextValidatorsHash: hash('next_validators_hash'),
      consensusHash: hash('consensus_hash'),
      appHash: hash('app_hash'),
      lastResultsHash: hash('last_results_hash'),
      evidenceHash: hash('evidence_hash'),
      proposerAddress: hash('proposer_address'),
    },
    txs: block.data.txs.map((tx) => Buffer.from(tx, 'base64')),
    lastCommit: {
      height: Number(last_commit.height),
      blockId: toId(last_commit.block_id),
      validatorAddress: signature?.validator_address ?? '',
      timeNs: parseTimeNs(signature?.timestamp ?? '') ?? 0n,
      signature: Buffer.from(signature?.signature ?? '', 'base64'),
    },
    sizeBytes: 0,
    results: (results.txs_results ?? []).map((result) => ({
      code: Number(result.code),
      codespace: result.codespace ?? '',
      log: result.log ?? '',
      data: Buffer.from(result.data ?? '', 'base64'),
      gasWanted: BigInt(result.gas_wanted ?? 0),
      gasUsed: BigInt(result.gas_used ?? 0),
      events: events(result.events),
    })),
    events: events(results.finalize_block_events),
    nextAppHash: Buffer.from(results.app_hash, 'base64').toString('hex').toUpperCase(),
  };
}

function toId({ hash, parts }: IdJson): Block['id'] {
  return { hash, partsTotal: parts.total, partsHash: parts.hash };
}
