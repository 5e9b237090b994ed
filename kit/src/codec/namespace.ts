import { fromBinary } from '@bufbuild/protobuf';
import {
  type DescriptorProto,
  type FileDescriptorProto,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';

/** The first segment of the packages as proto/ writes them. */
const WRITTEN_NAMESPACE = 'aeva';

/**
 * The set of these bytes (descriptors.binpb), with the chain's namespace in place of the written one. Pages import this
 * file, so it needs nothing of Node.
 */
export function descriptorSet(bytes: Uint8Array, namespace: string): FileDescriptorSet {
  const set = fromBinary(FileDescriptorSetSchema, bytes);
  if (namespace !== WRITTEN_NAMESPACE) for (const file of set.file) rename(file, namespace);
  return set;
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
