import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(?:js|css|html|svg|json|txt)$/;
/** Below, headers weigh more than what is saved. */
const MIN_BYTES = 1_024;
/** Of brotli's 11: 9 takes five times as long and saves a fortieth, 11 sixty times and a tenth (docs/web.md). */
const BROTLI_QUALITY = 5;

const brotlied = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Beside each file that gets smaller by it `<file>.br` and `<file>.gz`, which the app serves to those that take them. */
export function compressed(): Plugin {
  return {
    name: 'strata:compressed',
    apply: 'build',
    writeBundle: {
      order: 'post',
      async handler({ dir }) {
        if (dir === undefined) throw new Error('the build names no folder');
        const names = await readdir(dir, { recursive: true });
        await Promise.all(
          names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compress(join(dir, name))),
        );
      },
    },
  };
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.length < MIN_BYTES) return;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  for (const [suffix, smaller] of [
    ['br', await brotlied(bytes, { params })],
    ['gz', await gzipped(bytes)],
  ] as const) {
    if (smaller.length < bytes.length) await writeFile(`${path}.${suffix}`, smaller);
  }
}
