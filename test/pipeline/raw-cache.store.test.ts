import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from 'strata-kit/clock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { silentLog } from '../../src/chain/log.ts';
import { type Replay, startReplay } from '../../src/chain/replay/server.ts';
import { createRpcSource } from '../../src/chain/rpc/source.ts';
import type { BlockSource, RpcCaller } from '../../src/chain/source.ts';
import { openRawCache } from '../../src/pipeline/raw-cache.ts';
import { digestLines, indexInto, withFreshStore } from '../support/indexing.ts';
import { recordedBlockLines } from '../support/oracle.ts';
import { recordedCapture } from '../support/recorded-capture.ts';
import { recordedDigest } from '../support/recorded-digests.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** --keep-raw: the bytes of every indexed block beside the store, enough to build the store again without the node. */

const FIRST = 34;
const END = 40;

let node: Replay;
let rpc: BlockSource & RpcCaller;
/** Of stores with heights 1 to END and to END + 10. */
let digests: readonly (readonly string[])[];
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  digests = [await recordedDigest(END), await recordedDigest(END + 10)];
  node = await startReplay({ capture: await recordedCapture(), host: '127.0.0.1', port: 0 });
  rpc = createRpcSource({ urls: [node.url] });
  folder = await temporaryFolder();
});
afterAll(async () => {
  await rpc.close();
  await node.close();
  await folder.remove();
});

const at = (name: string): string => join(folder.path, name);

/** Counts the heights that the node is asked for. */
function counted(source: BlockSource & RpcCaller = rpc) {
  const asked = new Set<number>();
  const counting: BlockSource & RpcCaller = {
    ...source,
    fetch: (fromHeight, toHeight, signal) => {
      for (let height = fromHeight; height <= toHeight; height++) asked.add(height);
      return source.fetch(fromHeight, toHeight, signal);
    },
  };
  return { source: counting, asked: () => [...asked].sort((a, b) => a - b) };
}

async function linesIn(keepRaw: string): Promise<readonly string[]> {
  const { blocks } = await openCapture(keepRaw);
  const bytes = await blocks.readLines(blocks.firstHeight, blocks.lastHeight);
  await blocks.close();
  return Buffer.from(bytes).toString('latin1').trimEnd().split('\n');
}

const recordedLines = (toHeight: number): readonly string[] =>
  recordedBlockLines()
    .slice(0, toHeight)
    .map((line) => Buffer.from(line).toString('latin1'));

describe('the raw cache', () => {
  it('holds every block, also after a kill, and a store is built again from it alone', async () => {
    const keepRaw = at('kept');
    await withFreshStore(async (stores) => {
      // as a kill leaves it before anything is kept
      await indexInto(stores, { source: rpc, toHeight: 3 });
      await indexInto(stores, { source: rpc, toHeight: FIRST, rangeBlocks: 7, keepRaw });
      expect(await linesIn(keepRaw)).toEqual(recordedLines(FIRST));
      // as a kill leaves it: a member without its line in the index, a line that was cut short, and a store that is ahead
      await appendFile(join(keepRaw, 'blocks.jsonl.gz'), 'half a member');
      const index = await readFile(join(keepRaw, 'blocks.index.json'), 'utf8');
      await writeFile(
        join(keepRaw, 'blocks.index.json'),
        index.replace('\n]}\n', ',\n{"fromHeight":35,"toHe'),
      );
      await indexInto(stores, { source: rpc, toHeight: FIRST + 2 });
      const { source, asked } = counted();
      const infos: string[] = [];
      await indexInto(stores, { source, toHeight: END, rangeBlocks: 7, keepRaw, infos });
      expect(asked()[0]).toBe(FIRST + 1);
      expect(infos).toContain(`the raw cache lacks heights ${FIRST + 1} to ${FIRST + 2}: fetching them`);
      expect(await digestLines(stores)).toEqual(digests[0]);
    });
    expect(await linesIn(keepRaw)).toEqual(recordedLines(END));

    await withFreshStore(async (stores) => {
      const source = createCaptureSource(await openCapture(keepRaw));
      await indexInto(stores, { source, toHeight: END });
      expect(await digestLines(stores)).toEqual(digests[0]);
      await source.close();
    });
    await withFreshStore(async (stores) => {
      const { source, asked } = counted();
      await indexInto(stores, { source, toHeight: END + 10, keepRaw });
      expect(await digestLines(stores)).toEqual(digests[1]);
      // the one above the last confirms it
      expect(asked()).toEqual(Array.from({ length: 11 }, (_, i) => END + 1 + i));
    });
    expect(await linesIn(keepRaw)).toEqual(recordedLines(END + 10));
  });

  it('does not go on where something would be missing in it', async () => {
    const open = async (position: { readonly firstHeight: number; readonly height: number } | undefined) =>
      openRawCache({
        folder: at('kept'),
        source: rpc,
        head: await rpc.head(),
        position,
        clock: systemClock,
        log: silentLog,
        signal: new AbortController().signal,
      });
    await expect(open({ firstHeight: 1, height: 20_000 })).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(/ends at height 50, and the store at 20000: .*strata capture --capture/),
    });
    const cache = await open(undefined);
    expect(() => cache.checkBegin(0)).toThrow(/begins at height 1, and indexing at 0/);
    await cache.close();
  });
});
