import { encodeBech32 } from 'strata-kit/address';
import { bytesToHex } from 'strata-kit/bytes';
import { keccak256 } from 'strata-kit/hash';
import type { Caller } from 'strata-kit/http/caller';
import type { Json } from 'strata-kit/proto-json';
import { account } from '../modules/auth/keeper.ts';
import { baseFee } from '../modules/evm/fees.ts';
import { blockBloom, storageAt } from '../modules/evm/keeper.ts';
import { extendedBalance } from '../modules/precisebank/keeper.ts';
import type { EthereumBlock, ExecutedTx } from './blocks.ts';
import { call, estimateGas } from './calls.ts';
import { invalidParams } from './errors.ts';
import { feeHistory } from './fee-history.ts';
import { data, quantity, word } from './hex.ts';
import { getLogs } from './logs.ts';
import { codeSeenAt, type EthereumNode, heightOf, standpointOf } from './node.ts';
import { addressParam, bytesParam, hashParam, quantityParam } from './params.ts';
import { printBlock, printReceipt, printTx } from './print.ts';
import { nextNonce, pendingTx, sendRawTransaction } from './send.ts';

export type Method = (node: EthereumNode, params: readonly Json[], caller: Caller) => Json | Promise<Json>;

/** A method whose result may be large: its text, in pieces between which others have their turn. */
export type Printer = (node: EthereumNode, params: readonly Json[], caller: Caller) => AsyncGenerator<string>;

/** What is served beside PRINTERS; anything else is -32601. */
export const METHODS: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['web3_clientVersion', ({ chain }) => `strata-devnet/${chain.binaryVersion}`],
  ['web3_sha3', (_, [input]) => sha3(bytesParam(input, 'input'))],
  ['net_version', ({ parameters }) => String(parameters.evmChainId)],
  ['net_listening', () => true],
  ['net_peerCount', () => '0x0'],
  ['eth_chainId', ({ parameters }) => quantity(parameters.evmChainId)],
  ['eth_syncing', () => false],
  ['eth_accounts', () => []],
  ['eth_blockNumber', ({ chain }) => quantity(chain.latestHeight())],
  ['eth_gasPrice', ({ parameters }) => quantity(baseFee(parameters))],
  // the base fee is all that counts for a place in a block
  ['eth_maxPriorityFeePerGas', () => '0x0'],
  ['eth_feeHistory', feeHistory],
  ['eth_getBalance', getBalance],
  ['eth_getTransactionCount', getTransactionCount],
  ['eth_getCode', getCode],
  ['eth_getStorageAt', getStorageAt],
  ['eth_call', call],
  ['eth_estimateGas', async (node, params, caller) => quantity(await estimateGas(node, params, caller))],
  ['eth_sendRawTransaction', sendRawTransaction],
  ['eth_getTransactionByHash', getTransactionByHash],
  [
    'eth_getTransactionByBlockNumberAndIndex',
    (node, [tag, index], { client }) => transactionAt(node, heightOf(node, tag), index, client),
  ],
  [
    'eth_getTransactionByBlockHashAndIndex',
    (node, [hash, index], { client }) => transactionAt(node, heightOfHash(node, hash), index, client),
  ],
  [
    'eth_getBlockTransactionCountByNumber',
    (node, [tag], { client }) => transactionCount(node, heightOf(node, tag), client),
  ],
  [
    'eth_getBlockTransactionCountByHash',
    (node, [hash], { client }) => transactionCount(node, heightOfHash(node, hash), client),
  ],
]);

export const PRINTERS: ReadonlyMap<string, Printer> = new Map<string, Printer>([
  [
    'eth_getBlockByNumber',
    (node, [tag, whole], { client }) => blockAt(node, heightOf(node, tag), whole, client),
  ],
  [
    'eth_getBlockByHash',
    (node, [hash, whole], { client }) => blockAt(node, heightOfHash(node, hash), whole, client),
  ],
  ['eth_getTransactionReceipt', getTransactionReceipt],
  ['eth_getBlockReceipts', getBlockReceipts],
  ['eth_getLogs', getLogs],
]);

/** As many as a signed tx may have. */
const MAX_HASHED_BYTES = 131_072;

function sha3(bytes: Uint8Array): Json {
  if (bytes.length > MAX_HASHED_BYTES)
    throw invalidParams(`invalid argument: input has more than ${MAX_HASHED_BYTES} bytes`);
  return data(keccak256(bytes));
}

