import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { encodeBech32, toChecksumAddress } from 'strata-kit/address';
import { sha256 } from 'strata-kit/hash';
import { type Column, TableBuilder } from '../../../src/core/native.ts';
import { ACCOUNT_MENTIONS, ACCOUNT_TXS, BLOCKS, TX_HASHES, TXS } from '../../../src/core/tables.ts';
import { writeCheckpoint } from '../../../src/store/checkpoints.ts';
import type { Store } from '../../../src/store/store.ts';

/**
 * A made-up chain, kept as plain objects that a test reasons about, and written into a store as the indexer
 * would: tables, then the checkpoint. Numbers come from a seed, so a failure repeats.
 */

export interface ModelTx {
  readonly height: number;
  readonly txIndex: number;
  readonly hash: Uint8Array;
  readonly code: number;
  /** Empty for a tx without messages. */
  readonly method: string;
  readonly accounts: readonly string[];
  /** By message; undefined where the message is not an Ethereum one. */
  readonly ethHashes: readonly (string | undefined)[];
  readonly timeNs: bigint;
}

export interface ModelBlock {
  readonly height: number;
  readonly timeNs: bigint;
  readonly txs: readonly ModelTx[];
}

export const HRP = 'cosmos';
export const CHAIN_ID = '9001';
const keys = Array.from({ length: 6 }, (_, i) => sha256(Buffer.from(`account ${i}`)).subarray(0, 20));
export const ACCOUNTS: readonly string[] = keys.map((key) => encodeBech32(HRP, key));
export const ACCOUNTS_HEX: readonly string[] = keys.map((key) => toChecksumAddress(key));
/** Named by block-level events alone. */
export const MODULE_ACCOUNT: string = encodeBech32(HRP, sha256(Buffer.from('module')));
export const METHODS: readonly string[] = [
  '',
  '/t.bank.v1.MsgSend',
  '/t.evm.v1.MsgEthereumTx',
  '/t.gov.v1.MsgVote',
];
export const PROPOSER: Uint8Array = new Uint8Array(20).fill(0xab);
export const FIRST_HEIGHT = 5;
const START_NS = 1_795_168_800_250_000_000n;
const BLOCK_NS = 3_600_000_000_000n * 5n;

export class ModelChain {
  readonly blocks: ModelBlock[] = [];
  #written = 0;
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Newest first. */
  get txs(): ModelTx[] {
    return this.blocks.flatMap((block) => block.txs).reverse();
  }

  get head(): ModelBlock {
    return this.blocks.at(-1) as ModelBlock;
  }

  /** By module, as checkpoints are written with; empty while modules have not derived yet. */
  generations: ReadonlyMap<string, number> = new Map([['asset', 1]]);

