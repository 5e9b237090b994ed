import { HeaderHasher } from 'strata-kit/block-hash';
import { StrataError } from 'strata-kit/errors';
import { readHashedHeader } from 'strata-kit/hashed-header';
import type { HeightTexts, ReplayChain } from '../chain.ts';

/** The blocks of another branch: from `forkHeight` on with another app hash, and with hashes that fit it. */
export interface Fork {
  texts(height: number): Promise<HeightTexts>;
}

export function createFork(chain: ReplayChain, forkHeight: number): Fork {
  const hasher = new HeaderHasher();
  /** By height, from forkHeight on. */
  const hashes: string[] = [];

  function branch(
    height: number,
    block: string,
    parentHash: string | undefined,
  ): { text: string; hash: string } {
    // the app's hash in a header is that of the block before, which the results of that block tell too
    const field = height === forkHeight ? 'proposer_address' : 'app_hash';
    const first = block.replace(
      new RegExp(`("${field}":")([0-9A-F]{2})`),
      (_all, key: string, byte: string) => `${key}${otherByte(byte)}`,
    );
    const changed =
      parentHash === undefined
        ? first
        : first.replace(/("last_block_id":\{"hash":")[0-9A-F]{64}/g, `$1${parentHash}`);
    const header = readHashedHeader(
      (JSON.parse(changed) as { block: { header: Record<string, unknown> } }).block.header,
    );
    if (header === undefined) throw new StrataError('internal', `block ${height} has no time`);
    const hash = Buffer.from(hasher.hash(header), 'latin1').toString('hex').toUpperCase();
    return { text: changed.replace(/("block_id":\{"hash":")[0-9A-F]{64}/, `$1${hash}`), hash };
  }

  async function textOf(height: number): Promise<string> {
    const block = (await chain.texts(height)).block.toString('latin1');
    const { text, hash } = branch(height, block, hashes[height - 1 - forkHeight]);
    hashes[height - forkHeight] = hash;
    return text;
  }

  return {
    async texts(height) {
      const { results } = await chain.texts(height);
      // every hash follows from the one before
      for (let next = forkHeight + hashes.length; next < height; next++) await textOf(next);
      const text = results
        .toString('latin1')
        .replace(
          /("app_hash":")([A-Za-z0-9+/=]+)("\}$)/,
          (_all, key: string, base64: string, end: string) => {
            const hex = Buffer.from(base64, 'base64').toString('hex').toUpperCase();
            const other = Buffer.from(otherByte(hex.slice(0, 2)) + hex.slice(2), 'hex');
            return key + other.toString('base64') + end;
          },
        );
      return { block: Buffer.from(await textOf(height), 'latin1'), results: Buffer.from(text, 'latin1') };
    },
  };
}

function otherByte(hex: string): string {
  return hex === 'FF' ? '00' : 'FF';
}
