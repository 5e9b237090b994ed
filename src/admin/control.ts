import { chmod, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { type ErrorRecord, fromErrorRecord, StrataError, toErrorRecord } from 'strata-kit/errors';
import { createHttpServer } from 'strata-kit/http/listener';

/**
 * A socket in a data folder on which the process that has it open does for others what it alone can. Who may write
 * into the folder may ask: the rights of the file are the only key, so there is no port and no password.
 */
export interface ControlServer {
  /** Waits for what is under way. */
  close(): Promise<void>;
}

/** What is asked for by name, with plain JSON in and out. */
export type ControlHandlers = Readonly<Record<string, (argument: unknown) => Promise<unknown>>>;

/** The kernel's limit for a socket's path, its end mark left out. */
const MAX_PATH_BYTES = 107;
const MAX_BODY_BYTES = 65_536;
/** Answers come from Strata itself; a comparison lists thousands of rows. */
const MAX_ANSWER_BYTES = 64_000_000;
const MAX_CONNECTIONS = 16;
const HEADERS_MS = 5_000;
const CLOSE_GRACE_MS = 250;

/**
 * One request is worked on at a time. Undefined where there can be no socket: its path is too long, or the file system
 * has none. Then nobody can ask, which askControl tells whoever does, and everything else goes on.
 */
export async function listenControl(
  path: string,
  handlers: ControlHandlers,
): Promise<ControlServer | undefined> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return undefined;
  // of a process that was killed: this one holds the folder
  await rm(path, { force: true });
  let current: Promise<unknown> | undefined;

  async function carryOut(name: string, text: string): Promise<unknown> {
    const handler = Object.hasOwn(handlers, name) ? handlers[name] : undefined;
    if (handler === undefined) throw new StrataError('not_found', `the process does not know ${name}`);
    if (current !== undefined)
      throw new StrataError('store_busy', 'another backup or comparison is under way');
    current = handler(JSON.parse(text));
    try {
      return await current;
    } finally {
      current = undefined;
    }
  }

  const server = createHttpServer({
    maxConnections: MAX_CONNECTIONS,
    headersMs: HEADERS_MS,
    requestMs: HEADERS_MS,
  });
  server.on('request', (request, response) => {
    const end = (answer: { readonly result: unknown } | { readonly error: ErrorRecord }): void => {
      response.end(JSON.stringify(answer));
    };
    readBody(request, MAX_BODY_BYTES)
      .then((text) => carryOut((request.url ?? '/').slice(1), text))
      .then(
        (result) => end({ result }),
        (error: unknown) => end({ error: toErrorRecord(error) }),
      );
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      // the socket is made within this call, and nobody else's before the mode is set
      const mask = process.umask(0o177);
      server.listen(path, resolve);
      process.umask(mask);
    });
    await chmod(path, 0o600);
  } catch {
    server.close();
    return undefined;
  }
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      await current?.catch(() => undefined);
      // the answer is on its way to the client that waited; other connections have asked for nothing
      const late = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
      server.closeIdleConnections();
      await closed;
      clearTimeout(late);
      await rm(path, { force: true });
    },
  };
}

/**
 * Asks the process behind a socket. Undefined when there is none. Errors: what the other process failed with;
 * store_unreachable when it ended before it answered.
 */
export function askControl(
  path: string,
  name: string,
  argument: unknown,
): Promise<{ readonly result: unknown } | undefined> {
  return new Promise((resolve, reject) => {
    let isConnected = false;
    const request = httpRequest(
      { socketPath: path, path: `/${name}`, method: 'POST', agent: false },
      (response) => {
        readBody(response, MAX_ANSWER_BYTES)
          .then((text) => {
            const answer = JSON.parse(text) as { readonly result: unknown } | { readonly error: ErrorRecord };
            if ('error' in answer) throw fromErrorRecord(answer.error);
            resolve(answer);
          })
          .catch(reject);
      },
    );
    request.on('socket', (socket) => {
      socket.once('connect', () => {
        isConnected = true;
      });
    });
    request.on('error', (cause) => {
      if (!isConnected) return resolve(undefined);
      reject(
        new StrataError(
          'store_unreachable',
          `the process that has the store open did not answer: ${cause.message}`,
          {
            cause,
          },
        ),
      );
    });
    request.end(JSON.stringify(argument));
  });
}

/** Errors: bad_request when it is larger than any request or answer here. */
async function readBody(stream: AsyncIterable<unknown>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let byteLength = 0;
  for await (const chunk of stream) {
    byteLength += (chunk as Buffer).length;
    if (byteLength > maxBytes) throw new StrataError('bad_request', 'the request or its answer is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}
