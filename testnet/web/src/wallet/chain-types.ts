import {
  createFileRegistry,
  type DescMessage,
  fromBinary,
  fromJson,
  type JsonValue,
  toBinary,
  toJson,
} from '@bufbuild/protobuf';
import { descriptorSet } from 'strata-kit/codec/namespace';
import type { Fields } from './json.ts';

/** The chain's messages between proto-JSON and bytes. Errors: Error for a type that there is not, or fields that it has not. */
export interface ChainTypes {
  readonly namespace: string;
  /** By full name, without a slash before it. */
  encode(typeName: string, fields: Fields): Uint8Array;
  decode(typeName: string, bytes: Uint8Array): Fields;
  /** The types of a method (`/aeva.asset.v1.Query/Asset`). */
  method(path: string): { readonly request: string; readonly response: string };
}

/** Of the bytes of kit/descriptors.binpb, with the chain's own namespace in place of the one that is written there. */
export function openChainTypes(descriptors: Uint8Array, namespace: string): ChainTypes {
  const registry = createFileRegistry(descriptorSet(descriptors, namespace));
  const typeOf = (typeName: string): DescMessage => {
    const desc = registry.getMessage(typeName);
    if (desc === undefined) throw new Error(`there is no type ${typeName}`);
    return desc;
  };
  return {
    namespace,
    encode(typeName, fields) {
      const desc = typeOf(typeName);
      const message = fromJson(desc, fields as JsonValue, { registry });
      nameAsChainsDo(message);
      return toBinary(desc, message);
    },
    decode(typeName, bytes) {
      const desc = typeOf(typeName);
      const options = { registry, useProtoFieldName: true, alwaysEmitImplicit: true };
      return toJson(desc, fromBinary(desc, bytes), options) as Fields;
    },
    method(path) {
      const [, service = '', name = ''] = path.split('/');
      const found = registry.getService(service)?.methods.find((method) => method.name === name);
      if (found === undefined) throw new Error(`there is no query ${path}`);
      return { request: found.input.typeName, response: found.output.typeName };
    },
  };
}

/**
 * The type URLs of Any values without the host that the library puts before them, which chains of the SDK do not know. It
 * does not look into what an Any holds: no message of this chain has one inside another.
 */
function nameAsChainsDo(value: unknown): void {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return;
  if ('typeUrl' in value && typeof value.typeUrl === 'string')
    value.typeUrl = value.typeUrl.replace(/^.*\//, '/');
  else Object.values(value).forEach(nameAsChainsDo);
}
