import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Transform } from 'node:stream';
import { constants, createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import { contentTypeOf } from './formats.ts';

/** An answer that begins with its first full piece, so that what fails before still has a status of its own. */
export interface Answer {
  /** Waits while the client is slower than the engine. */
  write(bytes: Uint8Array): Promise<void>;
  end(summary: Readonly<Record<string, number>>): Promise<void>;
  /** A write that waits, and every later one, fails with the reason. */
  stop(reason: Error): void;
  readonly begun: boolean;
}

/** Held back until it is sure to be more than one piece; short answers carry their length and summary. */
const HELD_BYTES = 1 << 20;
const COMPRESSED_FROM_BYTES = 1_024;

export interface AnswerHead {
  readonly queryId: string;
  readonly format: string;
  readonly timezone: string;
}

export function createAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
  head: AnswerHead,
): Answer {
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  let begun = false;
  let sink: ServerResponse | Transform = response;
  const stopped = new AbortController();

  function writeHead(length: number | undefined, summary?: string): void {
    begun = true;
    const encoding =
      query.get('enable_http_compression') === '1' &&
      (length === undefined || length >= COMPRESSED_FROM_BYTES)
        ? chooseEncoding(request.headers['accept-encoding'])
        : undefined;
    response.writeHead(200, {
      ...commonHeaders(head.queryId, head.timezone),
      'Content-Type': contentTypeOf(head.format),
      'X-ClickHouse-Format': head.format,
      ...(summary === undefined ? {} : { 'X-ClickHouse-Summary': summary }),
      ...(encoding === undefined ? {} : { 'Content-Encoding': encoding, Vary: 'Accept-Encoding' }),
      ...(length === undefined || encoding !== undefined ? {} : { 'Content-Length': length }),
    });
    if (encoding === undefined) return;
    const packer = createPacker(encoding);
    packer.on('error', (error) => response.destroy(error));
    response.once('close', () => packer.destroy());
    packer.pipe(response);
    sink = packer;
  }

  async function send(bytes: Uint8Array): Promise<void> {
    if (response.destroyed) return;
    if (!sink.write(bytes)) await drained(sink, response, stopped.signal);
  }

  return {
    get begun() {
      return begun;
    },
    stop(reason) {
      stopped.abort(reason);
    },
    async write(bytes) {
      stopped.signal.throwIfAborted();
      if (begun) return send(bytes);
      held.push(bytes);
      heldBytes += bytes.length;
      if (heldBytes < HELD_BYTES) return;
      writeHead(undefined);
      for (const piece of held.splice(0)) await send(piece);
    },
    async end(summary) {
      stopped.signal.throwIfAborted();
      if (!begun) {
        const texts = Object.fromEntries(
          Object.entries(summary).map(([name, value]) => [name, String(value)]),
        );
        writeHead(heldBytes, JSON.stringify(texts));
        for (const piece of held.splice(0)) await send(piece);
      }
      sink.end();
    },
  };
}

/** Resolves too when the client is gone; leaves no listener behind. Errors: the signal's reason. */
function drained(
  sink: ServerResponse | Transform,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      sink.off('drain', done);
      response.off('close', done);
      signal.removeEventListener('abort', onAbort);
    };
    const done = () => {
      leave();
      resolve();
    };
    const onAbort = () => {
      leave();
      reject(signal.reason);
    };
    sink.on('drain', done);
    response.on('close', done);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
}

export function commonHeaders(queryId: string, timezone: string): Record<string, string> {
  return {
    'X-ClickHouse-Server-Display-Name': 'strata',
    'X-ClickHouse-Query-Id': queryId,
    'X-ClickHouse-Timezone': timezone,
  };
}

function chooseEncoding(accepted: string | undefined): 'gzip' | 'deflate' | 'br' | undefined {
  const names = (accepted ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => !/;\s*q=0(\.0*)?$/.test(item))
    .map((item) => item.split(';')[0]);
  return (['br', 'gzip', 'deflate'] as const).find((name) => names.includes(name));
}

function createPacker(encoding: 'gzip' | 'deflate' | 'br'): Transform {
  if (encoding === 'gzip') return createGzip({ level: 3 });
  if (encoding === 'deflate') return createDeflate({ level: 3 });
  return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 3 } });
}
