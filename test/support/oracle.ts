/** The recorded chain of test/fixtures/evmd as the tests read it: each file is read once, when first asked for. */

import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

export const FIXTURE_FOLDER = new URL('../fixtures/evmd/', import.meta.url);

/** The chain's own words for what the README of the recording says in prose. */
export const HRP = 'cosmos';
export const GAS_DENOM = 'atest';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };
export type Message = JsonObject & { readonly '@type': string };

export interface Coin {
  readonly denom: string;
  readonly amount: string;
}

export interface Attribute {
  readonly key: string;
  readonly value: string;
}

export interface NodeEvent {
  readonly type: string;
  readonly attributes: readonly (Attribute & { readonly index: boolean })[];
}

/** One line of oracle/txs.jsonl.gz: the SDK's REST answer to a tx hash. */
export interface OracleTx {
  readonly height: number;
  readonly index: number;
  readonly hash: string;
  readonly rest: {
    readonly tx: {
      readonly body: { readonly messages: readonly Message[]; readonly memo: string };
      readonly auth_info: {
        readonly signer_infos: readonly {
          readonly public_key: { readonly '@type': string; readonly key: string };
        }[];
        readonly fee: {
          readonly amount: readonly Coin[];
          readonly gas_limit: string;
          readonly payer: string;
          readonly granter: string;
        };
      };
    };
    readonly tx_response: {
      readonly height: string;
      readonly txhash: string;
      readonly codespace: string;
      readonly code: number;
      readonly raw_log: string;
      readonly gas_wanted: string;
      readonly gas_used: string;
      /** RFC 3339 without the block time's fraction. */
      readonly timestamp: string;
      readonly events: readonly NodeEvent[];
    };
  };
}

export interface EthereumTx {
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
  readonly nonce: string;
}

export interface EthereumLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly logIndex: string;
}

export interface EthereumReceipt {
  readonly status: string;
  readonly gasUsed: string;
  readonly contractAddress: string | null;
  readonly logs: readonly EthereumLog[];
}

/** One line of oracle/evm.jsonl.gz; tx and receipt are null for a tx that failed in the ante. */
export interface OracleEvm {
  readonly height: number;
  readonly index: number;
  readonly eth_hash: string;
  readonly tx: EthereumTx | null;
  readonly receipt: EthereumReceipt | null;
  readonly revert: {
    readonly vm_error?: string;
    readonly ret?: string;
    readonly decoded?: { readonly kind: string; readonly reason: Json };
  } | null;
}

/** What the recorded workload knows of itself (oracle/expect.json), as far as tests use it. */
export interface Expectations {
  readonly head: number;
  readonly blocks: number;
  readonly txs: number;
  readonly evm_txs: number;
  readonly events: number;
  readonly zero_tx_blocks: number;
  readonly zero_tx_heights: readonly number[];
  readonly max_txs_in_a_block: number;
  readonly message_counts: Readonly<Record<string, number>>;
  /** Keyed `codespace/code`, `0` for success. */
  readonly result_codes: Readonly<Record<string, number>>;
  readonly event_types: Readonly<Record<string, number>>;
  readonly must_fail: readonly {
    readonly hash: string;
    readonly height: number;
    readonly index: number;
    readonly code: number;
    readonly why: string;
  }[];
  readonly must_revert: readonly {
    readonly hash: string;
    readonly eth_hash: string;
    readonly height: number;
    readonly index: number;
    readonly expected: { readonly kind: string; readonly reason?: Json };
  }[];
  readonly evm_failed_in_ante: readonly {
    readonly hash: string;
    readonly eth_hash: string;
    readonly height: number;
    readonly index: number;
    readonly code: number;
  }[];
  readonly created_contracts: readonly {
    readonly eth_hash: string;
    readonly height: number;
    readonly address: string;
  }[];
  readonly hashes_in_two_blocks: readonly {
    readonly hash: string;
    readonly at: readonly { readonly height: number; readonly index: number; readonly code: number }[];
  }[];
  readonly journal: readonly {
    readonly chain: string;
    readonly kind: string;
    readonly hash: string;
    readonly height: number;
    readonly index: number;
    readonly from: string;
    readonly to?: string | null;
    readonly code: number;
    readonly status?: number;
    readonly value?: string;
    readonly eth_hash?: string;
  }[];
}

export interface LabelledAccount {
  readonly label: string;
  readonly bech32: string;
  readonly evm: string;
}

/** A line of blocks.jsonl.gz, parsed. */
export interface RecordedBlock {
  readonly height: number;
  readonly block: {
    readonly block_id: { readonly hash: string };
    readonly block: {
      readonly header: {
        readonly chain_id: string;
        readonly height: string;
        readonly time: string;
        readonly last_block_id: { readonly hash: string };
        readonly proposer_address: string;
      };
      readonly data: { readonly txs: readonly string[] };
    };
  };
  readonly block_results: {
    readonly txs_results:
      | readonly {
          readonly code: number;
          readonly codespace: string;
          readonly log: string;
          readonly gas_wanted: string;
          readonly gas_used: string;
          readonly events: readonly NodeEvent[];
        }[]
      | null;
    readonly finalize_block_events: readonly NodeEvent[] | null;
  };
}

export interface AbciQueryRecord {
  readonly path: string;
  readonly response: { readonly code: number; readonly value: string | null };
}

export const oracleTxs = once(() => readLines<OracleTx>('oracle/txs.jsonl.gz'));
export const oracleEvm = once(() => readLines<OracleEvm>('oracle/evm.jsonl.gz'));
export const expectations = once(() => JSON.parse(readText('oracle/expect.json')) as Expectations);
export const recordedBlocks = once(() => readLines<RecordedBlock>('blocks.jsonl.gz'));
export const abciQueries = once(
  () => JSON.parse(readText('abci-queries.json')) as readonly AbciQueryRecord[],
);
export const labelledAccounts = once(
  () => (JSON.parse(readText('meta.json')) as { accounts: readonly LabelledAccount[] }).accounts,
);

/** The lines of blocks.jsonl.gz as bytes, newlines left out, in height order from 1. */
export const recordedBlockLines = once((): readonly Uint8Array[] => {
  const bytes = readFixture('blocks.jsonl.gz');
  const lines: Uint8Array[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  if (start < bytes.length) lines.push(bytes.subarray(start));
  return lines;
});

/** The chain's FileDescriptorSet, as the value of its abci_query answer. */
export const descriptorBytes = once((): Uint8Array => readFixture('descriptors.pb.gz'));

/** A file of the recording; `.gz` ones unpacked. */
export function readFixture(name: string): Buffer {
  const bytes = readFileSync(new URL(name, FIXTURE_FOLDER));
  return name.endsWith('.gz') ? gunzipSync(bytes) : bytes;
}

function readText(name: string): string {
  return readFixture(name).toString('utf8');
}

function readLines<Line>(name: string): readonly Line[] {
  return readText(name)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

function once<Value>(load: () => Value): () => Value {
  let held: { readonly value: Value } | undefined;
  return () => {
    held ??= { value: load() };
    return held.value;
  };
}