function getBalance(node: EthereumNode, [address, tag]: readonly Json[]): Json {
  const holder = encodeBech32(node.parameters.hrp, addressParam(address, 'address'));
  return quantity(extendedBalance(standpointOf(node, tag).reader, node.parameters, holder));
}

/** `pending` counts what waits in the mempool. */
function getTransactionCount(node: EthereumNode, [address, tag]: readonly Json[]): Json {
  const bytes = addressParam(address, 'address');
  const { reader } = standpointOf(node, tag);
  const holder = encodeBech32(node.parameters.hrp, bytes);
  const committed = account(reader, holder)?.sequence ?? 0n;
  return quantity(tag === 'pending' ? nextNonce(node, holder, committed) : committed);
}

function getCode(node: EthereumNode, [address, tag]: readonly Json[]): Json {
  return data(codeSeenAt(node, standpointOf(node, tag).reader, addressParam(address, 'address')));
}

function getStorageAt(node: EthereumNode, [address, slot, tag]: readonly Json[]): Json {
  const { reader } = standpointOf(node, tag);
  const place = quantityParam(slot, 'slot').toString(16).padStart(64, '0');
  return word(storageAt(reader, bytesToHex(addressParam(address, 'address')), place));
}

/** What waits is asked first: a wallet asks again and again, and would have all blocks looked through. */
async function getTransactionByHash(
  node: EthereumNode,
  [param]: readonly Json[],
  { client }: Caller,
): Promise<Json> {
  const hash = hashParam(param, 'hash');
  const waiting = pendingTx(node, hash);
  if (waiting !== undefined) return printTx(node.parameters, waiting);
  const found = await executedBy(node, hash, client);
  if (found === undefined) return null;
  return printTx(node.parameters, found.executed.tx, { view: found.view, index: found.executed.index });
}

async function* getTransactionReceipt(
  node: EthereumNode,
  [param]: readonly Json[],
  { client }: Caller,
): AsyncGenerator<string> {
  const hash = hashParam(param, 'hash');
  const isWaiting = node.chain.waitingTx(hash) !== undefined;
  const found = isWaiting ? undefined : await executedBy(node, hash, client);
  if (found === undefined) yield 'null';
  else yield* printReceipt(node.parameters, found.view, found.executed);
}

async function* getBlockReceipts(
  node: EthereumNode,
  [tag]: readonly Json[],
  { client }: Caller,
): AsyncGenerator<string> {
  const view = await node.blocks.at(heightOf(node, tag), client);
  if (view === undefined) {
    yield 'null';
    return;
  }
  yield '[';
  for (const executed of view.txs) {
    if (executed.index > 0) yield ',';
    yield* printReceipt(node.parameters, view, executed);
  }
  yield ']';
}

async function executedBy(
  node: EthereumNode,
  hash: string,
  client: string,
): Promise<{ readonly view: EthereumBlock; readonly executed: ExecutedTx } | undefined> {
  const place = await node.blocks.find(hash);
  const view = place === undefined ? undefined : await node.blocks.at(place.height, client);
  const executed = view?.txs[place?.index ?? -1];
  return view === undefined || executed === undefined ? undefined : { view, executed };
}

async function* blockAt(
  node: EthereumNode,
  height: number | undefined,
  whole: Json | undefined,
  client: string,
): AsyncGenerator<string> {
  if (typeof whole !== 'boolean' && whole !== undefined)
    throw invalidParams('invalid argument: whether whole transactions are wanted');
  const view = height === undefined ? undefined : await node.blocks.at(height, client);
  if (view === undefined) {
    yield 'null';
    return;
  }
  // as the chain has it after the block: the logs are not hashed again
  const bloom = blockBloom(node.readerAt(view.block.header.height));
  yield* printBlock(node.parameters, view, bloom, whole === true);
}

async function transactionAt(
  node: EthereumNode,
  height: number | undefined,
  index: Json | undefined,
  client: string,
): Promise<Json> {
  const view = height === undefined ? undefined : await node.blocks.at(height, client);
  const executed = view?.txs[Number(quantityParam(index, 'index'))];
  if (view === undefined || executed === undefined) return null;
  return printTx(node.parameters, executed.tx, { view, index: executed.index });
}

async function transactionCount(
  node: EthereumNode,
  height: number | undefined,
  client: string,
): Promise<Json> {
  const view = height === undefined ? undefined : await node.blocks.at(height, client);
  return view === undefined ? null : quantity(view.txs.length);
}

function heightOfHash({ chain }: EthereumNode, hash: Json | undefined): number | undefined {
  return chain.heightOfBlock(hashParam(hash, 'hash').slice(2).toUpperCase());
}
