import { bytesToHex } from 'strata-kit/bytes';
import type { Block, Chain } from '../../comet/types.ts';
import { type Condition, parseConditions, QueryError } from '../conditions.ts';
import { internalError } from '../errors.ts';
import type { Result } from '../method.ts';
import type { Node } from '../node.ts';
import type { Params } from '../params.ts';
import { pageOf } from './heights.ts';

interface Place {
  readonly block: Block;
  readonly index: number;
}

export function txByHash({ chain, txText }: Node, params: Params): Result {
  refuseProof(params);
  const hash = bytesToHex(params.bytes('hash')).toUpperCase();
  const place = placeOf(chain, hash);
  if (place === undefined) throw internalError(`tx (${hash}) not found`);
  return txText(place.block, place.index);
}

/** By `tx.height=N`, `tx.hash='…'` or both, in the order of the chain. */
export function txSearch({ chain, txText }: Node, params: Params): Result {
  refuseProof(params);
  const order = params.text('order_by');
  if (order !== '' && order !== 'asc' && order !== 'desc') {
    throw internalError('expected order_by to be either `asc` or `desc` or empty');
  }
  const found = search(chain, conditionsOf(params.text('query')));
  if (order === 'desc') found.reverse();
  const { from, to } = pageOf(params, found.length);
  const texts = found
    .slice(from, to)
    .flatMap(({ block, index }, i) => [Buffer.from(i === 0 ? '' : ','), txText(block, index)]);
  return Buffer.concat([
    Buffer.from('{"txs":['),
    ...texts,
    Buffer.from(`],"total_count":"${found.length}"}`),
  ]);
}

function conditionsOf(query: string): readonly Condition[] {
  try {
    return parseConditions(query);
  } catch (error) {
    if (error instanceof QueryError) throw internalError(error.message);
    throw error;
  }
}

function search(chain: Chain, conditions: readonly Condition[]): Place[] {
  const hashes = conditions.filter(({ key }) => key === 'tx.hash').map(({ value }) => value.toUpperCase());
  const heights = conditions.filter(({ key }) => key === 'tx.height').map(({ value }) => Number(value));
  const other = conditions.find(({ key }) => key !== 'tx.hash' && key !== 'tx.height');
  if (other !== undefined) {
    throw internalError(`this node searches by tx.height and tx.hash only, not by ${other.key}`);
  }
  const [hash] = hashes;
  const places = hash === undefined ? placesAt(chain, heights[0] ?? 0) : [placeOf(chain, hash)];
  return places.filter(
    (place): place is Place =>
      place !== undefined &&
      hashes.every((wanted) => wanted === hash) &&
      heights.every((height) => height === place.block.header.height),
  );
}

function placesAt(chain: Chain, height: number): Place[] {
  if (!Number.isInteger(height) || height < chain.earliestHeight() || height > chain.latestHeight())
    return [];
  const block = chain.block(height);
  return block === undefined ? [] : block.txs.map((_, index) => ({ block, index }));
}

function placeOf(chain: Chain, hash: string): Place | undefined {
  const place = chain.placeOfTx(hash);
  const block = place === undefined ? undefined : chain.block(place.height);
  return place === undefined || block === undefined ? undefined : { block, index: place.index };
}

function refuseProof(params: Params): void {
  if (params.flag('prove')) throw internalError('this node gives no proofs');
}
