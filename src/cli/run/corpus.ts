import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { parseStepClock } from 'strata-devnet/comet/step-clock';
import { type Corpus, openCorpus } from 'strata-devnet/corpus/corpus';
import { utf8ToBytes, utf8ToLatin1 } from 'strata-kit/bytes';
import { checked } from 'strata-kit/cli/checked';
import type { CommandContext } from 'strata-kit/cli/context';
import { systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import { readOptional } from '../../chain/capture/format.ts';
import { recordFacts } from '../../chain/capture/record.ts';
import { openCaptureWriter, writeFileByRename } from '../../chain/capture/writer.ts';
import type { BlockText } from '../../chain/envelope.ts';
import { abciQueryParams, readAbciAnswer } from '../../chain/rpc/calls.ts';
import { createProgress } from '../progress.ts';

export interface CorpusOptions {
  /** Absolute. */
  readonly folder: string;
  readonly blocks: number;
  readonly txsPerBlock: number;
  readonly seed: number;
  /** As given; undefined: 5 s a block. */
  readonly clock: string | undefined;
}

/** What a folder holds, written when it is whole. */
const CORPUS_FILE = 'corpus.json';
/** Blocks that are packed while the next ones are made. */
const BATCH_BLOCKS = 50;

/**
 * strata corpus: blocks of the reference chain's workload as a capture, and the SHA-256 of its lines before they are
 * packed. A folder that holds the same corpus already is left as it is. Errors: capture_invalid for one that holds
 * anything else, config_invalid for a clock that is none.
 */
export async function corpus(options: CorpusOptions, context: CommandContext): Promise<void> {
  const { folder, blocks, txsPerBlock, seed, clock: script } = options;
  const clock = script === undefined ? undefined : checked('--clock', () => parseStepClock(script, blocks));
  // a corpus of the usual clock says nothing of it
  const asked = { blocks, txsPerBlock, seed, clock: script, strata: context.version };
  const known = await readCorpus(folder);
  if (known !== undefined) {
    const { sha256, ...held } = known;
    if (JSON.stringify(held) !== JSON.stringify(asked)) {
      throw invalid(folder, `it holds another corpus: ${JSON.stringify(held)}`);
    }
    context.print(`${sha256}  ${folder}`);
    return;
  }
  const made = await openCorpus({ seed, txsPerBlock, clock });
  try {
    const sha256 = await writeBlocks(made, options, context);
    if (sha256 === undefined) return;
    for (const surprise of made.surprises()) context.log.warn(`not as the workload meant it: ${surprise}`);
    await recordFacts(factSource(made), folder, blocks);
    await writeFileByRename(folder, CORPUS_FILE, `${JSON.stringify({ ...asked, sha256 })}\n`);
    context.print(`${sha256}  ${folder}`);
  } finally {
    await made.close();
  }
}

/** The hash of all lines; undefined when the signal aborted. */
async function writeBlocks(
  made: Corpus,
  { folder, blocks }: CorpusOptions,
  { line, log, signal }: CommandContext,
): Promise<string | undefined> {
  const hash = createHash('sha256');
  const writer = await openCaptureWriter(folder, made.chainId, systemClock, (lines) => hash.update(lines));
  const progress = createProgress({ line, clock: systemClock, log });
  try {
    if (writer.nextHeight() !== undefined) throw invalid(folder, 'it holds blocks already');
    let packing: Promise<void> = Promise.resolve();
    for (let height = 0; height < blocks && !signal.aborted; ) {
      const batch: BlockText[] = [];
      while (batch.length < BATCH_BLOCKS && height < blocks) {
        const { block, results, height: at } = await made.nextBlock();
        batch.push({ height: at, block: utf8ToLatin1(block), results: Buffer.from(utf8ToBytes(results)) });
        height = at;
      }
      await packing;
      packing = writer.append(batch);
      // awaited after the next batch, or below
      packing.catch(() => {});
      progress.update({ height, startHeight: 0, targetHeight: blocks, chainHeight: blocks, events: 0 });
    }
    await packing;
    await writer.flush();
    return signal.aborted ? undefined : hash.digest('hex');
  } finally {
    progress.stop();
    await writer.close();
  }
}

function factSource({ call }: Corpus): Parameters<typeof recordFacts>[0] {
  return {
    call,
    abciQuery: async (path, data, height = 0) =>
      readAbciAnswer(await call('abci_query', abciQueryParams(path, data, height)), {}),
  };
}

interface KnownCorpus {
  readonly sha256: string;
}

async function readCorpus(folder: string): Promise<KnownCorpus | undefined> {
  const bytes = await readOptional(folder, CORPUS_FILE);
  if (bytes === undefined) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8')) as KnownCorpus;
  } catch (error) {
    throw new StrataError('capture_invalid', `${join(folder, CORPUS_FILE)} is no JSON`, { cause: error });
  }
}

function invalid(folder: string, reason: string): StrataError {
  return new StrataError('capture_invalid', `the folder ${folder} is not free for a corpus: ${reason}`);
}
