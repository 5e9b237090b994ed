import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import type { Collection, Reader } from '../state/state.ts';
import type { Texts } from '../state/texts.ts';
import { SimulationStop, type StopReason } from './stop.ts';

/**
 * How a simulation reads the chain's state from another thread. It posts a question and sleeps until the main thread has
 * answered. The main thread spends one short turn of its event loop on each answer, so blocks are made in between.
 */

/** Shared by both threads: how many answers there are, and whether the simulation shall stop. */
const ANSWERS = 0;
const CANCELLED = 1;
const WORDS = 2;

type Question =
  | { readonly kind: 'started' }
  | { readonly kind: 'get'; readonly collection: string; readonly key: string }
  | {
      readonly kind: 'entries';
      readonly collection: string;
      readonly prefix: string;
      readonly after: string | undefined;
    };

type Answer =
  | { readonly kind: 'text'; readonly text: string | undefined }
  | {
      readonly kind: 'entries';
      readonly entries: readonly (readonly [string, string | undefined])[];
      readonly done: boolean;
    }
  | { readonly kind: 'stop'; readonly reason: StopReason };

/** Records of one answer, those that are not there at the height among them. */
const PAGE = 128;

export function sharedFlags(): SharedArrayBuffer {
  return new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT);
}

/** The main thread's side of one simulation. */
export interface Serving {
  /** The simulation ends at its next read or call. */
  cancel(): void;
  close(): void;
}

export interface ReadsOptions {
  /** Undefined once the height is not kept any more. */
  readonly texts: () => Texts | undefined;
  /** Runs when the thread begins. */
  readonly onStart: () => void;
  readonly maxQuestions: number;
}

export function serveReads(
  port: MessagePort,
  shared: SharedArrayBuffer,
  { texts, onStart, maxQuestions }: ReadsOptions,
): Serving {
  const flags = new Int32Array(shared);
  let questions = 0;

  function answer(question: Exclude<Question, { kind: 'started' }>): Answer {
    questions += 1;
    if (questions > maxQuestions) return { kind: 'stop', reason: 'too_many_reads' };
    const at = texts();
    if (at === undefined) return { kind: 'stop', reason: 'forgotten' };
    if (question.kind === 'get') return { kind: 'text', text: at.get(question.collection, question.key) };
    const entries: (readonly [string, string | undefined])[] = [];
    for (const entry of at.entries(question.collection, question.prefix, question.after)) {
      entries.push(entry);
      if (entries.length === PAGE) return { kind: 'entries', entries, done: false };
    }
    return { kind: 'entries', entries, done: true };
  }

  port.on('message', (question: Question) => {
    if (question.kind === 'started') {
      onStart();
      return;
    }
    let said: Answer;
    try {
      said = answer(question);
    } catch {
      // a store that is closed meanwhile: the thread must wake up all the same
      said = { kind: 'stop', reason: 'failed' };
    }
    port.postMessage(said);
    Atomics.add(flags, ANSWERS, 1);
    Atomics.notify(flags, ANSWERS);
  });
  return {
    cancel: () => {
      Atomics.store(flags, CANCELLED, 1);
    },
    close: () => port.close(),
  };
}

/** The simulation's side: a state that is read over the port, each record once. */
export interface RemoteState {
  readonly reader: Reader;
  /** Errors: SimulationStop where the simulation shall end. */
  check(): void;
  /** Why reads failed, which whoever executes may have taken for a defect. */
  stopped(): SimulationStop | undefined;
}

/** `cache` holds the values of the same height that earlier simulations have read. */
export function connectReads(
  port: MessagePort,
  shared: SharedArrayBuffer,
  cache: Map<string, unknown>,
): RemoteState {
  const flags = new Int32Array(shared);
  let stop: SimulationStop | undefined;
  port.postMessage({ kind: 'started' } satisfies Question);

  function end(reason: StopReason): never {
    stop ??= new SimulationStop(reason);
    throw stop;
  }

  function check(): void {
    if (stop !== undefined) throw stop;
    if (Atomics.load(flags, CANCELLED) === 1) end('cancelled');
  }

  function ask(question: Question): Exclude<Answer, { kind: 'stop' }> {
    check();
    const answers = Atomics.load(flags, ANSWERS);
    port.postMessage(question);
    Atomics.wait(flags, ANSWERS, answers);
    const answer = receiveMessageOnPort(port)?.message as Answer | undefined;
    if (answer === undefined) throw new Error('the main thread has not answered');
    return answer.kind === 'stop' ? end(answer.reason) : answer;
  }

  return {
    check,
    stopped: () => stop,
    reader: {
      get<V>(collection: Collection<V>, key: string) {
        const place = `${collection.name}\0${key}`;
        const known = cache.get(place);
        if (known !== undefined || cache.has(place)) return known as V | undefined;
        const answer = ask({ kind: 'get', collection: collection.name, key });
        const text = answer.kind === 'text' ? answer.text : undefined;
        const value = text === undefined ? undefined : collection.decode(text);
        if (cache.size >= MAX_CACHED) cache.clear();
        cache.set(place, value);
        return value;
      },
      *entries<V>(collection: Collection<V>, prefix = '') {
        let after: string | undefined;
        for (;;) {
          const answer = ask({ kind: 'entries', collection: collection.name, prefix, after });
          if (answer.kind !== 'entries') return;
          for (const [key, text] of answer.entries)
            if (text !== undefined) yield [key, collection.decode(text)] as const;
          if (answer.done) return;
          after = answer.entries.at(-1)?.[0];
        }
      },
    },
  };
}

const MAX_CACHED = 50_000;
