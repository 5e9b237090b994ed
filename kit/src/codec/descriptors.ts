import { readFileSync } from 'node:fs';
import { fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

/** The first segment of the packages as proto/ writes them. */
const WRITTEN_NAMESPACE = 'aeva';
/** Beside src/ and dist/. */
const FILE = new URL('../../descriptors.binpb', import.meta.url);

/** The descriptor set of proto/ (`npm run proto`), with the namespace in place of the one that is written there. */
export function loadDescriptors(namespace: string): FileDescriptorSet {
  const set = fromBinary(FileDescriptorSetSchema, readFileSync(FILE));
  if (namespace !== WRITTEN_NAMESPACE) for (const file of set.file) rename(file, namespace);
  return set;
}

export function fileBytes(set: FileDescriptorSet): Uint8Array[] {
  return set.file.map((file) => toBinary(FileDescriptorProtoSchema, file));
}

function rename(file: FileDescriptorProto, namespace: string): void {
  const replaced = (text: string, lead: string, end: string) =>
    text.startsWith(`${lead}${WRITTEN_NAMESPACE}${end}`)
      ? `${lead}${namespace}${text.slice(lead.length + WRITTEN_NAMESPACE.length)}`
      : text;
  const type = (name: string) => replaced(name, '.', '.');
  const message = (desc: DescriptorProto): void => {
    for (const field of desc.field) field.typeName = type(field.typeName);
    desc.nestedType.forEach(message);
  };
  file.name = replaced(file.name, '', '/');
  file.package = replaced(file.package, '', '.');
  file.dependency = file.dependency.map((name) => replaced(name, '', '/'));
  file.messageType.forEach(message);
  for (const { method } of file.service) {
    for (const rpc of method) {
      rpc.inputType = type(rpc.inputType);
      rpc.outputType = type(rpc.outputType);
    }
  }
}
