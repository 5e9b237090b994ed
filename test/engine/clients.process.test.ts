import { EventEmitter, once } from 'node:events';
import { type ClientRequest, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../../src/engine/answer.ts';
import { type EngineOptions, type EngineProcess, openEngine } from '../../src/engine/engine.ts';
import { createPresence } from '../../src/engine/presence.ts';
import { createRunner, type Run } from '../../src/engine/runner.ts';
import { describeStatement } from '../../src/engine/statement.ts';
import { type EngineUnderTest, startEngine } from '../support/engine.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Clients that leave, stop reading or send what nobody can read harm nobody but themselves. */

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

describe('bodies that nobody can unpack', () => {
  let engine: EngineUnderTest;
  beforeAll(async () => {
    engine = await startEngine(join(folder.path, 'bodies'));
  });
  afterAll(() => engine.stop());

  function send(method: string, path: string, headers: Record<string, string | number>): ClientRequest {
    const asked = httpRequest(new URL(path, engine.url), {
      method,
      agent: false,
      headers: { 'X-ClickHouse-User': engine.user, 'X-ClickHouse-Key': engine.password, ...headers },
    });
    asked.on('error', () => undefined);
    return asked;
  }
  const codeOf = async (asked: ClientRequest, body: Uint8Array | string) => {
    asked.end(body);
    const [response] = await once(asked, 'response');
    response.resume();
    await once(response, 'close');
    return [response.statusCode, response.headers['x-clickhouse-exception-code']];
  };

  it('end no process, read or not', async () => {
    const packed = { 'Content-Encoding': 'gzip' };
    const garbage = 'garbage that no unpacker takes';
    const length = { 'Content-Length': garbage.length };
    expect(await codeOf(send('GET', '/?query=SELECT+1', { ...packed, ...length }), garbage)).toEqual([
      200,
      undefined,
    ]);
    expect(
      await codeOf(send('GET', '/?query=INSERT+INTO+t+FORMAT+TSV', { ...packed, ...length }), garbage),
    ).toEqual([500, '164']);
    expect(await codeOf(send('POST', '/', packed), garbage)).toEqual([500, '210']);
    expect(await codeOf(send('POST', '/?query=SELECT', packed), garbage)).toEqual([500, '210']);
    // given up in the middle, with more behind it that is none
    const large = Buffer.concat([gzipSync(Buffer.alloc((16 << 20) + (1 << 20), ' ')), Buffer.from(garbage)]);
    expect(await codeOf(send('POST', '/', packed), large)).toEqual([413, '161']);
    for (let i = 0; i < 5; i++) {
      const leaving = send('POST', '/?query=SELECT+1', { ...packed, 'Content-Length': 1_000 });
      leaving.write(gzipSync('SELECT 1').subarray(0, 12));
      await once(leaving, 'socket');
      await new Promise((resolve) => leaving.write('', resolve));
      leaving.destroy();
    }
    expect(await codeOf(send('GET', '/?query=SELECT+1', {}), '')).toEqual([200, undefined]);
  });
});

describe('a client that leaves', () => {
  it('takes its session with it, since the cancel may come after the next query has begun', async () => {
    const sessions: string[] = [];
    const cancelled: string[] = [];
    const closed: string[] = [];
    let onChunk = () => undefined as undefined;
    const runner = createRunner({
      engine: {
        async open() {
          const name = `session ${sessions.length}`;
          sessions.push(name);
          return {
            name,
            run: async () => ({ bytes: new Uint8Array(), rows: 0 }),
            async *stream() {
              onChunk();
              yield new Uint8Array(1);
            },
            close: () => void closed.push(name),
          };
        },
        cancel: async (name) => void cancelled.push(name),
        close: async () => undefined,
      },
      refusedFunctions: new Set(),
      spoolFolder: folder.path,
      maxSpoolBytes: { owner: 1, reader: 1 },
      deadlineMs: { owner: 60_000, reader: 60_000 },
      limits: { reads: 1, readerReads: 1, writes: 1, waiting: 10 },
      reportError: (error) => {
        throw error;
      },
    });
    const answer: Answer = {
      begun: false,
      write: async () => undefined,
      end: async () => undefined,
      stop: () => undefined,
    };
    const read = (signal: AbortSignal) => {
      const run: Run = {
        role: 'owner',
        database: undefined,
        url: { settings: new Map(), parameters: new Map() },
        signal,
      };
      return runner.read('SELECT 1', describeStatement('SELECT 1'), 'TSV', run, answer);
    };
    const calm = new AbortController();
    await read(calm.signal);
    await read(calm.signal);
    expect(sessions).toEqual(['session 0']);
    const leaving = new AbortController();
    onChunk = () => void leaving.abort() as undefined;
    await read(leaving.signal);
    expect([cancelled, closed]).toEqual([['session 0'], ['session 0']]);
    await read(calm.signal);
    expect(sessions).toEqual(['session 0', 'session 1']);
    await runner.close();
  });

  it('leaves nothing behind that follows it', () => {
    const presence = createPresence();
    const response = () => Object.assign(new EventEmitter(), { writableFinished: false });
    const [leaving, served, held] = [response(), response(), response()];
    const signals = [leaving, served, held].map((one) => presence.follow(one));
    leaving.emit('close');
    served.writableFinished = true;
    served.emit('close');
    expect([presence.size, ...signals.map(({ aborted }) => aborted)]).toEqual([1, true, false, false]);
    presence.abortAll();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false, true]);
  });
});

