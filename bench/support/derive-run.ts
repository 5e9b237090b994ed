import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ETHEREUM_TYPE_URLS, REFERENCE_NAMESPACE } from 'strata-kit/parameters';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { splitRange } from '../../src/chain/envelope.ts';
import { createDecoder } from '../../src/decode/decoder.ts';
import { createDeriver } from '../../src/derive/deriver.ts';
import { readNativeFacts } from '../../src/derive/native-facts.ts';
import { MODULES } from '../../src/modules/modules.ts';
import { deriveParameters, settledFacts } from '../../src/pipeline/derive-options.ts';
import { packageRoot } from '../../src/store/package-root.ts';
import { referenceSection } from './reference-section.ts';

/**
 * Decodes and derives a corpus on one thread, range by range, in a process of its own. argv: its folder, how many of
 * its blocks. Prints a DeriveRun as JSON.
 */
export interface DeriveRun {
  readonly decodeMs: number;
  /** Facts read and derived; CPU, as above. */
  readonly deriveMs: number;
  readonly events: number;
  readonly rows: number;
  /** Of the modules' rows, as Native. */
  readonly nativeBytes: number;
  readonly decodedBytes: number;
}

const RANGE_BLOCKS = 50;
/** Of the reference chain, whose blocks a corpus has. */
const HRP = 'aeva';
const GAS_DENOM = 'aaeva';
const [folder = '', blocks = ''] = process.argv.slice(2);
const source = createCaptureSource(await openCapture(folder));
const decoder = createDecoder({
  verify: false,
  hrp: HRP,
  namespace: REFERENCE_NAMESPACE,
  evmDenom: GAS_DENOM,
  moduleAccounts: [],
  ethereumTypeUrls: ETHEREUM_TYPE_URLS,
  descriptorSets: [{ appVersion: '0', bytes: readFileSync(join(packageRoot(), 'kit/descriptors.binpb')) }],
});
const derivations = MODULES.flatMap(({ derivation }) => derivation ?? []);
const deriver = createDeriver({
  derivations,
  parameters: deriveParameters(REFERENCE_NAMESPACE, settledFacts(referenceSection(), new Map()), HRP),
  generations: new Map(derivations.map(({ module }) => [module, 1])),
});
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const sum = { decodeMs: 0, deriveMs: 0, events: 0, rows: 0, nativeBytes: 0, decodedBytes: 0 };
const last = Number(blocks);
for (let from = 1; from <= last; from += RANGE_BLOCKS) {
  const range = await source.fetch(from, Math.min(last, from + RANGE_BLOCKS - 1));
  const raw = splitRange(range);
  const startedMs = cpuMs();
  const { headers, tables } = decoder.decodeRange(raw, range.byteLength);
  const decodedMs = cpuMs();
  const facts = readNativeFacts(headers, tables, deriver.filter);
  const derived = deriver.derive(facts);
  sum.deriveMs += cpuMs() - decodedMs;
  sum.decodeMs += decodedMs - startedMs;
  for (const { events } of facts) sum.events += events.length;
  for (const { native } of tables) sum.decodedBytes += native.byteLength;
  for (const { rows, native } of derived) {
    sum.rows += rows;
    sum.nativeBytes += native.byteLength;
  }
}
const run: DeriveRun = sum;
process.stdout.write(`${JSON.stringify(run)}\n`);
