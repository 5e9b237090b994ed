import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fromBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type FieldDescriptorProto,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import { describe, expect, it } from 'vitest';
import { openCodec } from '../../src/codec/codec.ts';
import type { Json, JsonObject } from '../../src/proto-json.ts';

/** The codec against what a real node recorded: the bytes of its txs and results, and its own proto-JSON of them. */

const FOLDER = 'test/fixtures/evmd';
const codec = openCodec({ namespace: 'aeva' });

interface RecordedTx {
  readonly height: number;
  readonly index: number;
  readonly raw: Uint8Array;
  /** TxMsgData. */
  readonly data: Uint8Array;
  readonly json: { readonly body: JsonObject; readonly auth_info: JsonObject };
}

function lines(name: string): readonly string[] {
  return gunzipSync(readFileSync(join(FOLDER, name)))
    .toString('utf8')
    .trimEnd()
    .split('\n');
}

function recordedTxs(): RecordedTx[] {
  const blocks = new Map(
    lines('blocks.jsonl.gz').map((line) => {
      const { height, block, block_results } = JSON.parse(line);
      return [height as number, { txs: block.block.data.txs, results: block_results.txs_results }] as const;
    }),
  );
  return lines('oracle/txs.jsonl.gz').map((line) => {
    const { height, index, rest } = JSON.parse(line);
    const block = blocks.get(height);
    return {
      height,
      index,
      raw: Buffer.from(block?.txs[index] ?? '', 'base64'),
      data: Buffer.from(block?.results?.[index]?.data ?? '', 'base64'),
      json: (typeof rest === 'string' ? JSON.parse(rest) : rest).tx,
    };
  });
}

/** MsgEthereumTx.raw is printed by a Go type of its own, as 0x-hex. */
function asBase64(message: JsonObject): JsonObject {
  const { raw } = message;
  return typeof raw === 'string' && raw.startsWith('0x')
    ? { ...message, raw: Buffer.from(raw.slice(2), 'hex').toString('base64') }
    : message;
}

function typesOf(value: Json | undefined): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(typesOf);
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '@type' ? [String(inner)] : typesOf(inner as Json),
  );
}

const isKnown = (value: JsonObject) => typesOf(value).every((type) => codec.has(type));

const txs = recordedTxs();
const decoded = txs.map((tx) => {
  const raw = codec.decode('/cosmos.tx.v1beta1.TxRaw', tx.raw);
  return {
    ...tx,
    bodyBytes: Buffer.from(String(raw.body_bytes), 'base64'),
    authInfoBytes: Buffer.from(String(raw.auth_info_bytes), 'base64'),
  };
});

const BODY = '/cosmos.tx.v1beta1.TxBody';
const AUTH_INFO = '/cosmos.tx.v1beta1.AuthInfo';

describe('recorded txs', () => {
  it('have bodies that print as the node prints them', () => {
    const known = decoded.filter(({ json }) => isKnown(json.body));
    expect(known.length).toBeGreaterThan(2_000);
    for (const { bodyBytes, json } of known) {
      const { messages, ...rest } = codec.decode(BODY, bodyBytes);
      const expected = { ...json.body, messages: (json.body.messages as JsonObject[]).map(asBase64) };
      expect({ ...rest, messages }).toEqual(expected);
      expect(Buffer.from(codec.encode(BODY, { ...rest, messages } as JsonObject)).equals(bodyBytes)).toBe(
        true,
      );
    }
  });

  it('have signers and fees that print as the node prints them', () => {
    const known = decoded.filter(({ json }) => isKnown(json.auth_info));
    expect(known.length).toBeGreaterThan(2_000);
    for (const { authInfoBytes, json } of known) {
      const printed = codec.decode(AUTH_INFO, authInfoBytes);
      expect(printed).toEqual(json.auth_info);
      expect(Buffer.from(codec.encode(AUTH_INFO, printed)).equals(authInfoBytes)).toBe(true);
    }
  });

  it('have results whose responses come back as the same bytes', () => {
    const types = new Map<string, number>();
    for (const { data } of txs) {
      const { msg_responses } = readAnys(data);
      if (!msg_responses.every(({ typeUrl }) => codec.has(typeUrl))) continue;
      const json = codec.decode('/cosmos.base.abci.v1beta1.TxMsgData', data);
      expect(Buffer.from(codec.encode('/cosmos.base.abci.v1beta1.TxMsgData', json)).equals(data)).toBe(true);
      for (const { typeUrl } of msg_responses) types.set(typeUrl, (types.get(typeUrl) ?? 0) + 1);
    }
    expect(types.get('/cosmos.evm.vm.v1.MsgEthereumTxResponse')).toBeGreaterThan(1_000);
    expect(types.get('/cosmos.bank.v1beta1.MsgSendResponse')).toBeGreaterThan(100);
  });
});

/** The types in a TxMsgData, read by hand: field 2, each an Any whose field 1 is the type URL. */
function readAnys(data: Uint8Array): { readonly msg_responses: readonly { readonly typeUrl: string }[] } {
  const text = Buffer.from(data).toString('latin1');
  const found = [...text.matchAll(/\/[a-z0-9_]+(?:\.[a-z0-9_]+)*\.v\d+(?:[a-z]+\d+)?\.Msg\w+Response/g)];
  return { msg_responses: found.map(([typeUrl]) => ({ typeUrl })) };
}

it("the base layer has the real node's types, fields and numbers", () => {
  const set = fromBinary(
    FileDescriptorSetSchema,
    gunzipSync(readFileSync(join(FOLDER, 'descriptors.pb.gz'))),
  );
  const real = new Map<string, readonly string[]>();
  const add = (scope: string, { name, field, nestedType }: DescriptorProto): void => {
    real.set(`${scope}.${name}`, field.map(shape));
    for (const inner of nestedType) add(`${scope}.${name}`, inner);
  };
  for (const file of set.file) for (const message of file.messageType) add(file.package, message);
  let fields = 0;
  for (const desc of codec.registry) {
    if (desc.kind !== 'message' || /^(aeva|google)\./.test(desc.typeName)) continue;
    const original = real.get(desc.typeName) ?? [];
    expect([desc.typeName, original]).toEqual([
      desc.typeName,
      expect.arrayContaining(desc.proto.field.map(shape)),
    ]);
    fields += original.length;
  }
  expect(fields).toBeGreaterThan(150);
});

function shape({ name, number, type, label, typeName }: FieldDescriptorProto): string {
  return `${name} = ${number}: ${type} ${label} ${typeName}`;
}
