import { cpSync, renameSync, rmSync } from 'node:fs';
import { parseKillPoint, type Step, stepLabel } from '../../src/core/steps.ts';
import type { Threads } from '../../src/pipeline/threads.ts';
import type { Store, StoreFactory } from '../../src/store/store.ts';
import { inProcess } from '../support/in-process.ts';

/** What a run works with that is to die. */
export interface MortalParts {
  readonly stores: StoreFactory;
  readonly threads: Threads;
}

/**
 * Runs the product in this process until it dies at a step (`commit:insert/txs@2`, as STRATA_TEST_KILL takes it). After
 * the step no statement of the run reaches the store, and none gets its answer. What the run's catch and finally blocks
 * do to the spool is undone: a killed process runs none of them. Resolves when the run has ended.
 *
 * The engine lives on. How it takes a SIGKILL is what test/kill/points.process.test.ts proves.
 *
 * Errors: where the run ends without having come to the step.
 */
export async function dieAt(
  stores: StoreFactory,
  point: string,
  run: (parts: MortalParts) => Promise<unknown>,
): Promise<void> {
  const killPoint = parseKillPoint(point);
  if (killPoint === undefined) throw new Error(`${point} is no step`);
  const spoolAtDeath = `${stores.spoolFolder}-at-death`;
  const life = createLife(point);
  let times = 0;
  let lastStep = 'none';
  const step: Step = (name, table) => {
    life.check();
    lastStep = stepLabel(name, table);
    if (lastStep !== killPoint.label || ++times !== killPoint.time) return;
    cpSync(stores.spoolFolder, spoolAtDeath, { recursive: true });
    life.end();
  };
  const parts = { stores: mortalStores(stores, life), threads: inProcess(step) };
  const outcome = await run(parts).then(
    () => 'well',
    (error: unknown) => error,
  );
  await life.settled();
  if (!life.isOver()) {
    const why = outcome instanceof Error ? outcome.stack : String(outcome);
    throw new Error(`the run did not come to ${point}, its last step was ${lastStep}. It ended: ${why}`);
  }
  rmSync(stores.spoolFolder, { recursive: true });
  renameSync(spoolAtDeath, stores.spoolFolder);
}

interface Life {
  isOver(): boolean;
  /** Errors: once it is over. */
  check(): void;
  /** Errors: always, as nothing comes after. */
  end(): never;
  /** The outcome of a statement. Errors: once it is over, before the statement or after it. */
  within<T>(statement: () => Promise<T>): Promise<T>;
  /** Resolves when what was begun before the end is over in the engine too. */
  settled(): Promise<void>;
}

function createLife(point: string): Life {
  let isOver = false;
  const begun = new Set<Promise<unknown>>();
  const check = (): void => {
    if (isOver) throw new Error(`killed at ${point}`);
  };
  return {
    isOver: () => isOver,
    check,
    end() {
      isOver = true;
      throw new Error(`killed at ${point}`);
    },
    async within(statement) {
      check();
      const running = statement();
      begun.add(running);
      try {
        return await running;
      } finally {
        begun.delete(running);
        check();
      }
    },
    async settled() {
      await Promise.allSettled(begun);
    },
  };
}

function mortalStores(stores: StoreFactory, life: Life): StoreFactory {
  return {
    ...stores,
    open: async (session) => mortalStore(await life.within(() => stores.open(session)), life),
  };
}

function mortalStore(store: Store, life: Life): Store {
  return {
    name: store.name,
    query: (sql, options) => life.within(() => store.query(sql, options)),
    command: (sql) => life.within(() => store.command(sql)),
    insertNativeFiles: (table, columns, paths) =>
      life.within(() => store.insertNativeFiles(table, columns, paths)),
    // the test's own process goes on, and is to hold no session of the dead
    close: () => store.close(),
  };
}
