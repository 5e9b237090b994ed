import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { derivationsOf } from '../src/modules/load.ts';
import type { WriterSetup } from '../src/pipeline/messages.ts';
import { createStep } from '../src/pipeline/steps.ts';
import { serveWriter } from '../src/pipeline/writer-service.ts';
import { connectStore } from '../src/store/remote.ts';

/** The writer thread's entry. Its store is a proxy: main runs the SQL on the writer's own session. */

const { setup, storePort } = workerData as { setup: WriterSetup; storePort: MessagePort };
if (parentPort === null) throw new Error('workers/writer.ts runs as a thread only');

serveWriter({
  port: parentPort,
  store: connectStore(storePort),
  setup,
  derivations: await derivationsOf(setup.derive?.modulePaths),
  step: createStep(setup.steps),
  onFinished: () => storePort.close(),
});
