import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { closeServer, createHttpServer, listenAt } from 'strata-kit/http/listener';
import type { ListenAddress } from 'strata-kit/listen-address';
import { answerRawErrors, DATA_HEADERS } from 'strata-kit/raw-errors';
import { commonHeaders, createAnswer } from './answer.ts';
import { openBody } from './body.ts';
import type { Role } from './chdb.ts';
import { authenticate, headerText, type Passwords } from './credentials.ts';
import { type EngineFailure, failure, failureText, statusOf, toFailure } from './failure.ts';
import { DEFAULT_FORMAT } from './formats.ts';
import type { Guesses } from './guesses.ts';
import { isKeyword, tokens } from './lexer.ts';
import { createPresence, type Presence } from './presence.ts';
import type { Run, Runner } from './runner.ts';
import { readUrlSettings } from './settings.ts';
import { describeStatement, splitInsert } from './statement.ts';

/** ClickHouse's HTTP interface over a runner. */

export interface HttpOptions {
  readonly runner: Runner;
  readonly passwords: Passwords;
  readonly guesses: Guesses;
  readonly version: string;
  readonly timezone: string;
  readonly maxInsertBytes?: number;
  readonly reportError: (error: unknown) => void;
}

export interface HttpServer {
  readonly url: string;
  /** Takes no more requests, lets those in hand end for a moment, and stops the rest. */
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 1_024;
const MAX_HEADER_BYTES = 1 << 20;
/** To the end of a request's head, of a connection that has sent nothing too. */
const HEAD_MS = 10_000;
const LATE_CHECK_MS = 2_000;
const KEEP_ALIVE_MS = 30_000;
const CLOSE_GRACE_MS = 2_000;
const MAX_QUERY_ID_CHARS = 200;

/** Errors: config_invalid when the address cannot be listened on. */
export async function listenHttp(options: HttpOptions, listen: ListenAddress): Promise<HttpServer> {
  const presence = createPresence();
  const server = createHttpServer({
    maxConnections: MAX_CONNECTIONS,
    maxHeaderBytes: MAX_HEADER_BYTES,
    headersMs: HEAD_MS,
    keepAliveMs: KEEP_ALIVE_MS,
    checkMs: LATE_CHECK_MS,
  });
  server.on('request', (request, response) => {
    // a handler answers its own failures; what is left is a bug
    handle(request, response, options, presence).catch((error: unknown) => {
      options.reportError(error);
      response.destroy();
    });
  });
  server.on(
    'clientError',
    answerRawErrors({
      headers: DATA_HEADERS,
      contentType: 'text/plain; charset=UTF-8',
      body: (text) => `${text}\n`,
    }),
  );
  const { url } = await listenAt(server, listen, { code: 'config_invalid' });
  return { url, close: () => closeServer(server, CLOSE_GRACE_MS, () => presence.abortAll()) };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: HttpOptions,
  presence: Presence,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://engine');
  const query = url.searchParams;
  const queryId =
    query
      .get('query_id')
      ?.replace(/[^\x21-\x7e]/g, '')
      .slice(0, MAX_QUERY_ID_CHARS) || randomUUID();
  try {
    const plain = plainAnswer(request, url);
    if (plain !== undefined) return sendPlain(response, plain.status, plain.text);
    await execute(request, response, query, queryId, options, presence);
  } catch (error) {
    const known = toFailure(error);
    // a client that left is nobody's failure
    const hasLeft =
      response.destroyed && (known.type === 'QUERY_WAS_CANCELLED' || known.type === 'NETWORK_ERROR');
    if (statusOf(known) === 500 && !hasLeft) options.reportError(error);
    sendFailure(request, response, known, queryId, options);
  }
}

function plainAnswer(
  request: IncomingMessage,
  { pathname, searchParams }: URL,
): { status: number; text: string } | undefined {
  const isGet = request.method === 'GET' || request.method === 'HEAD';
  if (pathname === '/ping' || pathname === '/replicas_status') return { status: 200, text: 'Ok.\n' };
  if (pathname !== '/' && pathname !== '/query') {
    return { status: 404, text: `There is no handle ${pathname}\n\nUse / or /ping for health checks.\n` };
  }
  if (isGet && !searchParams.has('query')) return { status: 200, text: 'Ok.\n' };
  return isGet || request.method === 'POST'
    ? undefined
    : { status: 501, text: `There is no handle ${request.method}\n` };
}

function sendPlain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    ...DATA_HEADERS,
    'Content-Type': 'text/html; charset=UTF-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

async function execute(
  request: IncomingMessage,
  response: ServerResponse,
  query: URLSearchParams,
  queryId: string,
  options: HttpOptions,
  presence: Presence,
): Promise<void> {
  const role = await authenticate(request, query, options.passwords, options.guesses);
  const database = query.get('database') ?? headerText(request, 'x-clickhouse-database');
  const run: Run = {
    role,
    database: database === undefined || database === '' ? undefined : database,
    url: readUrlSettings(query, role === 'reader'),
    signal: presence.follow(response),
  };
  const inUrl = query.get('query') ?? '';
  checkNoInsert(role, inUrl);
  const insertInUrl = inUrl === '' ? undefined : splitInsert(inUrl);
  // data that begins in the URL is not packed, so that the body behind it cannot be
  const isData = insertInUrl !== undefined && insertInUrl.dataAt >= inUrl.length;
  const body = openBody(request, isData, options.maxInsertBytes);
  // bytes as characters, so that an offset into the text is one into the body
  const head = inUrl === '' ? (await body.head()).toString('latin1') : inUrl;
  const answerIn = (format: string) =>
    createAnswer(request, response, query, { queryId, format, timezone: options.timezone });

  checkNoInsert(role, head);
  const insert = insertInUrl ?? splitInsert(head);
  if (insert !== undefined) {
    if (request.method !== 'POST') throw readonlyGet();
    const data =
      inUrl === ''
        ? { body, from: insert.dataAt, prefix: Buffer.alloc(0) }
        : { body, from: 0, prefix: Buffer.from(inUrl.slice(insert.dataAt), 'utf8') };
    const utf8 =
      inUrl === '' ? (text: string) => Buffer.from(text, 'latin1').toString('utf8') : (text: string) => text;
    const answer = answerIn(query.get('default_format') ?? DEFAULT_FORMAT);
    const named = { ...insert, target: utf8(insert.target), settings: utf8(insert.settings) };
    await options.runner.insert(named, data, run, answer);
    return;
  }

  const text =
    `${inUrl}${inUrl === '' ? '' : '\n'}${request.method === 'POST' ? await body.text() : ''}`.trim();
  const sql = await options.runner.prepare(text, run);
  const statement = describeStatement(sql);
  if (statement.verb === '') throw failure('SYNTAX_ERROR', 'Syntax error: Empty query');
  if (statement.hasSecond) throw failure('SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
  const format =
    statement.format ??
    headerText(request, 'x-clickhouse-format') ??
    query.get('default_format') ??
    DEFAULT_FORMAT;
  const answer = answerIn(format);
  if (statement.isRead) await options.runner.read(sql, statement, format, run, answer);
  else if (request.method !== 'POST') throw readonlyGet();
  else await options.runner.command(sql, statement, format, run, answer);
}

/** By the first word alone, so that no more of a reader's text is walked than has to be. */
function checkNoInsert(role: Role, sql: string): void {
  if (role !== 'reader') return;
  const [first] = tokens(sql);
  if (isKeyword(first, 'INSERT')) {
    throw failure('ACCESS_DENIED', 'The read-only user may not use INSERT statements.');
  }
}

function readonlyGet(): EngineFailure {
  return failure(
    'READONLY',
    'Cannot execute query in readonly mode. For queries over HTTP, method GET implies readonly. You should use method POST for modifying queries.',
  );
}

function sendFailure(
  request: IncomingMessage,
  response: ServerResponse,
  error: EngineFailure,
  queryId: string,
  options: HttpOptions,
): void {
  const text = failureText(error, options.version);
  if (response.destroyed) return;
  if (response.headersSent) {
    // the answer has begun: it is cut off, so that nobody takes it for whole
    response.destroy();
    return;
  }
  const status = statusOf(error);
  // what is left of a body that nobody reads would be taken for the next request
  const keepsAlive = request.complete;
  response.writeHead(status, {
    ...commonHeaders(queryId, options.timezone),
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Length': Buffer.byteLength(text),
    'X-ClickHouse-Exception-Code': String(error.code),
    ...(status === 401 || error.code === 516
      ? { 'WWW-Authenticate': 'Basic realm="ClickHouse server HTTP API"' }
      : {}),
    ...(keepsAlive ? {} : { Connection: 'close' }),
  });
  response.end(text);
  if (!keepsAlive) request.resume();
}
