import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

/**
 * Ends a test file that never ends. vitest's limits are timers of the thread that runs the tests: where that thread
 * loops, or waits in native code, they never fire. A second thread of the process prints the stack and kills the
 * process, which vitest reports as a failure.
 */

const LIMIT_MS = 12 * 60_000;
/** To stop the main thread and print its stack; a thread in native code does neither. */
const STACK_MS = 5_000;

if (isMainThread) {
  const { expect } = await import('vitest');
  const limitMs = Number(process.env.STRATA_TEST_FILE_LIMIT_MS ?? LIMIT_MS);
  // one thread a process: its files run one after the other
  globalThis.strataOverdue ??= startThread();
  globalThis.strataOverdue.postMessage({ limitMs, testPath: expect.getState().testPath });
} else {
  let timer;
  parentPort.on('message', ({ limitMs, testPath }) => {
    clearTimeout(timer);
    timer = setTimeout(stopFile, limitMs, limitMs, testPath);
  });
}

function startThread() {
  const thread = new Worker(new URL(import.meta.url));
  thread.unref();
  return thread;
}

function stopFile(limitMs, testPath) {
  say(`${testPath} has run for ${limitMs / 1000} s and is stopped`);
  const session = new Session();
  session.connectToMainThread();
  const urls = new Map();
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params }) => {
    const frames = params.callFrames.map(
      ({ functionName, location }) =>
        `    at ${functionName || '(anonymous)'} ${urls.get(location.scriptId)}:${location.lineNumber + 1}`,
    );
    say(`its main thread is at\n${frames.join('\n')}`);
    process.kill(process.pid, 'SIGKILL');
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
  setTimeout(() => {
    say('its main thread runs no JavaScript: it waits for something, or is in native code');
    process.kill(process.pid, 'SIGKILL');
  }, STACK_MS);
}

/** Through no stream: streams of a worker pass through the thread that hangs. */
function say(text) {
  writeSync(2, `\n${text}\n`);
}
