import { copyFile, mkdtemp, open, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { StrataError } from 'strata-kit/errors';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readWholeBlocks } from '../../src/chain/capture/blocks-whole.ts';
import { type Capture, openCapture } from '../../src/chain/capture/reader.ts';
import { recordCapture } from '../../src/chain/capture/record.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { MAX_DESCRIPTORS_BYTES, MAX_MEMBER_BYTES } from '../../src/chain/capture/unpack.ts';
import { openCaptureWriter } from '../../src/chain/capture/writer.ts';
import { type BlockText, splitRange } from '../../src/chain/envelope.ts';
import { askChainFacts, type ChainFacts } from '../../src/chain/facts.ts';
import { silentLog } from '../../src/chain/log.ts';
import { type Replay, startReplay } from '../../src/chain/replay/server.ts';
import { createRpcSource } from '../../src/chain/rpc/source.ts';
import { copyFolder } from '../support/copy-folder.ts';
import { FIXTURE, recorded, recordedHeights } from './fixture.ts';

let original: Capture;
let replay: Replay;
let root: string;
let folderNumber = 0;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'strata-capture-'));
  original = await openCapture(FIXTURE);
  replay = await startReplay({ capture: original, host: '127.0.0.1', port: 0 });
});

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

afterAll(async () => {
  await replay.close();
  await rm(root, { recursive: true });
});

const newFolder = () => join(root, String(++folderNumber));

function source() {
  const made = createRpcSource({ urls: [replay.url], timeoutMs: 5_000 });
  cleanups.push(made.close);
  return made;
}

async function opened(folder: string): Promise<Capture> {
  const capture = await openCapture(folder);
  cleanups.push(capture.blocks.close);
  return capture;
}

/** Bytes compare faster as text. */
const readable = (blocks: readonly BlockText[]) =>
  blocks.map((block) => ({ ...block, results: block.results.toString('latin1') }));

/** The descriptors as text, for the same reason. */
const comparable = (facts: ChainFacts) => ({
  ...facts,
  descriptorSet: facts.descriptorSet && Buffer.from(facts.descriptorSet).toString('latin1'),
});

const textsOf = (fromHeight: number, toHeight: number): BlockText[] =>
  recordedHeights()
    .slice(fromHeight - 1, toHeight)
    .map(({ height, block, results }) => ({
      height,
      block: block.toString('latin1'),
      results,
    }));

function linesOf(fromHeight: number, toHeight: number): Buffer {
  return Buffer.concat(
    recordedHeights()
      .slice(fromHeight - 1, toHeight)
      .flatMap(({ line }) => [line, Buffer.from('\n')]),
  );
}

const invalid = (message: string) =>
  expect.objectContaining({ code: 'capture_invalid', message: expect.stringContaining(message) });

describe('a capture that was recorded elsewhere', () => {
  it('reads any height range, byte for byte', async () => {
    const capture = createCaptureSource(original);
    expect(await capture.head()).toEqual({
      chainId: '9001',
      earliestHeight: 1,
      latestHeight: 501,
      appVersion: '0',
      softwareVersion: 'v0.6.0',
    });
    for (const [from, to] of [
      [1, 1],
      [61, 63],
      [500, 501],
      [1, 501],
    ] as const) {
      const range = await capture.fetch(from, to);
      expect(Buffer.from(range.bodies[0]?.bytes ?? []).equals(linesOf(from, to))).toBe(true);
      expect(range).toMatchObject({ fromHeight: from, toHeight: to, byteLength: linesOf(from, to).length });
    }
  });

  it('gives bytes that can be transferred without harm to the next reader', async () => {
    const capture = createCaptureSource(original);
    const [first, second] = [await capture.fetch(7, 7), await capture.fetch(7, 7)];
    structuredClone(first.bodies[0]?.bytes, { transfer: [first.bodies[0]?.bytes.buffer as ArrayBuffer] });
    expect(readable(splitRange(second))).toEqual(readable(textsOf(7, 7)));
    expect(readable(splitRange(await capture.fetch(7, 7)))).toEqual(readable(textsOf(7, 7)));
  });

  it('says what it does not have', async () => {
    const capture = createCaptureSource(original);
    await expect(capture.fetch(500, 502)).rejects.toMatchObject({ code: 'node_lagging', height: 502 });
    await expect(capture.fetch(0, 2)).rejects.toMatchObject({ code: 'height_pruned', lowestHeight: 1 });
    expect(await capture.abciQuery('/no.such.Query', new Uint8Array())).toMatchObject({ code: 6 });
    const range = await capture.fetch(3, 4);
    expect(() => capture.reportBad(range, new StrataError('block_malformed', 'no header'))).toThrowError(
      invalid('heights 3 to 4: no header'),
    );
  });
});

