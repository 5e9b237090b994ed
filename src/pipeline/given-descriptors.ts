import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { isStrataError, StrataError } from 'strata-kit/errors';
import { indexDescriptors } from '../decode/proto/descriptors.ts';

/** Those of the greatest chains take 2 MB. */
const MAX_BYTES = 64_000_000;
const GZIP = Buffer.from([0x1f, 0x8b]);

/**
 * Descriptor sets from files, for types that a chain does not describe: FileDescriptorSet bytes, plain or gzip, as
 * `protoc --include_imports --descriptor_set_out` and `buf build -o chain.binpb` write them.
 * Errors: config_invalid with the path where a file cannot be read or describes no message.
 */
export function readGivenDescriptors(paths: readonly string[]): Promise<Uint8Array[]> {
  return Promise.all(paths.map(readSet));
}

async function readSet(path: string): Promise<Uint8Array> {
  const refused = (reason: string, cause?: unknown): StrataError =>
    new StrataError(
      'config_invalid',
      `--descriptors ${path}: ${reason}. Give a descriptor set: buf build <folder> -o chain.binpb`,
      { cause },
    );
  let bytes: Buffer;
  try {
    const file = await readFile(path);
    bytes = file.subarray(0, 2).equals(GZIP) ? gunzipSync(file, { maxOutputLength: MAX_BYTES }) : file;
  } catch (error) {
    throw refused(`it cannot be read: ${error instanceof Error ? error.message : String(error)}`, error);
  }
  if (bytes.length > MAX_BYTES) throw refused(`it has more than ${MAX_BYTES} bytes`);
  try {
    if (indexDescriptors(bytes).messageCount > 0) return new Uint8Array(bytes);
  } catch (error) {
    if (!isStrataError(error)) throw error;
    throw refused('it is no descriptor set', error);
  }
  throw refused('it describes no message');
}
