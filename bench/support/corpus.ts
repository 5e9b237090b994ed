import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageRoot } from '../../src/store/package-root.ts';
import { benchFolder } from './folders.ts';

const TXS_PER_BLOCK = 10;

/** A corpus of 10 mixed txs a block in a folder of this run. */
export async function makeCorpus(blocks: number): Promise<string> {
  const folder = join(benchFolder(), 'corpus');
  const sizes = ['--blocks', String(blocks), '--txs-per-block', String(TXS_PER_BLOCK), '--seed', '1'];
  await promisify(execFile)(process.execPath, [
    join(packageRoot(), 'dist/src/strata.cjs'),
    ...['corpus', ...sizes, '--out', folder],
  ]);
  return folder;
}