describe('recording', () => {
  it('keeps every byte, the facts, and reads ranges from the members that hold them', async () => {
    const folder = newFolder();
    const end = 240;
    const heights: number[] = [];
    const held = await recordCapture({
      source: source(),
      folder,
      fromHeight: 1,
      toHeight: end,
      onProgress: (height) => heights.push(height),
    });
    expect(held).toBe(end);
    expect(heights.at(0)).toBe(50);
    expect(heights.at(-1)).toBe(end);
    // still one gzip file
    expect(gunzipSync(await readFile(join(folder, 'blocks.jsonl.gz'))).equals(linesOf(1, end))).toBe(true);

    const copy = await opened(folder);
    const index = JSON.parse(await readFile(join(folder, 'blocks.index.json'), 'utf8')) as {
      members: { fromHeight: number; toHeight: number }[];
    };
    expect(index.members.length).toBeGreaterThan(2);
    expect(copy.meta.texts.get('genesis')).toBe(original.meta.texts.get('genesis'));
    expect(copy.meta.texts.get('consensus_params')).toBe(original.meta.texts.get('consensus_params'));
    expect(await createCaptureSource(copy).head()).toEqual({
      ...(await createCaptureSource(original).head()),
      latestHeight: end,
    });
    expect(comparable(await askChainFacts(createCaptureSource(copy), silentLog))).toEqual(
      comparable(await askChainFacts(createCaptureSource(original), silentLog)),
    );

    const border = (index.members[0]?.toHeight ?? 0) + 1;
    for (const [from, to] of [
      [1, 1],
      [border - 1, border],
      [border, border],
      [border - 30, border + 100],
      [end, end],
      [1, end],
    ] as const) {
      const range = await createCaptureSource(copy).fetch(from, to);
      expect(Buffer.from(range.bodies[0]?.bytes ?? []).equals(linesOf(from, to))).toBe(true);
    }
  });

  it('goes on where it ended, from any height', async () => {
    const folder = newFolder();
    expect(await recordCapture({ source: source(), folder, fromHeight: 40, toHeight: 75 })).toBe(75);
    expect(await recordCapture({ source: source(), folder, fromHeight: 40, toHeight: 130 })).toBe(130);
    const copy = await opened(folder);
    expect([copy.blocks.firstHeight, copy.blocks.lastHeight, copy.meta.head]).toEqual([40, 130, 130]);
    expect(readable(splitRange(await createCaptureSource(copy).fetch(40, 130)))).toEqual(
      readable(textsOf(40, 130)),
    );
    await expect(createCaptureSource(copy).fetch(39, 41)).rejects.toMatchObject({
      code: 'height_pruned',
      lowestHeight: 40,
    });
    await expect(
      recordCapture({ source: source(), folder, fromHeight: 140, toHeight: 150 }),
    ).rejects.toThrowError(invalid('it ends at height 130, so recording cannot go on at 140'));
    await expect(
      recordCapture({ source: source(), folder, fromHeight: 39, toHeight: 150 }),
    ).rejects.toThrowError(invalid('it begins at height 40, so heights from 39 cannot be added'));
    const goesOn = { source: source(), folder, fromHeight: undefined, toHeight: 131 };
    expect(await recordCapture(goesOn)).toBe(131);
  });

  it('keeps what it has when it is stopped', async () => {
    const folder = newFolder();
    const stop = new AbortController();
    const held = await recordCapture({
      source: source(),
      folder,
      fromHeight: 1,
      toHeight: 501,
      signal: stop.signal,
      onProgress: (height) => height >= 100 && stop.abort(),
    });
    expect(held).toBeGreaterThanOrEqual(100);
    expect(held).toBeLessThan(501);
    const copy = await opened(folder);
    expect(copy.blocks.lastHeight).toBe(held);
    expect(readable(splitRange(await createCaptureSource(copy).fetch(1, held)))).toEqual(
      readable(textsOf(1, held)),
    );
  });

  it('can be replayed and recorded again', async () => {
    const first = newFolder();
    await recordCapture({ source: source(), folder: first, fromHeight: 1, toHeight: 30 });
    const again = await startReplay({ capture: await opened(first), host: '127.0.0.1', port: 0 });
    cleanups.push(again.close);
    const second = newFolder();
    const rpc = createRpcSource({ urls: [again.url] });
    cleanups.push(rpc.close);
    await recordCapture({ source: rpc, folder: second, fromHeight: 1, toHeight: 30 });
    for (const file of ['blocks.jsonl.gz', 'blocks.index.json', 'abci-queries.json', 'descriptors.pb.gz']) {
      expect((await readFile(join(second, file))).equals(await readFile(join(first, file))), file).toBe(true);
    }
  });
});

