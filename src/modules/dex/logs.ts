import { bytesToHex, utf8ToBytes } from 'strata-kit/bytes';
import { keccak256 } from 'strata-kit/hash';
import type { LogFact } from '../../derive/facts.ts';

/** Logs of Uniswap-V2-shaped factories and pairs (v2-core's IUniswapV2Factory and IUniswapV2Pair). */

/** 64 lower-case hex digits of the hash of an event's signature. */
export function topicOf(signature: string): string {
  return bytesToHex(keccak256(utf8ToBytes(signature)));
}

export const PAIR_CREATED = topicOf('PairCreated(address,address,address,uint256)');
export const SYNC = topicOf('Sync(uint112,uint112)');
export const SWAP = topicOf('Swap(address,uint256,uint256,uint256,uint256,address)');
export const MINT = topicOf('Mint(address,uint256,uint256)');

const WORD = 32;

/** The whole words of 32 bytes that a log's data hold, as integers. */
export function words({ data }: Pick<LogFact, 'data'>): readonly bigint[] {
  return Array.from({ length: Math.floor(data.byteLength / WORD) }, (_, i) =>
    BigInt(`0x${bytesToHex(data.subarray(i * WORD, (i + 1) * WORD))}`),
  );
}

/** 40 hex digits of the address in a topic. */
export function topicAddress(topic: string | undefined): string {
  return (topic ?? '').slice(24);
}

/** 40 hex digits of the address in a word of the data; undefined where they do not reach so far. */
export function dataAddress({ data }: Pick<LogFact, 'data'>, word: number): string | undefined {
  const end = (word + 1) * WORD;
  return data.byteLength < end ? undefined : bytesToHex(data.subarray(end - 20, end));
}
