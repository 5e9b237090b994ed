import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readGivenDescriptors } from '../../src/pipeline/given-descriptors.ts';

const RECORDED = join(import.meta.dirname, '..', 'fixtures', 'evmd', 'descriptors.pb.gz');

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-descriptors-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

describe('descriptor sets from files', () => {
  it('may be packed with gzip', async () => {
    const plain = gunzipSync(readFileSync(RECORDED));
    const sets = await readGivenDescriptors([RECORDED, file('chain.binpb', plain)]);
    expect(sets.map((bytes) => plain.equals(bytes))).toEqual([true, true]);
  });

  it.each([
    ['no file', undefined, /cannot be read/],
    ['text', 'syntax = "proto3";\nmessage A {}\n', /is no descriptor set|describes no message/],
    ['nothing', '', /describes no message/],
    ['half a gzip file', readFileSync(RECORDED).subarray(0, 5_000), /cannot be read/],
    ['half a set', gunzipSync(readFileSync(RECORDED)).subarray(0, 5_000), /is no descriptor set/],
  ])('are refused, with the path and what to do, where there is %s', async (what, bytes, reason) => {
    const path = bytes === undefined ? join(folder, 'missing') : file(what, bytes);
    await expect(readGivenDescriptors([path])).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(reason),
    });
    await expect(readGivenDescriptors([path])).rejects.toThrow(`--descriptors ${path}: `);
  });
});