  /** Adds `count` blocks of random txs; txs given here stand first in the first of them. */
  grow(count: number, given: readonly Partial<ModelTx>[] = []): void {
    for (let n = 0; n < count; n++) {
      const height = FIRST_HEIGHT + this.blocks.length;
      const timeNs = START_NS + BigInt(this.blocks.length) * BLOCK_NS;
      const fixed = n === 0 ? given : [];
      const size = fixed.length + Math.max(0, this.#random(8) - 2);
      const txs = Array.from({ length: size }, (_, txIndex) => ({
        ...this.#tx(height, txIndex, timeNs),
        ...fixed[txIndex],
      }));
      this.blocks.push({ height, timeNs, txs });
    }
  }

  /** Writes what was added since the last call as one commit. */
  async commit(store: Store, folder: string, chainHeight = this.head.height): Promise<void> {
    const blocks = this.blocks.slice(this.#written);
    await this.insert(store, folder, blocks);
    await writeCheckpoint(store, {
      height: this.head.height,
      firstHeight: FIRST_HEIGHT,
      blockHash: Buffer.from(blockHash(this.head.height)).toString('hex'),
      blockTimeNs: this.head.timeNs,
      chainHeight,
      rows: new Map(),
      generations: this.generations,
      tableGenerations: new Map(),
    });
    this.#written = this.blocks.length;
  }

  /** Rows without a checkpoint, as a commit in progress leaves them. */
  async insert(store: Store, folder: string, blocks: readonly ModelBlock[]): Promise<void> {
    for (const builder of buildTables(blocks)) {
      if (builder.rows === 0) continue;
      const path = join(folder, `${builder.spec.name}.native`);
      await writeFile(path, builder.finish());
      await store.insertNativeFiles(
        builder.spec.name,
        builder.spec.columns.map(([name]) => name),
        [path],
      );
    }
  }

  #tx(height: number, txIndex: number, timeNs: bigint): ModelTx {
    const method = METHODS[this.#random(METHODS.length)] as string;
    const hash = sha256(Buffer.from(`tx ${height} ${txIndex} ${this.#random(1e9)}`));
    const ethHash = `0x${Buffer.from(sha256(hash)).toString('hex')}`;
    return {
      height,
      txIndex,
      hash,
      code: this.#random(4) === 0 ? 11 : 0,
      method,
      accounts: ACCOUNTS.slice(0, -1).filter(() => this.#random(3) === 0),
      ethHashes: method === '/t.evm.v1.MsgEthereumTx' ? [ethHash] : [],
      timeNs,
    };
  }

  #random(end: number): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * end);
  }
}

export function blockHash(height: number): Uint8Array {
  return sha256(Buffer.from(`block ${height}`));
}

export function hashOf(tx: ModelTx): string {
  return Buffer.from(tx.hash).toString('hex').toUpperCase();
}

export const EVENT_TEXT =
  '{"event_index":0,"type":"x.asset.v1.EventCreated","msg_index":null,"attributes":[{"key":"é","value":"\\u0000\\""}],' +
  '"decoded":{"id":"1"},"applied":false}';
export const BLOCK_EVENT_TEXT =
  '{"event_index":0,"type":"t","msg_index":null,"mode":"EndBlock","attributes":[],"decoded":null,"applied":false}';

export function evmText(tx: ModelTx, ethHash: string): string {
  return (
    `{"eth_hash":"${ethHash}","from":"${ACCOUNTS_HEX[0]}","to":null,"value":{"denom":"atest","amount":"0"},` +
    `"gas_used":${tx.height},"status":1,"revert_reason":null}`
  );
}

function buildTables(blocks: readonly ModelBlock[]): TableBuilder[] {
  const builders = {
    blocks: new TableBuilder(BLOCKS),
    txs: new TableBuilder(TXS),
    hashes: new TableBuilder(TX_HASHES),
    accountTxs: new TableBuilder(ACCOUNT_TXS),
    accountMentions: new TableBuilder(ACCOUNT_MENTIONS),
  };
  for (const block of blocks) {
    addBlock(builders.blocks, block);
    addRow(builders.accountMentions, (c) => {
      c.account.latin1(MODULE_ACCOUNT);
      c.height.u64(block.height);
    });
    for (const tx of block.txs) {
      addTx(builders.txs, tx);
      addHash(builders.hashes, tx, tx.hash, -1);
      for (const [msgIndex, ethHash] of tx.ethHashes.entries()) {
        if (ethHash !== undefined)
          addHash(builders.hashes, tx, Buffer.from(ethHash.slice(2), 'hex'), msgIndex);
      }
      for (const account of tx.accounts) {
        addRow(builders.accountTxs, (c) => {
          c.account.latin1(account);
          c.height.u64(tx.height);
          c.tx_index.u32(tx.txIndex);
          c.method.latin1(tx.method);
        });
      }
    }
  }
  return Object.values(builders) as TableBuilder[];
}

function addRow<C extends Record<string, Column>>(
  builder: { readonly columns: C; rows: number },
  fill: (columns: C) => void,
): void {
  fill(builder.columns);
  builder.rows += 1;
}

function addBlock(builder: TableBuilder<typeof BLOCKS>, block: ModelBlock): void {
  addRow(builder, (c) => {
    c.height.u64(block.height);
    c.hash.fixed(blockHash(block.height));
    c.parent_hash.fixed(blockHash(block.height - 1));
    c.time_ns.i64big(block.timeNs);
    c.proposer.fixed(PROPOSER);
    c.app_version.u64(0);
    c.tx_count.u32(block.txs.length);
    c.event_count.u32(block.txs.length + 1);
    c.events.latin1(`[${BLOCK_EVENT_TEXT}]`);
  });
}

function addTx(builder: TableBuilder<typeof TXS>, tx: ModelTx): void {
  addRow(builder, (c) => {
    c.height.u64(tx.height);
    c.tx_index.u32(tx.txIndex);
    c.hash.fixed(tx.hash);
    c.code.u32(tx.code);
    c.codespace.latin1(tx.code === 0 ? '' : 'sdk');
    c.raw_log.latin1(tx.code === 0 ? '' : 'out of gas');
    c.gas_wanted.i64big(200_000n);
    c.gas_used.i64big(BigInt(tx.height));
    c.block_time_ns.i64big(tx.timeNs);
    c.method.latin1(tx.method);
    c.msg_count.u32(tx.method === '' ? 0 : 1);
    c.event_count.u32(1);
    c.msgs.latin1(tx.method === '' ? '[]' : `[{"@type":"${tx.method}"}]`);
    c.fee.latin1('[{"denom":"atest","amount":"1"}]');
    c.evm.latin1Array(tx.ethHashes.map((hash) => (hash === undefined ? 'null' : evmText(tx, hash))));
    c.events.bytes(Buffer.from(`[${EVENT_TEXT}]`, 'utf8'));
  });
}

function addHash(
  builder: TableBuilder<typeof TX_HASHES>,
  tx: ModelTx,
  hash: Uint8Array,
  msgIndex: number,
): void {
  addRow(builder, (c) => {
    c.hash.fixed(hash);
    c.height.u64(tx.height);
    c.tx_index.u32(tx.txIndex);
    c.msg_index.i32(msgIndex);
    c.code.u32(tx.code);
  });
}
