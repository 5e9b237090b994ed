import { bytesToBase64, bytesToHex } from 'strata-kit/bytes';
import type { Block } from '../../comet/types.ts';
import type { Caller } from '../../simulation/simulations.ts';
import { internalError } from '../errors.ts';
import type { Result } from '../method.ts';
import type { Node } from '../node.ts';
import type { Params } from '../params.ts';
import { NO_BLOCK_ID, printBlockId, printCommit, printHeader } from '../print-block.ts';
import { pageOf, pickHeight } from './heights.ts';

const NO_BLOCK = `{"block_id":${printBlockId(NO_BLOCK_ID)},"block":null}`;
/** Of /blockchain. */
const MAX_METAS = 20;

export function block({ chain, texts }: Node, params: Params): Result {
  return texts(pickHeight(chain, params))?.block ?? NO_BLOCK;
}

export function blockByHash({ chain, texts }: Node, params: Params): Result {
  const height = heightOf({ chain }, params);
  return (height === undefined ? undefined : texts(height)?.block) ?? NO_BLOCK;
}

export function blockResults({ chain, texts }: Node, params: Params): Result {
  const height = pickHeight(chain, params);
  const found = texts(height)?.results;
  if (found === undefined) throw internalError(`could not find results for height #${height}`);
  return found;
}

export function header({ chain }: Node, params: Params): Result {
  return printHeaderResult(chain.block(pickHeight(chain, params)));
}

export function headerByHash({ chain }: Node, params: Params): Result {
  const height = heightOf({ chain }, params);
  return printHeaderResult(height === undefined ? undefined : chain.block(height));
}

export function commit({ chain }: Node, params: Params): Result {
  const height = pickHeight(chain, params);
  const found = chain.block(height);
  const seal = chain.commitOf(height);
  if (found === undefined || seal === undefined) return 'null';
  const isCanonical = height < chain.latestHeight();
  return `{"signed_header":{"header":${printHeader(found.header)},"commit":${printCommit(seal)}},"canonical":${isCanonical}}`;
}

/** Newest first. */
export async function blockchain({ chain, lane }: Node, params: Params, { client }: Caller): Promise<Result> {
  const head = chain.latestHeight();
  const given = { min: params.int('minHeight') ?? 0n, max: params.int('maxHeight') ?? 0n };
  if (given.min < 0n || given.max < 0n) throw internalError('heights must be non-negative');
  const max = given.max === 0n || given.max > BigInt(head) ? head : Number(given.max);
  const lowest = Math.max(chain.earliestHeight(), max - MAX_METAS + 1);
  const min = given.min > BigInt(lowest) ? given.min : BigInt(lowest);
  if (min > BigInt(max)) throw internalError(`min height ${min} can't be greater than max height ${max}`);
  const metas: string[] = [];
  for (let height = max; height >= Number(min); height--) {
    await lane.step(client);
    const found = chain.block(height);
    if (found !== undefined) metas.push(printMeta(found));
  }
  return `{"last_height":"${head}","block_metas":[${metas.join(',')}]}`;
}

/** The one validator, at every height up to the next. */
export function validators({ chain }: Node, params: Params): Result {
  const height = pickHeight(chain, params, chain.latestHeight() + 1);
  pageOf(params, 1);
  const { address, publicKey, power } = chain.validator;
  const key = `{"type":"tendermint/PubKeyEd25519","value":"${bytesToBase64(publicKey)}"}`;
  return `{"block_height":"${height}","validators":[{"address":"${address}","pub_key":${key},"voting_power":"${power}","proposer_priority":"0"}],"count":"1","total":"1"}`;
}

function printHeaderResult(found: Block | undefined): string {
  return `{"header":${found === undefined ? 'null' : printHeader(found.header)}}`;
}

function printMeta({ id, sizeBytes, header, txs }: Block): string {
  return `{"block_id":${printBlockId(id)},"block_size":"${sizeBytes}","header":${printHeader(header)},"num_txs":"${txs.length}"}`;
}

function heightOf({ chain }: Pick<Node, 'chain'>, params: Params): number | undefined {
  return chain.heightOfBlock(bytesToHex(params.bytes('hash')).toUpperCase());
}
