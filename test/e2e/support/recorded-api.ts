import { readFile } from 'node:fs/promises';
import { type Clock, systemClock } from 'strata-kit/clock';
import { expect } from 'vitest';
import { type Api, createApi } from '../../../src/api/api.ts';
import { readIdentity } from '../../../src/api/identity.ts';
import { openChainState } from '../../../src/api/state.ts';
import type { BlockSource } from '../../../src/chain/source.ts';
import { baseModulesOf, derivedTypes, MODULE_ROUTES, MODULES } from '../../../src/modules/modules.ts';
import { readFacts } from '../../../src/store/facts.ts';
import type { StoreFactory } from '../../../src/store/store.ts';
import { TEST_CURSOR_KEY } from '../../support/fixed-state.ts';
import { type IndexRun, indexInto, recordedSource } from '../../support/indexing.ts';
import { openTestStores } from '../../support/stores.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type Answer, checkAnswer, type ErrorBody } from './checked.ts';

/** The recorded chain, indexed into an embedded store, behind the API; every answer is held against the contract. */
export interface RecordedApi {
  readonly api: Api;
  readonly stores: StoreFactory;
  /** What the operator would have heard of. */
  readonly reported: unknown[];
  /** One request, its answer held against openapi.yaml. */
  ask(target: string, method?: string): Promise<Answer>;
  /** The body of an answer that must be a 200. */
  get<T>(target: string): Promise<T>;
  /** The message of an answer that must be this error, in the contract's shape. */
  expectError(target: string, status: number, method?: string): Promise<string>;
  /** Indexes on to a height; resolves when answers show it. With a pace the blocks arrive as from a live chain. */
  indexTo(height: number, pace?: Pace, source?: BlockSource): Promise<void>;
  close(): Promise<void>;
}

/** Ranges and commits of this many blocks, each range once it is let in. */
export interface Pace {
  readonly blocks: number;
  letIn(): Promise<void>;
}

const READERS = 4;

/** Opens the API as `strata serve` does, with the recorded chain, or another source, up to `toHeight`, from its first block or another. */
export async function openRecordedApi(
  toHeight: number,
  clock: Clock = systemClock,
  source?: BlockSource,
  fromHeight?: number,
  parameters?: IndexRun['parameters'],
): Promise<RecordedApi> {
  const folder = await temporaryFolder();
  const stores = await openTestStores(folder.path);
  const run = parameters === undefined ? {} : { parameters };
  await indexInto(stores, {
    toHeight,
    ...(source === undefined ? {} : { source }),
    ...fromIf(fromHeight),
    ...run,
  });
  const api = await serveStores(stores, clock, run);
  return {
    ...api,
    close: async () => {
      await api.close();
      await folder.remove();
    },
  };
}

/** The API over stores that hold an indexed chain; `run` is what later blocks are indexed with. Closes the stores too. */
export async function serveStores(
  stores: StoreFactory,
  clock: Clock = systemClock,
  run: Pick<IndexRun, 'parameters'> = {},
): Promise<RecordedApi> {
  const reported: unknown[] = [];
  const reportError = (error: unknown): void => {
    reported.push(error);
  };
  const stateStore = await stores.open('state');
  const facts = await readFacts(stateStore);
  const chainId = facts.get('chain_id') ?? '';
  const state = await openChainState({ store: stateStore, clock: systemClock, pollMs: 60_000, reportError });
  const api = createApi({
    readers: await Promise.all(Array.from({ length: READERS }, (_, i) => stores.open(`reader ${i}`))),
    state,
    chain: readIdentity(facts, chainId, facts.get('hrp') ?? '', facts.get('namespace') ?? ''),
    derivedTypes: derivedTypes(facts.get('namespace') ?? ''),
    baseModules: baseModulesOf(),
    cursorKey: TEST_CURSOR_KEY,
    openapi: await readFile(new URL('../../../openapi.yaml', import.meta.url)),
    routes: MODULE_ROUTES,
    candidates: MODULES.flatMap(({ candidates = [] }) => candidates),
    clock,
    reportError,
  });
  const ask = async (target: string, method = 'GET'): Promise<Answer> =>
    checkAnswer(target, await api.handle(method, target));
  return {
    api,
    stores,
    reported,
    ask,
    async expectError(target, status, method = 'GET') {
      const answer = await ask(target, method);
      expect({ target, status: answer.status }).toEqual({ target, status });
      expect(Object.keys(answer.json as object)).toEqual(['error', 'code']);
      return (answer.json as ErrorBody).error;
    },
    get: async <T>(target: string) => {
      const answer = await ask(target);
      expect(answer.status, `${target} ${JSON.stringify(answer.json).slice(0, 300)}`).toBe(200);
      return answer.json as T;
    },
    indexTo: async (height, pace, more) => {
      const onCommit = () => state.notify('changed');
      if (pace === undefined) {
        await indexInto(stores, {
          ...run,
          toHeight: height,
          onCommit,
          ...(more === undefined ? {} : { source: more }),
        });
      } else {
        const source = paced(await recordedSource(), pace.letIn);
        const { blocks } = pace;
        await indexInto(stores, {
          ...run,
          toHeight: height,
          onCommit,
          source,
          commitBlocks: blocks,
          rangeBlocks: blocks,
        });
        await source.close();
      }
      state.notify('changed');
      while (state.current().indexedHeight < height) await systemClock.sleep(1);
    },
    close: async () => {
      await state.close();
      await stores.close();
    },
  };
}

function paced(source: BlockSource, letIn: () => Promise<void>): BlockSource {
  return {
    name: source.name,
    head: (signal) => source.head(signal),
    fetch: async (fromHeight, toHeight, signal) => {
      await letIn();
      return source.fetch(fromHeight, toHeight, signal);
    },
    reportBad: (range, reason) => source.reportBad(range, reason),
    abciQuery: (path, data, height, signal) => source.abciQuery(path, data, height, signal),
    waitForHeightAbove: (height, timeoutMs, signal) => source.waitForHeightAbove(height, timeoutMs, signal),
    close: () => source.close(),
  };
}

function fromIf(fromHeight: number | undefined): { readonly fromHeight?: number } {
  return fromHeight === undefined ? {} : { fromHeight };
}

/** Runs `work` for every item, a few at a time, so that all reader sessions are busy. */
export async function forEachAtOnce<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
  atOnce = READERS,
): Promise<void> {
  const queue = items.entries();
  const drain = async (): Promise<void> => {
    for (const [index, item] of queue) await work(item, index);
  };
  await Promise.all(Array.from({ length: atOnce }, drain));
}
