import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ETHEREUM_TYPE_URLS } from 'strata-kit/parameters';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { splitRange } from '../../src/chain/envelope.ts';
import { askChainFacts } from '../../src/chain/facts.ts';
import { silentLog } from '../../src/chain/log.ts';
import type { RawRange } from '../../src/chain/source.ts';
import { createDecoder, type Decoder } from '../../src/decode/decoder.ts';
import type { DecodeContext } from '../../src/decode/range.ts';
import { packageRoot } from '../../src/store/package-root.ts';

export const RECORDING_FOLDER = join(packageRoot(), 'test', 'fixtures', 'evmd');
const RANGE_BLOCKS = 50;

export interface Recording {
  readonly ranges: readonly RawRange[];
  readonly blocks: number;
  readonly byteLength: number;
  readonly context: DecodeContext;
  readonly decoder: Decoder;
}

/** The recorded chain in ranges of 50 blocks, and a decoder for it. */
export async function loadRecording(): Promise<Recording> {
  const source = createCaptureSource(await openCapture(RECORDING_FOLDER));
  const { latestHeight } = await source.head();
  const ranges: RawRange[] = [];
  for (let from = 1; from <= latestHeight; from += RANGE_BLOCKS) {
    ranges.push(await source.fetch(from, Math.min(latestHeight, from + RANGE_BLOCKS - 1)));
  }
  const facts = await askChainFacts(source, silentLog);
  const context: DecodeContext = {
    hrp: facts.hrp ?? '',
    evmDenom: facts.evmDenom ?? '',
    moduleAccounts: facts.moduleAccounts,
    ethereumTypeUrls: ETHEREUM_TYPE_URLS,
    descriptorSets: [
      {
        appVersion: '0',
        bytes: gunzipSync(readFileSync(join(RECORDING_FOLDER, 'descriptors.pb.gz'))),
      },
    ],
  };
  return {
    ranges,
    blocks: latestHeight,
    byteLength: ranges.reduce((sum, range) => sum + range.byteLength, 0),
    context,
    decoder: createDecoder(context),
  };
}

export function decodeRecording({ ranges, decoder }: Recording): void {
  for (const range of ranges) decoder.decodeRange(splitRange(range), range.byteLength);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
