import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { toErrorRecord } from '../src/core/errors.ts';
import type { FromWriter, ToWriter, WriterSetup } from '../src/pipeline/messages.ts';
import { createWriter } from '../src/pipeline/writer.ts';
import { connectStore } from '../src/store/remote.ts';

/** The writer thread's entry. Its store is a proxy: main runs the SQL on the writer's own session. */

const { setup, storePort } = workerData as { setup: WriterSetup; storePort: MessagePort };
const port = parentPort;
if (port === null) throw new Error('workers/writer.ts runs as a thread only');

const say = (message: FromWriter): void => port.postMessage(message);
const fail = (error: unknown): void => say({ kind: 'failed', error: toErrorRecord(error) });

const store = connectStore(storePort);
const writer = createWriter(store, setup, (commit) => say({ kind: 'committed', commit }), fail);

port.on('message', (message: ToWriter) => {
  if (message.kind === 'range') {
    try {
      writer.accept(message.range, message.chainHeight, message.flush);
    } catch (error) {
      fail(error);
    }
    return;
  }
  writer
    .finish()
    .then(() => say({ kind: 'finished' }), fail)
    .finally(() => {
      storePort.close();
      port.close();
    });
});

writer.open().then(({ position, repairedRows }) => {
  // the plain position: a Map of row counts would cross the thread for nothing
  const plain =
    position === undefined
      ? undefined
      : {
          height: position.height,
          firstHeight: position.firstHeight,
          blockHash: position.blockHash,
          blockTimeNs: position.blockTimeNs,
        };
  say({ kind: 'opened', position: plain, repairedRows });
}, fail);