describe('a capture writer', () => {
  const write = async (folder: string, fromHeight: number, toHeight: number) => {
    const writer = await openCaptureWriter(folder, '9001');
    await writer.append(textsOf(fromHeight, toHeight));
    await writer.close();
  };

  it('cuts off what a crash left behind the index, and goes on', async () => {
    const folder = newFolder();
    await write(folder, 1, 20);
    const blocks = join(folder, 'blocks.jsonl.gz');
    const { size } = await stat(blocks);
    const file = await open(blocks, 'a');
    await file.write(Buffer.from('a member that was never finished'));
    await file.close();

    const writer = await openCaptureWriter(folder, '9001');
    expect((await stat(blocks)).size).toBe(size);
    expect(writer.nextHeight()).toBe(21);
    await writer.append(textsOf(21, 25));
    await writer.close();
    expect(gunzipSync(await readFile(blocks)).equals(linesOf(1, 25))).toBe(true);
  });

  it('refuses a gap, another chain, blocks that are lost, and a capture without an index', async () => {
    const folder = newFolder();
    await write(folder, 1, 20);
    const writer = await openCaptureWriter(folder, '9001');
    await expect(writer.append(textsOf(22, 22))).rejects.toMatchObject({
      code: 'capture_invalid',
      height: 22,
    });
    await writer.close();

    await copyFile(join(FIXTURE, 'meta.json'), join(folder, 'meta.json'));
    await expect(openCaptureWriter(folder, '7')).rejects.toThrowError(
      invalid('it holds the chain 9001, the node serves 7'),
    );
    await truncate(join(folder, 'blocks.jsonl.gz'), 100);
    await expect(openCaptureWriter(folder, '9001')).rejects.toThrowError(
      invalid('the blocks are 100 bytes long'),
    );
    await rm(join(folder, 'blocks.index.json'));
    await expect(openCaptureWriter(folder, '9001')).rejects.toThrowError(
      invalid('it has no blocks.index.json'),
    );
    expect((await stat(join(folder, 'blocks.jsonl.gz'))).size).toBe(100);
  });
});

