import { readFileSync } from 'node:fs';
import { toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, type FileDescriptorSet } from '@bufbuild/protobuf/wkt';
import { descriptorSet } from './namespace.ts';

/** Beside src/ and dist/. */
const FILE = new URL('../../descriptors.binpb', import.meta.url);

/** The descriptor set of proto/ (`npm run proto`), with the namespace in place of the one that is written there. */
export function loadDescriptors(namespace: string): FileDescriptorSet {
  return descriptorSet(readFileSync(FILE), namespace);
}

export function fileBytes(set: FileDescriptorSet): Uint8Array[] {
  return set.file.map((file) => toBinary(FileDescriptorProtoSchema, file));
}
