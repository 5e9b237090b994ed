import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { base64ToBytes, bytesToHex, concatBytes } from 'strata-kit/bytes';
import { parseTimeNs } from 'strata-kit/time';
import { describe, expect, it } from 'vitest';
import {
  blockIdOf,
  commitHash,
  consensusHash,
  dataHash,
  hashOfResults,
  headerHash,
  txHash,
  validatorsHash,
} from '../src/comet/hashes.ts';
import type { BlockId, Commit, Header, TxResult } from '../src/comet/types.ts';
import { createSigner } from '../src/comet/validator.ts';
import { voteSignBytes } from '../src/comet/wire.ts';

/** The chain's own hashes and sign bytes, judged by blocks that a real CometBFT made (test/fixtures/evmd). */

interface WireId {
  hash: string;
  parts: { total: number; hash: string };
}
interface WireSignature {
  validator_address: string;
  timestamp: string;
  signature: string | null;
}
interface WireBlock {
  block_id: WireId;
  block: {
    header: Record<string, string> & { version: { block: string; app?: string }; last_block_id: WireId };
    data: { txs: string[] };
    last_commit: { height: string; block_id: WireId; signatures: WireSignature[] };
  };
}
interface WireResults {
  txs_results: { code: number; data: string | null; gas_wanted: string; gas_used: string }[] | null;
}

const FOLDER = new URL('../../test/fixtures/evmd/', import.meta.url);
const recorded = gunzipSync(readFileSync(new URL('blocks.jsonl.gz', FOLDER)))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as { block: WireBlock; block_results: WireResults });
const meta = JSON.parse(readFileSync(new URL('meta.json', FOLDER), 'utf8')) as {
  validators: { validators: { address: string; pub_key: { value: string }; voting_power: string }[] };
};
const validators = meta.validators.validators.map(({ address, pub_key, voting_power }) => ({
  address,
  publicKey: base64ToBytes(pub_key.value),
  power: Number(voting_power),
}));

const toId = ({ hash, parts }: WireId): BlockId => ({
  hash,
  partsTotal: parts.total,
  partsHash: parts.hash,
});
const time = (text: string | undefined) => parseTimeNs(text ?? '') ?? 0n;

function headerOf({ block: { header } }: WireBlock): Header {
  const field = (name: string) => String(header[name]);
  return {
    blockVersion: Number(header.version.block),
    appVersion: Number(header.version.app ?? 0),
    chainId: field('chain_id'),
    height: Number(header.height),
    timeNs: time(header.time),
    lastBlockId: toId(header.last_block_id),
    lastCommitHash: field('last_commit_hash'),
    dataHash: field('data_hash'),
    validatorsHash: field('validators_hash'),
    nextValidatorsHash: field('next_validators_hash'),
    consensusHash: field('consensus_hash'),
    appHash: field('app_hash'),
    lastResultsHash: field('last_results_hash'),
    evidenceHash: field('evidence_hash'),
    proposerAddress: field('proposer_address'),
  };
}

/** Undefined where two validators had to sign: the reference chain has one. */
function commitOf({ block: { last_commit } }: WireBlock): Commit | undefined {
  const [signature, other] = last_commit.signatures;
  if (other !== undefined) return undefined;
  return {
    height: Number(last_commit.height),
    blockId: toId(last_commit.block_id),
    validatorAddress: signature?.validator_address ?? '',
    timeNs: time(signature?.timestamp),
    signature: base64ToBytes(signature?.signature ?? ''),
  };
}

function resultsOf({ txs_results }: WireResults): TxResult[] {
  return (txs_results ?? []).map(({ code, data, gas_wanted, gas_used }) => ({
    code,
    data: base64ToBytes(data ?? ''),
    gasWanted: BigInt(gas_wanted),
    gasUsed: BigInt(gas_used),
    codespace: '',
    log: '',
    events: [],
  }));
}

