import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createChdbConnection } from 'chdb/connection';

/**
 * A stand-in for a ClickHouse server: its HTTP interface, as far as Strata's client uses it, over an embedded
 * engine. A process has one data folder, so `engineFolder` must be the one that an embedded store of the same
 * process has open, if any. Run it in a main thread.
 */
export interface Gateway {
  readonly url: string;
  /** Statements that arrived, inserts' bodies left out. */
  readonly statements: readonly string[];
  close(): Promise<void>;
}

export interface GatewayOptions {
  readonly engineFolder: string;
  /** Demanded from every request when given. */
  readonly password?: string;
  /** Milliseconds before each answer, for tests of deadlines. */
  readonly delayMs?: () => number;
}

type Connection = ReturnType<typeof createChdbConnection>;

interface Statement {
  readonly sql: string;
  readonly database: string;
  readonly format: string;
}

class HttpError extends Error {
  readonly status: number;
  readonly exceptionCode: number;

  constructor(status: number, exceptionCode: number, message: string) {
    super(message);
    this.status = status;
    this.exceptionCode = exceptionCode;
  }
}

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const spoolFolder = await mkdtemp(join(tmpdir(), 'strata-gateway-'));
  const databases = new Map<string, Promise<Connection>>();
  const statements: string[] = [];
  let spooled = 0;

  /** A session per database: USE holds for a session. */
  function connect(database: string): Promise<Connection> {
    let opening = databases.get(database);
    if (opening === undefined) {
      opening = useDatabase(options.engineFolder, database);
      databases.set(database, opening);
      opening.catch(() => databases.delete(database));
    }
    return opening;
  }

  async function run(statement: Statement): Promise<Buffer> {
    const connection = await connect(statement.database);
    try {
      const result = await connection.chdb.queryAsync(statement.sql, { format: statement.format });
      return Buffer.from(result.bytes());
    } catch (error) {
      throw fromEngine(error);
    }
  }

  /** The body of an insert goes through a file, as the embedded store does it. */
  async function insert(request: IncomingMessage, statement: Statement): Promise<Buffer> {
    const match = /^INSERT INTO (\S+) \(([^)]*)\)(?: SETTINGS ([\s\S]*?))? FORMAT (\w+)\s*$/.exec(
      statement.sql,
    );
    if (match === null) throw new HttpError(400, 62, `Code: 62. DB::Exception: no insert: ${statement.sql}`);
    const [, table, columns, settings, format] = match;
    const path = join(spoolFolder, `${++spooled}`);
    try {
      await pipeline(request, createWriteStream(path));
      const sql = `INSERT INTO ${table} (${columns})${settings === undefined ? '' : ` SETTINGS ${settings}`}
SELECT ${columns} FROM file('${path}', '${format}')`;
      return await run({ ...statement, sql });
    } finally {
      await rm(path, { force: true });
    }
  }

  async function handle(request: IncomingMessage): Promise<Buffer> {
    const url = new URL(request.url ?? '/', 'http://gateway');
    if (url.pathname === '/ping') return Buffer.from('Ok.\n');
    if (url.pathname !== '/') throw new HttpError(404, 0, 'There is no handle');
    checkPassword(request, options.password);
    const inUrl = url.searchParams.get('query') ?? '';
    const statement = {
      database: url.searchParams.get('database') ?? 'default',
      format: url.searchParams.get('default_format') ?? 'TabSeparated',
    };
    const delayMs = options.delayMs?.() ?? 0;
    if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
    if (/^\s*INSERT\b/i.test(inUrl) && /FORMAT \w+\s*$/.test(inUrl)) {
      statements.push(inUrl);
      return insert(request, { ...statement, sql: inUrl });
    }
    const sql = `${inUrl}\n${(await readBody(request)).toString('utf8')}`.trim();
    statements.push(sql);
    return run({ ...statement, sql });
  }

  const server = createServer((request, response) => {
    handle(request).then(
      (body) => answer(response, 200, { 'content-type': 'application/octet-stream' }, body),
      (error: unknown) => {
        request.resume();
        const { status, exceptionCode, message } = fromEngine(error);
        answer(
          response,
          status,
          { 'x-clickhouse-exception-code': String(exceptionCode) },
          Buffer.from(message),
        );
      },
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    statements,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      for (const opening of databases.values()) await (await opening).close();
      await rm(spoolFolder, { recursive: true, force: true });
    },
  };
}

async function useDatabase(engineFolder: string, database: string): Promise<Connection> {
  const connection = createChdbConnection({ path: engineFolder });
  try {
    await connection.chdb.queryAsync(`USE \`${database}\``);
    return connection;
  } catch (error) {
    await connection.close();
    throw fromEngine(error);
  }
}

function checkPassword(request: IncomingMessage, password: string | undefined): void {
  if (password === undefined) return;
  const [, encoded = ''] = /^Basic (.*)$/.exec(request.headers.authorization ?? '') ?? [];
  if (Buffer.from(encoded, 'base64').toString('utf8').split(':')[1] === password) return;
  throw new HttpError(403, 516, 'Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)');
}

function fromEngine(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const code = Number(/Code: (\d+)\./.exec(message)?.[1] ?? 1002);
  return new HttpError(code === 60 || code === 81 ? 404 : 500, code, message);
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function answer(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: Buffer,
): void {
  response.writeHead(status, { ...headers, 'content-length': body.length });
  response.end(body);
}
