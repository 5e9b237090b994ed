import { type ChildProcess, fork } from 'node:child_process';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { RowReader } from '../../src/core/rowbinary.ts';
import { openEmbedded } from '../../src/store/embedded.ts';
import { openTestStore, type TestStore } from '../support/embedded-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const CHILD = join(import.meta.dirname, '../support/open-embedded.mjs');

/** Opens a store in a process of its own and resolves with its first message. */
function openInChild(folder: string): {
  readonly child: ChildProcess;
  readonly said: Promise<unknown>;
  /** What it has printed to stderr, the engine's own lines included. */
  stderr(): string;
} {
  const child = fork(CHILD, [folder], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return { child, said: new Promise((resolve) => child.once('message', resolve)), stderr: () => text };
}

describe('the embedded store', () => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore();
  });
  afterAll(() => test.close());

  it('stops a query at its time limit, and the limit does not stay', async () => {
    const endless = 'SELECT sum(sipHash64(number)) FROM numbers(1000000000000)';
    await expect(test.store.query(endless, { timeoutSeconds: 1 })).rejects.toMatchObject({
      code: 'store_query_failed',
      message: expect.stringContaining('159 TIMEOUT_EXCEEDED'),
    });
    const limit = new RowReader(
      await test.store.query("SELECT toUInt64(getSetting('max_execution_time'))", { timeoutSeconds: 7 }),
    );
    expect(limit.u64()).toBe(7);
    const next = new RowReader(await test.store.query("SELECT toUInt64(getSetting('max_execution_time'))"));
    expect(next.u64()).toBe(30);
  });

  it('names ClickHouse’s error', async () => {
    await expect(test.store.query('SELECT * FROM nowhere')).rejects.toMatchObject({
      code: 'store_query_failed',
      message: expect.stringContaining('60 UNKNOWN_TABLE'),
    });
  });

  it('takes SQL that ends in a comment or has several SELECTs', async () => {
    const rows = new RowReader(await test.store.query('SELECT 1 UNION ALL SELECT 1 -- both'));
    expect([rows.u8(), rows.u8(), rows.done]).toEqual([1, 1, true]);
  });

  it('runs sessions side by side and each session’s statements in order', async () => {
    const slow = await test.factory.open('slow');
    const order: string[] = [];
    const first = slow.query('SELECT sleep(0.5)').then(() => order.push('slow'));
    const second = slow.query('SELECT 1').then(() => order.push('behind it'));
    const beside = test.store.query('SELECT 1').then(() => order.push('beside'));
    await Promise.all([first, second, beside]);
    expect(order).toEqual(['beside', 'slow', 'behind it']);
    await slow.close();
  });

  it('refuses more waiting queries than it can hold', async () => {
    const busy = await test.factory.open('busy');
    const held = busy.query('SELECT sleep(0.2)');
    const waiting = Array.from({ length: 1_100 }, () =>
      busy.query('SELECT 1').catch((error: unknown) => error),
    );
    const errors = (await Promise.all(waiting)).filter((result) => result instanceof Error);
    expect(errors.length).toBeGreaterThanOrEqual(99);
    expect(errors[0]).toMatchObject({ code: 'store_busy', retryable: true });
    await held;
    await busy.close();
  });

  it('lets the query in hand end when it is closed, and refuses the others', async () => {
    const session = await test.factory.open('closing');
    const inHand = session.query('SELECT sleep(0.3)');
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = session.query('SELECT 1');
    const refused = expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    await session.close();
    await refused;
    expect((await inHand).length).toBe(1);
    await expect(session.query('SELECT 1')).rejects.toMatchObject({ code: 'aborted' });
    await session.close();
  });

  it('tells a second process that the folder is in use, without a line of the engine', async () => {
    const { child, said, stderr } = openInChild(test.folder);
    expect(await said).toMatchObject({
      code: 'store_in_use',
      message: expect.stringContaining(`${test.folder} is in use by another process (pid ${process.pid})`),
    });
    child.kill();
    expect(stderr()).toBe('');
  });

  it('opens a folder whose process was killed, and empties its spool', async () => {
    const folder = await temporaryFolder();
    const { child, said } = openInChild(folder.path);
    expect(await said).toBe('open');
    const orphan = join(folder.path, 'spool', 'txs.native');
    await writeFile(orphan, 'half a block');
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
    const next = openInChild(folder.path);
    expect(await next.said).toBe('open');
    await expect(access(orphan)).rejects.toMatchObject({ code: 'ENOENT' });
    next.child.send('close');
    expect(await new Promise((resolve) => next.child.once('exit', resolve))).toBe(0);
    await folder.remove();
  });

  it('says store_damaged when the engine cannot open a folder that nobody uses', async () => {
    const folder = await temporaryFolder();
    await mkdir(join(folder.path, 'engine', 'status'), { recursive: true });
    const { child, said } = openInChild(folder.path);
    expect(await said).toMatchObject({
      code: 'store_damaged',
      message: expect.stringContaining(folder.path),
    });
    child.kill();
    await folder.remove();
  });

  it('refuses a second folder in one process', async () => {
    const other = await temporaryFolder();
    await expect(openEmbedded({ folder: other.path })).rejects.toMatchObject({
      code: 'store_in_use',
      message: expect.stringContaining('this process'),
    });
    await other.remove();
  });

  it('refuses folders that it cannot use', async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder.path, 'file'), '');
    await expect(openEmbedded({ folder: join(folder.path, 'file') })).rejects.toMatchObject({
      code: 'config_invalid',
    });
    await expect(openEmbedded({ folder: join(folder.path, '{a}') })).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('must not contain'),
    });
    await folder.remove();
  });
});