async function withEngine(
  options: Partial<EngineOptions>,
  use: (engine: EngineProcess) => Promise<void>,
): Promise<void> {
  const engine = await openEngine({
    folder: join(folder.path, 'data'),
    listen: { host: '127.0.0.1', port: 0 },
    passwords: { owner: 'password-of-owner', reader: 'password-of-reader' },
    reportError: () => undefined,
    ...options,
  });
  try {
    await use(engine);
  } finally {
    await engine.close();
  }
}

const asOwner = { 'X-ClickHouse-User': 'strata', 'X-ClickHouse-Key': 'password-of-owner' };
const asReader = { 'X-ClickHouse-User': 'reader', 'X-ClickHouse-Key': 'password-of-reader' };

describe('a client that stops reading', () => {
  it('holds its place until its deadline and no longer, packed or not, from the stream or a file', async () => {
    const limits = { reads: 1, readerReads: 1, writes: 1, waiting: 10 };
    await withEngine({ limits, deadlineMs: { owner: 60_000, reader: 3_000 } }, async ({ url }) => {
      const rows = 'SELECT randomPrintableASCII(1000000) FROM numbers(64) SETTINGS max_block_size = 1';
      for (const [parameters, sql] of [
        ['', `${rows.replace('64', '1000000')} FORMAT TSV`],
        ['enable_http_compression=1', `${rows.replace('64', '1000000')} FORMAT TSV`],
        ['', `${rows} FORMAT JSON`],
      ] as const) {
        const asked = httpRequest(`${url}/?${parameters}`, {
          method: 'POST',
          agent: false,
          headers: { ...asReader, 'Accept-Encoding': 'gzip' },
        });
        asked.end(sql);
        const [response] = await once(asked, 'response');
        expect([sql, response.statusCode]).toEqual([sql, 200]);
        const next = await fetch(url, { method: 'POST', body: 'SELECT 1', headers: asReader });
        expect([sql, await next.text()]).toEqual([sql, '1\n']);
        // cut off, so that nobody takes it for whole
        response.resume();
        await once(response, 'aborted').catch(() => undefined);
        expect([sql, response.complete]).toEqual([sql, false]);
      }
    });
  });
});

