import { bytesToHex } from 'strata-kit/bytes';
import { type Condition, parseConditions, QueryError } from 'strata-kit/rpc/conditions';
import { internalError } from 'strata-kit/rpc/errors';
import { int, NO_BLOCK, printHeaderResult, refuseProof } from 'strata-kit/rpc/methods';
import type { Method, Result } from 'strata-kit/rpc/node';
import type { ParamSpec, Params } from 'strata-kit/rpc/params';
import type { Block, Chain } from '../../comet/types.ts';
import type { Texts } from '../node.ts';
import { headOf } from '../rpc-chain.ts';
import { pageOf } from './pages.ts';

const hash: ParamSpec = { name: 'hash', kind: 'bytes' };

/** What only a chain with indexes answers: blocks by their hashes, and searches. */
export function chainMethods(
  chain: Chain,
  texts: Texts,
): readonly (readonly [name: string, method: Method])[] {
  const heightOf = (params: Params): number | undefined =>
    chain.heightOfBlock(bytesToHex(params.bytes('hash')).toUpperCase());
  return [
    [
      'block_by_hash',
      {
        params: [hash],
        answer(_chain, params) {
          const height = heightOf(params);
          return (height === undefined ? undefined : texts.block(height)?.block) ?? NO_BLOCK;
        },
      },
    ],
    [
      'header_by_hash',
      {
        params: [hash],
        answer(_chain, params) {
          const height = heightOf(params);
          const found = height === undefined ? undefined : chain.block(height);
          return printHeaderResult(found === undefined ? undefined : headOf(found));
        },
      },
    ],
    [
      'tx_search',
      {
        params: [
          { name: 'query', kind: 'string' },
          { name: 'prove', kind: 'bool' },
          int('page'),
          int('per_page'),
          { name: 'order_by', kind: 'string' },
        ],
        answer: (_chain, params) => txSearch(chain, texts, params),
      },
    ],
  ];
}

interface Place {
  readonly block: Block;
  readonly index: number;
}

/** By `tx.height=N`, `tx.hash='…'` or both, in the order of the chain. */
function txSearch(chain: Chain, texts: Texts, params: Params): Result {
  refuseProof(params);
  const order = params.text('order_by');
  if (order !== '' && order !== 'asc' && order !== 'desc') {
    throw internalError('expected order_by to be either `asc` or `desc` or empty');
  }
  const found = search(chain, conditionsOf(params.text('query')));
  if (order === 'desc') found.reverse();
  const { from, to } = pageOf(params, found.length);
  const printed = found
    .slice(from, to)
    .flatMap(({ block, index }, i) => [Buffer.from(i === 0 ? '' : ','), texts.tx(block, index)]);
  return Buffer.concat([
    Buffer.from('{"txs":['),
    ...printed,
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