describe('hashes of blocks, against a real chain', () => {
  it('makes the header hash, the data hash and the results hash of every recorded block', () => {
    recorded.forEach(({ block, block_results }, i) => {
      const header = headerOf(block);
      expect(headerHash(header)).toBe(block.block_id.hash);
      expect(dataHash(block.block.data.txs.map(base64ToBytes))).toBe(header.dataHash);
      const next = recorded[i + 1];
      if (next !== undefined)
        expect(hashOfResults(resultsOf(block_results))).toBe(headerOf(next.block).lastResultsHash);
    });
  });

  it('makes block id and commit hash of every block that one validator committed', () => {
    let seen = 0;
    for (const { block } of recorded) {
      const commit = commitOf(block);
      if (commit === undefined) continue;
      const header = headerOf(block);
      const txs = block.block.data.txs.map(base64ToBytes);
      expect(commitHash(commit)).toBe(header.lastCommitHash);
      expect(blockIdOf(header, txs, commit).id).toEqual(toId(block.block_id));
      seen += 1;
    }
    expect(seen).toBeGreaterThan(20);
  });

  it('cuts a block into parts of 64 KiB', () => {
    const header = headerOf((recorded[0] as (typeof recorded)[0]).block);
    const { id, sizeBytes } = blockIdOf(
      header,
      [new Uint8Array(140_000)],
      createSigner(1).commit('c', 1, toId({ hash: '', parts: { total: 0, hash: '' } }), 0n),
    );
    expect(sizeBytes).toBeGreaterThan(140_000);
    expect(id.partsTotal).toBe(3);
  });

  it('makes the hash of the validators and that of the consensus parameters', () => {
    const last = headerOf((recorded.at(-1) as (typeof recorded)[0]).block);
    expect(validatorsHash(validators)).toBe(last.validatorsHash);
    expect(consensusHash(22_020_096, 40_000_000)).toBe(last.consensusHash);
  });

  it('writes the bytes that the recorded validator signed', () => {
    let seen = 0;
    for (const { block } of recorded.slice(0, 40)) {
      const commit = commitOf(block);
      if (commit === undefined || commit.height === 0) continue;
      const validator = validators.find(({ address }) => address === commit.validatorAddress);
      const key = createPublicKey({
        key: Buffer.concat([
          Buffer.from('302a300506032b6570032100', 'hex'),
          validator?.publicKey ?? new Uint8Array(),
        ]),
        format: 'der',
        type: 'spki',
      });
      const bytes = voteSignBytes('9001', commit.height, commit.blockId, commit.timeNs);
      expect(verify(null, bytes, key, commit.signature)).toBe(true);
      seen += 1;
    }
    expect(seen).toBeGreaterThan(20);
  });

  it('writes a precommit as CometBFT does, byte by byte', () => {
    const blockId = { hash: 'AA'.repeat(32), partsTotal: 1, partsHash: 'BB'.repeat(32) };
    // length 2 + 9 + 74 + 6 + 5 = 96; type 2; height 5 as sfixed64; block id of 72 bytes; 1 s and 2 ns; chain id
    expect(bytesToHex(voteSignBytes('c-1', 5, blockId, 1_000_000_002n))).toBe(
      `60080211050000000000000022480a20${'aa'.repeat(32)}122408011220${'bb'.repeat(32)}2a04080110023203632d31`,
    );
  });

  it('signs with a key that only the seed gives', () => {
    const [one, again, two] = [createSigner(1), createSigner(1), createSigner(2)];
    const id = { hash: '', partsTotal: 0, partsHash: '' };
    expect(one.commit('c', 1, id, 0n)).toEqual(again.commit('c', 1, id, 0n));
    expect(one.validator.address).not.toBe(two.validator.address);
    expect(one.validator.address).toMatch(/^[0-9A-F]{40}$/);
    expect(txHash(concatBytes([]))).toBe('E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855');
  });
});
