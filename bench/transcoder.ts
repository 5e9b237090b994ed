/**
 * Messages of the recorded txs from base64 to proto-JSON text: the transcoder against protobufjs's
 * toObject + JSON.stringify. Run with `npm run -s bench:transcoder`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs';
import 'protobufjs/ext/descriptor.js';
import { base64ToBytes } from 'strata-kit/bytes';
import { Bench } from 'tinybench';
import { createRegistry } from '../src/decode/proto/registry.ts';
import { RECORDING_FOLDER } from './support/recording.ts';

interface RecordedMessage {
  readonly typeUrl: string;
  readonly base64: string;
}

interface RecordedBlock {
  readonly block: { readonly block: { readonly data: { readonly txs: readonly string[] } } };
}

const TO_OBJECT = { longs: String, enums: String, bytes: String, defaults: true };

function fixture(name: string): Buffer {
  return gunzipSync(readFileSync(join(RECORDING_FOLDER, name)));
}

const descriptorSet = fixture('descriptors.pb.gz');
const loadRoot = (protobuf.Root as unknown as { fromDescriptor(set: Uint8Array): protobuf.Root })
  .fromDescriptor;
const root = loadRoot(descriptorSet);
root.resolveAll();

function recordedMessages(): RecordedMessage[] {
  const messages: RecordedMessage[] = [];
  const txRaw = root.lookupType('cosmos.tx.v1beta1.TxRaw');
  const txBody = root.lookupType('cosmos.tx.v1beta1.TxBody');
  for (const line of fixture('blocks.jsonl.gz').toString('utf8').trim().split('\n')) {
    const { block } = JSON.parse(line) as RecordedBlock;
    for (const tx of block.block.data.txs) {
      const raw = txRaw.decode(base64ToBytes(tx)) as unknown as { bodyBytes: Uint8Array };
      const body = txBody.decode(raw.bodyBytes) as unknown as {
        messages: { typeUrl: string; value: Uint8Array }[];
      };
      for (const { typeUrl, value } of body.messages) {
        messages.push({ typeUrl, base64: Buffer.from(value).toString('base64') });
      }
    }
  }
  return messages;
}

const registry = createRegistry(descriptorSet);
const messages = recordedMessages();
const types = new Map(messages.map(({ typeUrl }) => [typeUrl, root.lookupType(typeUrl.slice(1))]));
// Both sides end with flat bytes, as the columns do; a rope of strings would be a debt.
const out = Buffer.alloc(1 << 20);

function transcode(batch: readonly RecordedMessage[]): void {
  for (const { typeUrl, base64 } of batch) {
    out.write(
      registry.renderAny(typeUrl, base64ToBytes(base64), () => {}),
      'latin1',
    );
  }
}

function viaObjects(batch: readonly RecordedMessage[]): void {
  for (const { typeUrl, base64 } of batch) {
    const type = types.get(typeUrl) as protobuf.Type;
    out.write(JSON.stringify(type.toObject(type.decode(base64ToBytes(base64)), TO_OBJECT)), 'utf8');
  }
}

const batches = {
  'all messages': messages,
  'without MsgEthereumTx': messages.filter(({ typeUrl }) => !typeUrl.endsWith('MsgEthereumTx')),
};
for (const [name, batch] of Object.entries(batches)) {
  const bench = new Bench({ time: 3_000, warmupTime: 1_000 });
  bench
    .add('transcoder', () => transcode(batch))
    .add('protobufjs toObject + JSON.stringify', () => viaObjects(batch));
  await bench.run();
  const [ours, theirs] = bench.tasks.map(({ result }) =>
    result.state === 'completed' ? [result.latency.min, result.latency.p50] : [Number.NaN, Number.NaN],
  ) as [[number, number], [number, number]];
  for (const [index, label] of ['fastest', 'median'].entries()) {
    const [mine, other] = [ours[index] as number, theirs[index] as number];
    const micros = (ms: number): string => `${((ms * 1e3) / batch.length).toFixed(2)} µs`;
    console.log(
      `${name} (${batch.length}), ${label}: transcoder ${micros(mine)} a message, protobufjs ${micros(other)}`,
    );
    console.log(`  ratio ${(other / mine).toFixed(2)}`);
  }
}
