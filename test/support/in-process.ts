import { createHash } from 'node:crypto';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { fromErrorRecord, toErrorRecord } from 'strata-kit/errors';
import type { Step } from '../../src/core/steps.ts';
import { createDecoder } from '../../src/decode/decoder.ts';
import type { DecodeContext } from '../../src/decode/range.ts';
import { derivationsOf } from '../../src/modules/load.ts';
import { type DecodePool, ownBuffers } from '../../src/pipeline/decode-pool.ts';
import { runDecodeTask } from '../../src/pipeline/decode-task.ts';
import type { FromWriter, ToWriter, WriterSetup } from '../../src/pipeline/messages.ts';
import { createStep } from '../../src/pipeline/steps.ts';
import type { RunningWriter, Threads, WriterListener } from '../../src/pipeline/threads.ts';
import { serveWriter } from '../../src/pipeline/writer-service.ts';
import { connectStore } from '../../src/store/remote.ts';

/**
 * Decoding and the writer in the thread of the test, over the same messages as between threads. A thread loads and
 * compiles its code each time it starts, a second of CPU for an indexing; here that is done once a process. What only
 * threads can break is proved by the process tests, by test/pipeline/decode-stage and by test/pipeline/writer.
 */
export const IN_PROCESS: Threads = inProcess();

/** The same with a writer that calls `step` instead of what its setup asks for (test/kill/mortal.ts). */
export function inProcess(step?: Step): Threads {
  return {
    createDecodePool,
    startWriter: (setup, storePort, listener) =>
      startWriter(setup, storePort, listener, step ?? createStep(setup.steps)),
  };
}

type Decoder = ReturnType<typeof createDecoder>;
/** Compiling a chain's descriptors takes 0.2 s. */
const decoders = new Map<string, Decoder>();

function decoderFor(context: DecodeContext): Decoder {
  const hash = createHash('sha256');
  hash.update(JSON.stringify({ ...context, descriptorSets: undefined }));
  for (const { appVersion, bytes } of context.descriptorSets) hash.update(`\n${appVersion} `).update(bytes);
  const key = hash.digest('hex');
  const decoder = decoders.get(key) ?? createDecoder(context);
  decoders.set(key, decoder);
  return decoder;
}

function createDecodePool(context: DecodeContext): DecodePool {
  const decoder = decoderFor(context);
  return {
    async decode(range, salvage) {
      // its bytes are gone for the caller, as between threads
      const own = structuredClone(range, { transfer: ownBuffers(range) });
      // a thread answers later than at once
      await new Promise((resolve) => setImmediate(resolve));
      try {
        return runDecodeTask(decoder, salvage === undefined ? { range: own } : { range: own, salvage });
      } catch (error) {
        throw fromErrorRecord(toErrorRecord(error));
      }
    },
    close: async () => undefined,
    retire: async () => undefined,
  };
}

function startWriter(
  setup: WriterSetup,
  storePort: MessagePort,
  { onMessage, onFailure }: WriterListener,
  hook: Step,
): RunningWriter {
  const { port1: main, port2: port } = new MessageChannel();
  main.on('message', (message: FromWriter) => onMessage(message));
  let isOver = false;
  const start = async (): Promise<void> => {
    serveWriter({
      port,
      store: connectStore(storePort),
      // cloned, as it is for a thread
      setup: structuredClone(setup),
      derivations: await derivationsOf(setup.derive?.modulePaths),
      // a thread that was terminated takes no further step
      step: (name, table) => {
        if (isOver) throw new Error('the writer was terminated');
        hook(name, table);
      },
      onFinished: () => storePort.close(),
    });
  };
  start().catch(onFailure);
  return {
    post: (message: ToWriter, buffers = []) => main.postMessage(message, [...buffers]),
    async terminate() {
      isOver = true;
      // what it asks of the store from now on has no answer
      main.close();
      storePort.close();
    },
  };
}