describe('a capture that is damaged', () => {
  let whole: string;

  beforeAll(async () => {
    whole = newFolder();
    const writer = await openCaptureWriter(whole, '9001');
    await writer.append(textsOf(1, 501));
    await writer.close();
    await copyFile(join(FIXTURE, 'meta.json'), join(whole, 'meta.json'));
  });

  const damaged = async (change: (folder: string) => Promise<unknown>) => {
    const folder = newFolder();
    await copyFolder(whole, folder);
    await change(folder);
    return openCapture(folder);
  };
  const edit = async (file: string, change: (text: string) => string) =>
    writeFile(file, change(await readFile(file, 'utf8')));

  it.each<[string, (folder: string) => Promise<unknown>, string]>([
    ['no folder', (folder) => rm(folder, { recursive: true }), 'there is no such folder'],
    ['no meta.json', (folder) => rm(join(folder, 'meta.json')), 'it has no meta.json'],
    ['broken meta.json', (folder) => truncate(join(folder, 'meta.json'), 200), 'meta.json is no JSON object'],
    [
      'no head',
      (folder) => edit(join(folder, 'meta.json'), (text) => text.replace('"head":501', '"head":"x"')),
      'meta.json has no integer "head"',
    ],
    [
      'no chain id',
      (folder) => edit(join(folder, 'meta.json'), (text) => text.replace('"network":"9001"', '"network":""')),
      'no status.node_info.network',
    ],
    ['no blocks', (folder) => rm(join(folder, 'blocks.jsonl.gz')), 'the blocks cannot be read'],
    [
      'lost blocks',
      (folder) => truncate(join(folder, 'blocks.jsonl.gz'), 5_000),
      'the blocks are 5000 bytes long',
    ],
    [
      'a gap in the index',
      (folder) =>
        edit(join(folder, 'blocks.index.json'), (text) => text.replace(/\{"fromHeight":101.*\n/, '')),
      'leaves a gap at height',
    ],
    [
      'an index that is no list',
      (folder) => writeFile(join(folder, 'blocks.index.json'), '{}'),
      'is no JSON with a list "members"',
    ],
    [
      'queries without answers',
      (folder) => writeFile(join(folder, 'abci-queries.json'), '[{"path":"/x"}]'),
      'an entry without path or response',
    ],
    [
      'blocks cut and no index',
      async (folder) => {
        await rm(join(folder, 'blocks.index.json'));
        await truncate(join(folder, 'blocks.jsonl.gz'), 1_000_000);
      },
      'the blocks do not unpack after line',
    ],
    [
      'fewer blocks than meta.json says',
      (folder) =>
        edit(join(folder, 'meta.json'), (text) => text.replace('"head":501', '"head":502')).then(() =>
          rm(join(folder, 'blocks.index.json')),
        ),
      'the blocks end at height 501, meta.json says 502',
    ],
  ])('is refused with what is wrong: %s', async (_, change, message) => {
    await expect(damaged(change)).rejects.toThrowError(invalid(message));
  });

  it('of some kilobytes that would unpack to gigabytes stops at a bound, and names the file', async () => {
    const folder = newFolder();
    await copyFolder(FIXTURE, folder);
    // gzip members one after another unpack as one
    const million = gzipSync(Buffer.alloc(2 ** 20));
    const packed = (bytes: number) => Buffer.concat(Array(bytes / 2 ** 20 + 1).fill(million));
    const descriptors = join(folder, 'descriptors.pb.gz');
    const kept = await readFile(descriptors);
    await writeFile(descriptors, packed(MAX_DESCRIPTORS_BYTES));
    await expect(openCapture(folder)).rejects.toThrowError(invalid('descriptors.pb.gz unpacks to more than'));
    await writeFile(descriptors, kept);

    const bomb = packed(MAX_MEMBER_BYTES);
    expect(bomb.length).toBeLessThan(400_000);
    await writeFile(join(folder, 'blocks.jsonl.gz'), bomb);
    const member = { fromHeight: 1, toHeight: 501, offset: 0, length: bomb.length };
    await writeFile(join(folder, 'blocks.index.json'), JSON.stringify({ members: [member] }));
    const indexed = await opened(folder);
    await expect(createCaptureSource(indexed).fetch(1, 5)).rejects.toThrowError(
      invalid('blocks.jsonl.gz, heights 1 to 501, unpacks to more than'),
    );
    // its own bound is a gigabyte, which takes seconds to unpack
    await expect(readWholeBlocks(folder, join(folder, 'blocks.jsonl.gz'), 501, 2 ** 20)).rejects.toThrowError(
      invalid('blocks.jsonl.gz, which has no blocks.index.json, unpacks to more than 1048576 bytes'),
    );
  });

  it('names the heights of a member that does not unpack', async () => {
    const capture = await damaged(async (folder) => {
      const file = await open(join(folder, 'blocks.jsonl.gz'), 'r+');
      await file.write(Buffer.alloc(64, 0xff), 0, 64, 2_000);
      await file.close();
    });
    cleanups.push(capture.blocks.close);
    const reader = createCaptureSource(capture);
    await expect(reader.fetch(1, 5)).rejects.toThrowError(
      /blocks\.jsonl\.gz, heights 1 to \d+, does not unpack/,
    );
    expect(splitRange(await reader.fetch(400, 401)).map(({ results }) => results)).toEqual([
      recorded(400).results,
      recorded(401).results,
    ]);
  });
});
