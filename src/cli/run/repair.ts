import { bytesToHex } from 'strata-kit/bytes';
import type { CommandContext } from 'strata-kit/cli/context';
import { systemClock } from 'strata-kit/clock';
import { StrataError } from 'strata-kit/errors';
import type { HeightRanges } from 'strata-kit/height-ranges';
import type { BlockSource } from '../../chain/source.ts';
import { RowReader } from '../../core/rowbinary.ts';
import { checkChain } from '../../pipeline/chain-context.ts';
import { checkGoodBlock } from '../../pipeline/good-block.ts';
import { PROVEN_FACT } from '../../pipeline/indexing.ts';
import { createStep } from '../../pipeline/steps.ts';
import { MAX_LISTED_BAD_BLOCKS, readBadBlocks } from '../../store/bad-blocks.ts';
import { type Checkpoint, readCheckpoints } from '../../store/checkpoints.ts';
import { readFacts, writeFacts } from '../../store/facts.ts';
import { migrate } from '../../store/migrations.ts';
import { recoverStore, rewindStore } from '../../store/recovery.ts';
import { uintLiteral } from '../../store/sql.ts';
import type { Store } from '../../store/store.ts';
import { waitForWriters } from '../../store/writers.ts';
import type { IndexOptions } from '../indexing-options.ts';
import { openIndexingRun } from '../indexing-run.ts';
import { openSource } from '../sources.ts';
import { withStores } from '../stores.ts';

export interface RepairOptions extends IndexOptions {
  /** Of the bad block. */
  readonly height: number;
}

/**
 * strata repair: a bad block taken again from the nodes. State is derived in the order of heights, so that the store goes
 * back to the commit before the block and takes it and the one that confirms it; the next index or start takes the rest.
 * Nothing changes unless a node has the block by then. It may be killed at any moment and run again.
 */
export async function repair(options: RepairOptions, context: CommandContext): Promise<void> {
  const { height } = options;
  const source = await openSource(options.source, options.chainId, context.log, {});
  try {
    const outcome = await withStores(
      options.store,
      async (stores) => {
        const store = await stores.open('repair');
        const task = await prepare(store, source, options, context).finally(() => store.close());
        if (task === undefined) return undefined;
        const { run } = await openIndexingRun({ ...options, ...task }, source, stores, context);
        await run();
        const after = await stores.open('repair');
        await writeFacts(after, new Map([[REPAIR_FACT, '']])).finally(() => after.close());
        return task;
      },
      { mustExist: true },
    );
    context.print(
      outcome === undefined
        ? `height ${height} is no bad block: nothing is to be repaired`
        : `height ${height} is whole now; the store ends at height ${outcome.toHeight}: index or start goes on from there`,
    );
  } finally {
    await source.close();
  }
}

/** What is to be indexed, in a store that ends before the block. */
interface RepairTask {
  readonly toHeight: number;
  readonly acceptBadBlocks: HeightRanges;
}

/** The fact that a repair has begun, for one that was cut short: its height, and the other bad blocks that it took out. */
const REPAIR_FACT = 'repair';

/** Undefined where there is nothing to repair. Errors: config_invalid, store_empty, those of checkGoodBlock and the store. */
async function prepare(
  store: Store,
  source: BlockSource,
  options: RepairOptions,
  { log, signal }: CommandContext,
): Promise<RepairTask | undefined> {
  const { height } = options;
  await waitForWriters(store);
  await migrate(store);
  const { checkpoint } = await recoverStore(store);
  if (checkpoint === undefined) throw new StrataError('store_empty', 'The store holds no chain yet');
  const facts = await readFacts(store);
  const head = await source.head(signal);
  checkChain(facts, head.chainId);
  const toHeight = Math.min(height + 1, head.latestHeight);
  const begun = readBegun(facts.get(REPAIR_FACT));
  if (height > checkpoint.height) {
    if (begun?.height !== height) {
      throw new StrataError(
        'config_invalid',
        `the store ends at height ${checkpoint.height}: height ${height} is not in it yet`,
      );
    }
    return { toHeight, acceptBadBlocks: accepting(options, begun.others) };
  }
  const [bad] = await readBadBlocks(store, height, height, 1);
  if (bad === undefined) return undefined;
  await checkGoodBlock({
    source,
    chainId: head.chainId,
    height,
    confirmedBy: toHeight,
    parent: await blockAt(store, checkpoint, height - 1),
    verify: options.verify,
    isProven: facts.get(PROVEN_FACT) === 'yes',
    clock: systemClock,
    log,
    signal,
  });
  const [before] = await readCheckpoints(store, 1, height - 1);
  const from = (before?.height ?? 0) + 1;
  const around = await readBadBlocks(store, from, toHeight, MAX_LISTED_BAD_BLOCKS);
  const others = around.map((each) => each.height).filter((each) => each !== height);
  await writeFacts(store, new Map([[REPAIR_FACT, JSON.stringify({ height, others })]]));
  const rewound = await rewindStore(store, height - 1, createStep(options.steps));
  log.info(`the store is back at height ${rewound.checkpoint.height}, before the block`);
  return { toHeight, acceptBadBlocks: accepting(options, others) };
}

/** The bad blocks on the way are kept as they were, should they come the same again. */
function accepting({ acceptBadBlocks }: RepairOptions, others: readonly number[]): HeightRanges {
  return [...acceptBadBlocks, ...others.map((height) => [height, height] as const)];
}

function readBegun(
  text: string | undefined,
): { readonly height: number; readonly others: readonly number[] } | undefined {
  return text === undefined || text === '' ? undefined : JSON.parse(text);
}

async function blockAt(store: Store, { firstHeight }: Checkpoint, height: number) {
  if (height < firstHeight) return undefined;
  const rows = new RowReader(
    await store.query(`SELECT hash FROM blocks WHERE height = ${uintLiteral(height)}`),
  );
  return rows.done ? undefined : { height, hash: bytesToHex(rows.fixed(32)).toUpperCase() };
}