describe('a reader', () => {
  it('takes neither memory nor disk beyond its limits, and cannot raise them', async () => {
    const readerLimits = { memoryBytes: 100_000_000, resultBytes: 10_000_000, diskBytes: 5_000_000 };
    await withEngine({ readerLimits, deadlineMs: { owner: 60_000, reader: 30_000 } }, async ({ url }) => {
      const ask = async (body: string, parameters = '') => {
        const told = await fetch(`${url}/?${parameters}`, { method: 'POST', body, headers: asReader });
        return [told.headers.get('x-clickhouse-exception-code'), (await told.text()).slice(0, 100)];
      };
      const codeOf = async (sql: string, parameters?: string) => (await ask(sql, parameters))[0];
      expect(await codeOf('SELECT length(groupArray(number)) FROM numbers(100000000)')).toBe('241');
      // of the result's rows, streamed and not
      const rows = 'SELECT number FROM numbers(2000000)';
      expect(await codeOf(`${rows} FORMAT Parquet`)).toBe('396');
      expect(await codeOf(`${rows} SETTINGS max_block_size = 2000000 FORMAT RowBinary`)).toBe('396');
      // few bytes in the engine's form, many as JSON
      const wide = `SELECT number::UInt8 AS ${'a'.repeat(200)}`;
      expect(await codeOf(`${wide} FROM numbers(1000) FORMAT JSON`)).toBeNull();
      expect(await codeOf(`${wide} FROM numbers(100000) FORMAT JSON`)).toBe('396');
      const disk = "SELECT getSetting('max_temporary_data_on_disk_size_for_query')";
      expect(await ask(disk)).toEqual([null, '5000000\n']);
      for (const name of [
        'max_memory_usage',
        'max_result_bytes',
        'max_temporary_data_on_disk_size_for_query',
      ]) {
        expect([name, await codeOf('SELECT 1', `${name}=0`)]).toEqual([name, '497']);
        expect([name, await codeOf(`SELECT 1 SETTINGS ${name} = 0`)]).toEqual([name, '497']);
      }
    });
  });

  it('is stopped while its result outgrows the file', async () => {
    const readerLimits = { resultBytes: 1e15, diskBytes: 5_000_000 };
    await withEngine({ readerLimits, deadlineMs: { owner: 60_000, reader: 10_000 } }, async ({ url }) => {
      const body = 'SELECT number FROM numbers(100000000000) FORMAT JSON';
      const told = await fetch(url, { method: 'POST', body, headers: asReader });
      expect([told.status, told.headers.get('x-clickhouse-exception-code')]).toEqual([500, '396']);
      await told.text();
    });
  });

  it('may nest its query, which is printed in one line and not indented a hundred times over', async () => {
    await withEngine({}, async ({ url }) => {
      const body = `SELECT length(toString(${'(SELECT '.repeat(30)}${'1,'.repeat(5_000)}1${')'.repeat(30)}))`;
      const told = await fetch(url, { method: 'POST', body, headers: asReader });
      expect(await told.text()).toBe('10003\n');
    });
  });
});

describe('a client that left', () => {
  it('is no failure that anybody has to read of', async () => {
    const told: unknown[] = [];
    const limits = { reads: 1, readerReads: 1, writes: 1, waiting: 0 };
    await withEngine({ limits, reportError: (error) => told.push(error) }, async ({ url }) => {
      const ask = async (body: string, signal?: AbortSignal) => {
        const asked = { method: 'POST', body, headers: asOwner, ...(signal === undefined ? {} : { signal }) };
        const response = await fetch(url, asked);
        await response.text();
        return response.status;
      };
      const leaving = new AbortController();
      const asked = ask('SELECT sum(sipHash64(number)) FROM numbers(100000000000000)', leaving.signal);
      while ((await ask('SELECT 1')) === 200);
      leaving.abort();
      await expect(asked).rejects.toThrow();
      while ((await ask('SELECT 1')) !== 200);
      expect(told).toEqual([]);
    });
  });
});

describe('passwords', () => {
  it('of the owner and the reader are two', async () => {
    const same = { owner: 'one and the same', reader: 'one and the same' };
    await expect(withEngine({ passwords: same }, async () => undefined)).rejects.toMatchObject({
      code: 'config_invalid',
    });
  });
});
