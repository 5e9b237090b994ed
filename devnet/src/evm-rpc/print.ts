import { generateAddress } from '@ethereumjs/util';
import type { JsonObject } from 'strata-kit/proto-json';
import type { ChainParameters } from '../app/parameters.ts';
import { baseFee, effectiveGasPrice } from '../modules/evm/fees.ts';
import { addPartToBloom, BLOOM_BYTES } from '../modules/evm/logs.ts';
import { BLOCK_GAS_LIMIT } from '../modules/evm/machine.ts';
import { secondsOf } from '../modules/evm/messages.ts';
import type { EthereumTx } from '../modules/evm/transaction.ts';
import type { EthereumBlock, ExecutedTx } from './blocks.ts';
import { data, quantity } from './hex.ts';
import type { ExecutedLog } from './response.ts';

/** Blocks, txs, receipts and logs as go-ethereum prints them. Addresses are lower-case. */

const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
const NO_RECEIPTS = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const NO_HASH = `0x${'0'.repeat(64)}`;

/** In pieces. */
export function* printBlock(
  parameters: ChainParameters,
  view: EthereumBlock,
  bloom: Uint8Array,
  whole: boolean,
): Generator<string> {
  const { id, header, sizeBytes } = view.block;
  yield open({
    number: quantity(header.height),
    hash: `0x${id.hash.toLowerCase()}`,
    parentHash: header.lastBlockId.hash === '' ? NO_HASH : `0x${header.lastBlockId.hash.toLowerCase()}`,
    nonce: '0x0000000000000000',
    sha3Uncles: NO_UNCLES,
    logsBloom: data(bloom),
    transactionsRoot: `0x${header.dataHash.toLowerCase()}`,
    stateRoot: `0x${header.appHash.toLowerCase()}`,
    receiptsRoot: NO_RECEIPTS,
    miner: `0x${header.proposerAddress.toLowerCase()}`,
    difficulty: '0x0',
    extraData: '0x',
    size: quantity(sizeBytes),
    gasLimit: quantity(BLOCK_GAS_LIMIT),
    gasUsed: quantity(view.txs.at(-1)?.cumulativeGasUsed ?? 0n),
    timestamp: quantity(secondsOf(header.timeNs)),
    mixHash: NO_HASH,
    baseFeePerGas: quantity(baseFee(parameters)),
    uncles: [],
  });
  yield ',"transactions":[';
  for (const { tx, index } of view.txs) {
    const printed = whole ? printTx(parameters, tx, { view, index }) : tx.hash;
    yield (index === 0 ? '' : ',') + JSON.stringify(printed);
  }
  yield ']}';
}

/** An object's text without its end, for members that come in pieces. */
function open(members: JsonObject): string {
  return JSON.stringify(members).slice(0, -1);
}

/** Without a place while the tx waits. */
export function printTx(
  parameters: ChainParameters,
  tx: EthereumTx,
  place?: { readonly view: EthereumBlock; readonly index: number },
): JsonObject {
  const { v, r, s } = tx.signature;
  return {
    blockHash: place === undefined ? null : `0x${place.view.block.id.hash.toLowerCase()}`,
    blockNumber: place === undefined ? null : quantity(place.view.block.header.height),
    transactionIndex: place === undefined ? null : quantity(place.index),
    hash: tx.hash,
    type: quantity(tx.type),
    chainId: quantity(parameters.evmChainId),
    from: data(tx.from),
    to: tx.to === undefined ? null : data(tx.to),
    nonce: quantity(tx.nonce),
    gas: quantity(tx.gasLimit),
    gasPrice: quantity(place === undefined ? tx.maxFeePerGas : effectiveGasPrice(parameters, tx)),
    ...(tx.type === 2
      ? {
          maxFeePerGas: quantity(tx.maxFeePerGas),
          maxPriorityFeePerGas: quantity(tx.maxPriorityFeePerGas),
          yParity: quantity(v),
        }
      : {}),
    ...(tx.type === 0
      ? {}
      : {
          accessList: tx.accessList.map(({ address, slots }) => ({
            address: data(address),
            storageKeys: slots.map((slot) => data(slot)),
          })),
        }),
    value: quantity(tx.value),
    input: data(tx.data),
    v: quantity(v),
    r: quantity(r),
    s: quantity(s),
  };
}

/** In pieces. */
export function* printReceipt(
  parameters: ChainParameters,
  view: EthereumBlock,
  executed: ExecutedTx,
): Generator<string> {
  const { tx, index, succeeded, gasUsed, cumulativeGasUsed } = executed;
  yield open({
    transactionHash: tx.hash,
    transactionIndex: quantity(index),
    blockHash: `0x${view.block.id.hash.toLowerCase()}`,
    blockNumber: quantity(view.block.header.height),
    from: data(tx.from),
    to: tx.to === undefined ? null : data(tx.to),
    type: quantity(tx.type),
    status: succeeded ? '0x1' : '0x0',
    cumulativeGasUsed: quantity(cumulativeGasUsed),
    gasUsed: quantity(gasUsed),
    effectiveGasPrice: quantity(effectiveGasPrice(parameters, tx)),
    contractAddress: tx.to === undefined && succeeded ? data(createdBy(tx)) : null,
  });
  const bloom = new Uint8Array(BLOOM_BYTES);
  let before = ',"logs":[';
  for (const log of executed.logs()) {
    for (const part of [log.address, ...log.topics]) addPartToBloom(bloom, Buffer.from(part.slice(2), 'hex'));
    yield before + printLog(view, executed, log);
    before = ',';
  }
  yield `${before === ',' ? '' : before}],"logsBloom":"${data(bloom)}"}`;
}

export function printLog(view: EthereumBlock, { tx, index }: ExecutedTx, log: ExecutedLog): string {
  return JSON.stringify({
    address: log.address,
    topics: log.topics,
    data: data(log.data),
    blockNumber: quantity(view.block.header.height),
    blockHash: `0x${view.block.id.hash.toLowerCase()}`,
    transactionHash: tx.hash,
    transactionIndex: quantity(index),
    logIndex: quantity(log.index),
    removed: false,
  });
}

/** CREATE(from, nonce). */
function createdBy({ from, nonce }: EthereumTx): Uint8Array {
  const hex = nonce.toString(16);
  const bytes =
    nonce === 0n ? new Uint8Array(0) : Buffer.from(hex.padStart(2 * Math.ceil(hex.length / 2), '0'), 'hex');
  return generateAddress(from, bytes);
}
