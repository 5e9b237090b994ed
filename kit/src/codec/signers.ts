import type { DescMessage } from '@bufbuild/protobuf';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import type { Json, JsonObject } from '../proto-json.ts';

/** The option `cosmos.msg.v1.signer`. */
const SIGNER = 11110000;

/** Of a message, by the fields that its descriptor's option names: texts as they stand, each once, in order. */
export function signersOf(desc: DescMessage, message: JsonObject): string[] {
  const signers = new Set<string>();
  collect(desc, message, signers);
  return [...signers];
}

function collect(desc: DescMessage, message: JsonObject, into: Set<string>): void {
  for (const name of signerFields(desc)) {
    const value = message[name];
    if (value === undefined || value === null) continue;
    const field = desc.fields.find((one) => one.name === name);
    const inner = field?.fieldKind === 'message' || field?.fieldKind === 'list' ? field.message : undefined;
    const values: readonly Json[] = Array.isArray(value) ? value : [value];
    for (const one of values) {
      if (inner !== undefined) collect(inner, one as JsonObject, into);
      else if (typeof one === 'string') into.add(one);
    }
  }
}

const cache = new WeakMap<DescMessage, readonly string[]>();

function signerFields(desc: DescMessage): readonly string[] {
  let names = cache.get(desc);
  if (names === undefined) {
    names = (desc.proto.options?.$unknown ?? [])
      .filter(({ no }) => no === SIGNER)
      .map(({ data }) => new BinaryReader(data).string());
    cache.set(desc, names);
  }
  return names;
}
