import { afterEach, describe, expect, it } from 'vitest';
import type { RawRange } from '../../src/chain/source.ts';
import type { DecodeContext } from '../../src/decode/range.ts';
import { createDecodeStage, type DecodeStage, NewDescriptors } from '../../src/pipeline/decode-stage.ts';
import { typedEvents } from '../support/blocks/events.ts';
import type { BlockCase } from '../support/blocks/layout.ts';
import { unknownMessages } from '../support/blocks/txs.ts';
import { captureLine, chainBlocks } from '../support/blocks.ts';
import { recordedContext } from '../support/decoded.ts';

/** What becomes of messages whose types the chain's descriptors do not have. */

let stage: DecodeStage;
afterEach(() => stage.close());

/** The same bytes anew: the stage takes them away. */
function unknownRange(unknown: BlockCase = unknownMessages): RawRange {
  const [block] = chainBlocks([unknown]);
  if (block === undefined) throw new Error('no block');
  const bytes = new Uint8Array([...captureLine(block), 10]);
  const body = { layout: 'capture', fromHeight: 1, toHeight: 1, bytes } as const;
  return { fromHeight: 1, toHeight: 1, bodies: [body], byteLength: bytes.length, origin: 'test' };
}

function stageWith(answers: readonly (DecodeContext | undefined)[]): { asked(): number } {
  let asked = 0;
  stage = createDecodeStage(recordedContext(), 1, async () => answers[asked++]);
  return { asked: () => asked };
}

describe('an unknown message', () => {
  it('makes the stage ask the chain for newer descriptors, once a type', async () => {
    const refresh = stageWith([]);
    expect((await stage.decode(unknownRange())).unknownTypeUrls.length).toBeGreaterThan(0);
    expect(refresh.asked()).toBe(1);
    await stage.decode(unknownRange());
    expect(refresh.asked()).toBe(1);
  }, 60_000);

  it('is decoded again with newer descriptors, and kept as it is when those lack it too', async () => {
    const refresh = stageWith([recordedContext()]);
    await expect(stage.decode(unknownRange())).rejects.toBeInstanceOf(NewDescriptors);
    expect((await stage.decode(unknownRange())).headers).toHaveLength(1);
    expect(refresh.asked()).toBe(2);
  }, 60_000);

  it('in ranges at once leaves none to the old descriptors', async () => {
    const refresh = stageWith([recordedContext()]);
    const first = await Promise.allSettled([1, 2, 3].map(() => stage.decode(unknownRange())));
    expect(first.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    await Promise.all([1, 2, 3].map(() => stage.decode(unknownRange())));
    expect(refresh.asked()).toBe(2);
  }, 60_000);
});

describe('an event named like an unknown message', () => {
  it('makes the stage ask the chain for newer descriptors, once a type', async () => {
    const refresh = stageWith([]);
    const { unknownTypeUrls } = await stage.decode(unknownRange(typedEvents));
    expect(unknownTypeUrls).toContain('/made.up.v1.EventNothing');
    expect(refresh.asked()).toBe(1);
    await stage.decode(unknownRange(typedEvents));
    expect(refresh.asked()).toBe(1);
  }, 60_000);
});

describe('a pool that is closed', () => {
  it('drops the answer that is on its way', async () => {
    stageWith([]);
    await stage.decode(unknownRange());
    const failures: unknown[] = [];
    const note = (error: unknown) => failures.push(error);
    process.prependListener('uncaughtException', note);
    const decoded = stage.decode(unknownRange()).catch((error: unknown) => error);
    // posted to the thread, which answers while this one waits
    await Promise.resolve();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    await stage.close();
    await new Promise((resolve) => setImmediate(resolve));
    process.off('uncaughtException', note);
    expect(await decoded).toBeInstanceOf(Error);
    expect(failures).toEqual([]);
  }, 60_000);
});
