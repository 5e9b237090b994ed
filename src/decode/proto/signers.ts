import { isStrataError } from 'strata-kit/errors';
import { type DescriptorIndex, TYPE_BYTES, TYPE_MESSAGE, TYPE_STRING } from './descriptors.ts';
import { LENGTH_DELIMITED, Wire } from './wire.ts';

interface SignerField {
  readonly number: number;
  readonly type: number;
  readonly typeName: string;
}

export interface SignerReader {
  /** Field names of the type's option cosmos.msg.v1.signer; empty when the type is unknown or has none. */
  fieldNames(typeName: string): readonly string[];
  /** The signers' texts, in the option's order; empty when the type is unknown or the bytes are broken. */
  collect(typeName: string, bytes: Uint8Array): string[];
}

export function createSignerReader(descriptors: DescriptorIndex): SignerReader {
  const planned = new Map<string, readonly SignerField[]>();
  const plan = (typeName: string): readonly SignerField[] => {
    const hit = planned.get(typeName);
    if (hit !== undefined) return hit;
    const fields = signerFields(descriptors, typeName);
    if (descriptors.has(typeName)) planned.set(typeName, fields);
    return fields;
  };
  return {
    fieldNames: (typeName) => descriptors.message(typeName)?.signerFields ?? [],
    collect: (typeName, bytes) => {
      const signers: string[] = [];
      const wire = new Wire(bytes);
      try {
        collect(plan, typeName, wire, 0, wire.bytes.length, signers);
      } catch (error) {
        if (!isStrataError(error, 'proto_malformed')) throw error;
        return [];
      }
      return signers;
    },
  };
}

function signerFields(descriptors: DescriptorIndex, typeName: string): readonly SignerField[] {
  const message = descriptors.message(typeName);
  if (message === undefined) return [];
  return message.signerFields.flatMap((name) => {
    const field = message.fields.find((candidate) => candidate.name === name);
    const readable = [TYPE_STRING, TYPE_BYTES, TYPE_MESSAGE].includes(field?.type ?? 0);
    return field !== undefined && readable ? [field] : [];
  });
}

function collect(
  plan: (typeName: string) => readonly SignerField[],
  typeName: string,
  wire: Wire,
  start: number,
  end: number,
  signers: string[],
): void {
  const fields = plan(typeName);
  const found: string[][] = fields.map(() => []);
  wire.enter();
  wire.pos = start;
  while (wire.pos < end) {
    const tag = wire.readTag();
    const index = fields.findIndex((field) => field.number * 8 + LENGTH_DELIMITED === tag);
    const field = fields[index];
    if (field === undefined) {
      wire.skip(tag, end);
      continue;
    }
    const valueEnd = wire.readEnd(end);
    const texts = found[index] as string[];
    if (field.type === TYPE_MESSAGE) collect(plan, field.typeName, wire, wire.pos, valueEnd, texts);
    else if (field.type === TYPE_BYTES) texts.push(`0x${wire.bytes.toString('hex', wire.pos, valueEnd)}`);
    else texts.push(wire.text(wire.pos, valueEnd));
    wire.pos = valueEnd;
  }
  wire.depth--;
  for (const texts of found) signers.push(...texts);
}
