import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { toErrorRecord } from '../src/core/errors.ts';
import { loadModules } from '../src/modules/load.ts';
import type { DeriveOptions } from '../src/pipeline/derive-options.ts';
import type { ModulesState } from '../src/pipeline/derive-stage.ts';
import type { CommitReport, FromWriter, ToWriter, WriterSetup } from '../src/pipeline/messages.ts';
import { createStep } from '../src/pipeline/steps.ts';
import { createWriter } from '../src/pipeline/writer.ts';
import { connectStore } from '../src/store/remote.ts';

/** The writer thread's entry. Its store is a proxy: main runs the SQL on the writer's own session. */

const { setup, storePort } = workerData as { setup: WriterSetup; storePort: MessagePort };
if (parentPort === null) throw new Error('workers/writer.ts runs as a thread only');
const port = parentPort;

const say = (message: FromWriter): void => port.postMessage(message);
const fail = (error: unknown): void => say({ kind: 'failed', error: toErrorRecord(error) });

const store = connectStore(storePort);
let toldModules: ModulesState = 'undecided';
const onCommit = (commit: CommitReport): void => {
  const modules = writer.modules();
  if (modules !== toldModules) say({ kind: 'modules', modules });
  toldModules = modules;
  say({ kind: 'committed', commit });
};
const derive = await deriveOptions();
const writer = createWriter(store, setup, onCommit, fail, createStep(setup.steps), derive, (report) =>
  say({ kind: 'rederiving', report }),
);

async function deriveOptions(): Promise<DeriveOptions | undefined> {
  if (setup.derive === undefined) return undefined;
  const { isForced, modulePaths } = setup.derive;
  const modules = await loadModules(modulePaths);
  const derivations = modules.flatMap(({ derivation }) => derivation ?? []);
  return { derivations, parameters: setup.derive, isForced };
}

port.on('message', (message: ToWriter) => {
  switch (message.kind) {
    case 'range':
      accept(message);
      return;
    case 'flush':
      writer.flush();
      return;
    case 'rederive':
      rederive(message.module);
      return;
    case 'stop-rederiving':
      writer.stopRederiving();
      return;
    case 'finish':
      finish();
  }
});

function accept({ range, chainHeight, flush }: Extract<ToWriter, { kind: 'range' }>): void {
  try {
    writer.accept(range, chainHeight, flush);
  } catch (error) {
    fail(error);
  }
}

function rederive(module: string | undefined): void {
  writer.rederive(module).then(
    (report) => say({ kind: 'rederived', outcome: { report } }),
    (error: unknown) => say({ kind: 'rederived', outcome: { error: toErrorRecord(error) } }),
  );
}

function finish(): void {
  writer
    .finish()
    .then(() => say({ kind: 'finished' }), fail)
    .finally(() => {
      storePort.close();
      port.close();
    });
}

writer.open().then(({ checkpoint, deletedRows, stepBack, rederived }) => {
  // the plain position: a Map of row counts would cross the thread for nothing
  const position =
    checkpoint === undefined
      ? undefined
      : {
          height: checkpoint.height,
          firstHeight: checkpoint.firstHeight,
          blockHash: checkpoint.blockHash,
          blockTimeNs: checkpoint.blockTimeNs,
        };
  toldModules = writer.modules();
  say({ kind: 'opened', opened: { position, deletedRows, stepBack, modules: toldModules, rederived } });
}, fail);
