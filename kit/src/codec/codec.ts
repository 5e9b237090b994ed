import { createFileRegistry, type DescMessage, type FileRegistry, fromBinary } from '@bufbuild/protobuf';
import { BinaryWriter } from '@bufbuild/protobuf/wire';
import { ChainError, sdkError } from '../chain-error.ts';
import type { Json, JsonObject } from '../proto-json.ts';
import { type Writing, writerOf } from './binary.ts';
import { countFields } from './count.ts';
import { fileBytes, loadDescriptors } from './descriptors.ts';
import { type Printing, printerOf, type UnknownFields } from './json.ts';
import { normalOf } from './normal.ts';
import { signersOf } from './signers.ts';

/** A type by its URL and its bytes. */
export interface AnyBytes {
  readonly typeUrl: string;
  readonly value: Uint8Array;
}

/**
 * Messages of the chain between bytes and proto-JSON. Type URLs are `/` and a full name. Errors: ChainError sdk/2
 * (txDecode) for what is no such message, with the reason.
 */
export interface Codec {
  readonly namespace: string;
  readonly registry: FileRegistry;
  has(typeUrl: string): boolean;
  /**
   * Fields that the descriptors do not know are refused as the SDK refuses them in txs, `ignore` leaves them out;
   * inside a TxBody non-critical ones are passed over.
   */
  decode(typeUrl: string, bytes: Uint8Array, unknown?: UnknownFields): JsonObject;
  /** Of proto-JSON; fields may be left out, but none added. */
  encode(typeUrl: string, message: JsonObject): Uint8Array;
  /** Fields of a message and of all that it holds, before it is decoded; counting ends above `most`. */
  countFields(typeUrl: string, bytes: Uint8Array, most: number): number;
  /** Of `{'@type': …}`. */
  anyFromJson(message: JsonObject): AnyBytes;
  jsonFromAny(any: AnyBytes, unknown?: UnknownFields): JsonObject;
  /** The attributes of a typed event, by key: raw proto-JSON values, each field with its default. Throws an Error for fields that it has not. */
  eventAttributes(typeName: string, fields: JsonObject): (readonly [key: string, value: string])[];
  /** The texts of the fields that the option `cosmos.msg.v1.signer` names; empty without the option. */
  signersOf(typeUrl: string, message: JsonObject): string[];
  /** The types of a method (`/<ns>.asset.v1.Query/Asset`). */
  method(path: string): { readonly request: string; readonly response: string } | undefined;
  /** What the Msg service answers to a message, as a type URL. */
  responseType(typeUrl: string): string | undefined;
  /** Each a FileDescriptorProto, dependencies before dependents. */
  fileDescriptors(): Uint8Array[];
}

const TX_BODY = '/cosmos.tx.v1beta1.TxBody';

export function openCodec({ namespace }: { readonly namespace: string }): Codec {
  const set = loadDescriptors(namespace);
  const registry = createFileRegistry(set);
  const types = new Map<string, DescMessage>();
  const methods = new Map<string, { readonly request: string; readonly response: string }>();
  const responses = new Map<string, string>();
  for (const desc of registry) {
    if (desc.kind === 'message') types.set(`/${desc.typeName}`, desc);
    if (desc.kind !== 'service') continue;
    for (const { name, input, output } of desc.methods) {
      const request = `/${input.typeName}`;
      const response = `/${output.typeName}`;
      methods.set(`/${desc.typeName}/${name}`, { request, response });
      if (desc.name === 'Msg') responses.set(request, response);
    }
  }

  function typeOf(typeUrl: string): DescMessage {
    const desc = types.get(typeUrl);
    if (desc === undefined)
      throw sdkError('txDecode', `unable to resolve type URL ${typeUrl}: tx parse error`);
    return desc;
  }

  function read(typeUrl: string, bytes: Uint8Array, printing: Printing): Json {
    const desc = typeOf(typeUrl);
    try {
      return printerOf(desc)(fromBinary(desc, bytes), printing);
    } catch (error) {
      if (error instanceof ChainError) throw error;
      throw sdkError('txDecode', `${desc.typeName}: ${reasonOf(error)}: tx parse error`);
    }
  }

  function printing(unknown: UnknownFields): Printing {
    return { unknown, any: readAny };
  }

  function readAny(typeUrl: string, bytes: Uint8Array, how: Printing): JsonObject {
    const value = read(typeUrl, bytes, how);
    // types that proto-JSON prints otherwise than as objects, such as a Timestamp
    if (typeof value !== 'object' || value === null) return { '@type': typeUrl, value };
    return { '@type': typeUrl, ...(value as JsonObject) };
  }

  function anyFromJson(message: JsonObject): AnyBytes {
    const { '@type': typeUrl, ...fields } = message;
    if (typeof typeUrl !== 'string') throw sdkError('txDecode', 'a message lacks its @type');
    return { typeUrl, value: write(typeUrl, fields) };
  }
  const writing: Writing = { any: anyFromJson };

  function write(typeUrl: string, message: JsonObject): Uint8Array {
    const desc = typeOf(typeUrl);
    try {
      const into = new BinaryWriter();
      writerOf(desc)(normalOf(desc)(message, desc.typeName), into, writing);
      return into.finish();
    } catch (error) {
      if (error instanceof ChainError) throw error;
      throw sdkError('txDecode', `${desc.typeName}: ${reasonOf(error)}`);
    }
  }

  return {
    namespace,
    registry,
    has: (typeUrl) => types.has(typeUrl),
    decode: (typeUrl, bytes, unknown = typeUrl === TX_BODY ? 'critical' : 'refuse') =>
      read(typeUrl, bytes, printing(unknown)) as JsonObject,
    encode: write,
    countFields: (typeUrl, bytes, most) =>
      countFields(typeOf(typeUrl), bytes, (inner) => types.get(inner), most),
    anyFromJson,
    jsonFromAny: ({ typeUrl, value }, unknown = 'refuse') => readAny(typeUrl, value, printing(unknown)),
    eventAttributes(typeName, fields) {
      const desc = types.get(`/${typeName}`);
      if (desc === undefined) throw new Error(`there is no event ${typeName}`);
      const values = normalOf(desc)(fields, typeName) as JsonObject;
      return Object.keys(values)
        .sort()
        .map((key) => [key, JSON.stringify(values[key])] as const);
    },
    signersOf: (typeUrl, message) => signersOf(typeOf(typeUrl), message),
    method: (path) => methods.get(path),
    responseType: (typeUrl) => responses.get(typeUrl),
    fileDescriptors: () => fileBytes(set),
  };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
