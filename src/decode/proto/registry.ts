import { indexDescriptors } from './descriptors.ts';
import { createSignerReader } from './signers.ts';
import { createTranscoders } from './transcoder.ts';
import { type EventAttribute, typedEventText } from './typed-event.ts';
import { malformed, Wire } from './wire.ts';

/**
 * Renders messages of the types that a chain described. Text is latin1 over UTF-8 on both sides, so that
 * it can be joined with slices of a node's JSON. Rules: spec/chain.md section 1, "Proto-JSON of messages".
 */
export interface ProtoRegistry {
  has(typeName: string): boolean;
  /** JSON text of a message, without `@type`. Undefined when the type is unknown; throws proto_malformed. */
  renderMessage(typeName: string, bytes: Uint8Array): string | undefined;
  /**
   * `{"@type":typeUrl,…}`. What is broken or of an unknown type is `{"@type","value"}` in base64, at any depth;
   * `unknown` is called with each URL that no descriptor names. Never throws.
   */
  renderAny(typeUrl: string, value: Uint8Array, unknown: (typeUrl: string) => void): string;
  /** Field names of the option cosmos.msg.v1.signer; empty when there are none or the type is unknown. */
  signerFields(typeName: string): readonly string[];
  /**
   * The values of the signer fields: strings as they are, bytes as `0x` hex, messages' own signers. Empty when
   * the type is unknown or the bytes are broken.
   */
  collectSigners(typeName: string, bytes: Uint8Array): string[];
  /**
   * Proto-JSON of a typed event from its attributes, without the trailing one that the SDK adds. Undefined when
   * `typeName` is no known message.
   */
  renderTypedEvent(typeName: string, attributes: readonly EventAttribute[]): string | undefined;
}

/**
 * Indexes the bytes of a FileDescriptorSet, or of a FileDescriptorsResponse, which has the same wire form; types
 * are compiled when first used. Throws proto_malformed.
 */
export function createRegistry(descriptorSetBytes: Uint8Array): ProtoRegistry {
  const descriptors = indexDescriptors(descriptorSetBytes);
  const transcoders = createTranscoders(descriptors);
  const signers = createSignerReader(descriptors);
  return {
    has: descriptors.has,
    renderMessage: (typeName, bytes) => {
      const transcoder = transcoders.get(typeName);
      if (transcoder === undefined) return undefined;
      const wire = new Wire(bytes);
      const text = transcoder.read(wire, wire.bytes.length);
      if (wire.pos !== wire.bytes.length) throw malformed('field beyond its message');
      return text;
    },
    renderAny: (typeUrl, value, unknown) =>
      transcoders.readAny(new Wire(value, unknown), typeUrl, 0, value.length),
    signerFields: signers.fieldNames,
    collectSigners: signers.collect,
    renderTypedEvent: (typeName, attributes) => {
      if (!descriptors.has(typeName)) return undefined;
      const transcoder = transcoders.get(typeName);
      return transcoder === undefined ? undefined : typedEventText(descriptors, transcoder, attributes);
    },
  };
}
