import type { MessagePort } from 'node:worker_threads';
import { type ErrorRecord, fromErrorRecord, StrataError, toErrorRecord } from 'strata-kit/errors';
import type { QueryOptions, RowBinary, Store } from './store.ts';

/** A Store for a thread without an engine handle: calls cross a MessagePort to the thread that has it. */

type Call =
  | { readonly kind: 'query'; readonly sql: string; readonly options: QueryOptions }
  | { readonly kind: 'command'; readonly sql: string }
  | {
      readonly kind: 'insert';
      readonly table: string;
      readonly columns: readonly string[];
      readonly paths: readonly string[];
    };

interface Request {
  readonly id: number;
  readonly call: Call;
}

type Answer =
  | { readonly id: number; readonly bytes?: Uint8Array }
  | { readonly id: number; readonly error: ErrorRecord };

/** Carries out on `store` what the other end asks for, until the port closes. The store stays its owner's to close. */
export function exposeStore(store: Store, port: MessagePort): void {
  port.on('message', (request: Request) => {
    void carryOut(store, request).then((answer) => {
      const transfers =
        'bytes' in answer && answer.bytes !== undefined ? [answer.bytes.buffer as ArrayBuffer] : [];
      port.postMessage(answer, transfers);
    });
  });
}

async function carryOut(store: Store, { id, call }: Request): Promise<Answer> {
  try {
    switch (call.kind) {
      case 'query':
        // A copy: the engine's own buffer may be part of a pool and is not ours to give away.
        return { id, bytes: new Uint8Array(await store.query(call.sql, call.options)) };
      case 'command':
        await store.command(call.sql);
        return { id };
      case 'insert':
        await store.insertNativeFiles(call.table, call.columns, call.paths);
        return { id };
    }
  } catch (error) {
    return { id, error: toErrorRecord(error) };
  }
}

interface Pending {
  readonly resolve: (bytes: RowBinary) => void;
  readonly reject: (error: StrataError) => void;
}

/**
 * The other end of exposeStore. Closing it closes the port and rejects what is pending with `aborted`; the
 * statement in hand still ends in the engine.
 */
export function connectStore(port: MessagePort, name = 'remote'): Store {
  const pending = new Map<number, Pending>();
  let lastId = 0;
  let closed = false;

  function closedError(): StrataError {
    return new StrataError('aborted', `The connection to the store session ${name} is closed`);
  }

  function call(call: Call): Promise<RowBinary> {
    if (closed) return Promise.reject(closedError());
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      pending.set(id, { resolve, reject });
      port.postMessage({ id, call } satisfies Request);
    });
  }

  function shut(): void {
    closed = true;
    for (const { reject } of pending.values()) reject(closedError());
    pending.clear();
  }

  port.on('message', (answer: Answer) => {
    const waiting = pending.get(answer.id);
    if (waiting === undefined) return;
    pending.delete(answer.id);
    if ('error' in answer) waiting.reject(fromErrorRecord(answer.error));
    else waiting.resolve(answer.bytes ?? new Uint8Array(0));
  });
  port.on('close', shut);

  return {
    name,
    query: (sql, options = {}) => call({ kind: 'query', sql, options }),
    async command(sql) {
      await call({ kind: 'command', sql });
    },
    async insertNativeFiles(table, columns, paths) {
      await call({ kind: 'insert', table, columns, paths });
    },
    async close() {
      if (closed) return;
      shut();
      port.close();
    },
  };
}
