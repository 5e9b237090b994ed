import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSpoolBatch } from '../../src/pipeline/spool.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'strata-spool-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('a spool batch', () => {
  it('writes the blocks of each table in their order, and counts them', async () => {
    const batch = createSpoolBatch(folder, 7);
    const expected = { txs: '', events: '' };
    // more bytes than one write takes
    for (let at = 0; at < 3_000; at++) {
      const table = at % 3 === 0 ? 'txs' : 'events';
      const text = `${at}${'.'.repeat(at)}`;
      expected[table] += text;
      batch.append({ table, rows: 2, native: Buffer.from(text) });
      if (at % 100 === 0) await new Promise(setImmediate);
    }
    const files = await batch.seal();
    for (const table of ['txs', 'events'] as const) {
      const file = files.get(table);
      expect(file).toMatchObject({
        path: join(folder, `7-${table}.native`),
        rows: table === 'txs' ? 2_000 : 4_000,
        bytes: expected[table].length,
      });
      expect(readFileSync(file?.path ?? '', 'latin1') === expected[table]).toBe(true);
    }
    batch.remove();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports a full disk when it is sealed, and leaves no file', async () => {
    symlinkSync('/dev/full', join(folder, '1-txs.native'));
    const batch = createSpoolBatch(folder, 1);
    for (const table of ['blocks', 'txs']) batch.append({ table, rows: 1, native: Buffer.from('row') });
    await expect(batch.seal()).rejects.toMatchObject({ code: 'disk_full' });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports a folder that cannot be written', async () => {
    const batch = createSpoolBatch(join(folder, 'missing'), 1);
    batch.append({ table: 'txs', rows: 1, native: Buffer.from('row') });
    await expect(batch.seal()).rejects.toMatchObject({ code: 'store_query_failed' });
  });
});
