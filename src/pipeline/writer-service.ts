import { toErrorRecord } from 'strata-kit/errors';
import type { Step } from '../core/steps.ts';
import type { Derivation } from '../derive/derivation.ts';
import type { Store } from '../store/store.ts';
import { NO_MODULES, tablesOf } from './derive-options.ts';
import type { ModulesState } from './derive-stage.ts';
import type { CommitReport, FromWriter, ToWriter, WriterSetup } from './messages.ts';
import { createWriter, type RederivingWatch } from './writer.ts';

/** The writer's end of a message port. */
export interface WriterServicePort {
  postMessage(message: FromWriter): void;
  on(event: 'message', listener: (message: ToWriter) => void): unknown;
  close(): void;
}

export interface WriterServiceOptions {
  readonly port: WriterServicePort;
  readonly store: Store;
  readonly setup: WriterSetup;
  /** Those of the modules that `setup.derive` names. */
  readonly derivations: readonly Derivation[];
  readonly step: Step;
  /** After the last commit, before the port is closed. */
  readonly onFinished: () => void;
}

/**
 * Opens a writer over a store and obeys the messages of a port: first it answers `opened`, then one message for each
 * commit. Failures are answered as `failed`, with an error record. Runs in the writer thread (workers/writer.ts).
 */
export function serveWriter(options: WriterServiceOptions): void {
  const { port, store, setup, derivations, step, onFinished } = options;
  const derive =
    setup.derive === undefined
      ? { ...NO_MODULES, tables: tablesOf(derivations) }
      : { derivations, parameters: setup.derive, isForced: setup.derive.isForced };
  const say = (message: FromWriter): void => port.postMessage(message);
  const fail = (error: unknown): void => say({ kind: 'failed', error: toErrorRecord(error) });
  let reportedModules: ModulesState = 'undecided';
  const onCommit = (commit: CommitReport): void => {
    const modules = writer.modules();
    if (modules !== reportedModules) say({ kind: 'modules', modules });
    reportedModules = modules;
    say({ kind: 'committed', commit });
  };
  const watch: RederivingWatch = {
    onProgress: (report) => say({ kind: 'rederiving', report }),
    onSwitched: () => say({ kind: 'switched' }),
  };
  const writer = createWriter({ store, setup, onCommit, onFailure: fail, step, derive, watch });

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
        onFinished();
        port.close();
      });
  }

  port.on('message', (message) => {
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

  writer.open().then(({ checkpoint, deletedRows, stepBack, badBlocks, rederived }) => {
    // the plain position: a Map of row counts would cross the thread for nothing
    const position =
      checkpoint === undefined
        ? undefined
        : {
            height: checkpoint.height,
            firstHeight: checkpoint.firstHeight,
            blockHash: checkpoint.blockHash,
            blockTimeNs: checkpoint.blockTimeNs,
            results: checkpoint.results,
          };
    reportedModules = writer.modules();
    const modules = reportedModules;
    say({ kind: 'opened', opened: { position, deletedRows, stepBack, modules, badBlocks, rederived } });
  }, fail);
}
