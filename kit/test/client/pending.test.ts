import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/support/temporary-folder.ts';
import { openPending, type PendingTx } from '../../src/client/pending.ts';

const tx = (address: string, hash: string): PendingTx => ({
  ...{ chainId: 'c', address, hash, bytes: new Uint8Array([1]), sequence: 5n },
  ...{ timeoutHeight: 20n, signedHeight: 8 },
});

it('keeps a later tx of the account when an earlier one is removed twice', async () => {
  const folder = await temporaryFolder();
  const pending = openPending(folder.path);
  pending.add(tx('aeva1a', 'AA'));
  pending.remove(tx('aeva1a', 'AA'));
  pending.add(tx('aeva1a', 'BB'));
  // another terminal, which followed the first one as well
  pending.remove(tx('aeva1a', 'AA'));
  expect(pending.of('aeva1a')?.hash).toBe('BB');
  expect(() => pending.add(tx('aeva1a', 'CC'))).toThrow('another process is sending');
  expect(readdirSync(folder.path)).toEqual(['aeva1a.json']);
  await folder.remove();
});

it('keeps a refused tx beside the open one, which may be added again', async () => {
  const folder = await temporaryFolder();
  const pending = openPending(folder.path);
  const refusal = { codespace: 'sdk', code: 5, log: 'no coins' };
  pending.add(tx('aeva1a', 'AA'));
  pending.setAside(tx('aeva1a', 'AA'), refusal);
  expect(pending.of('aeva1a')).toBeUndefined();
  pending.add(tx('aeva1a', 'BB'));
  // an account whose name begins the same
  pending.add(tx('aeva1ab', 'CC'));
  const aside = { ...tx('aeva1a', 'AA'), bytes: Buffer.from([1]), refusal };
  expect(pending.asideOf('aeva1a')).toEqual([aside]);
  expect(pending.find('AA')).toEqual(aside);
  expect(pending.of('aeva1a')?.hash).toBe('BB');
  pending.remove(tx('aeva1a', 'AA'));
  expect(readdirSync(folder.path).sort()).toEqual(['aeva1a.json', 'aeva1ab.json']);
  await folder.remove();
});

it('finds a tx although the file of another account is broken, and names the broken one otherwise', async () => {
  const folder = await temporaryFolder();
  const pending = openPending(folder.path);
  writeFileSync(join(folder.path, 'aeva1a.json'), '{"chain_id":');
  pending.add(tx('aeva1b', 'BB'));
  expect(pending.find('BB')?.address).toBe('aeva1b');
  expect(() => pending.find('CC')).toThrow('aeva1a.json is no pending tx');
  await folder.remove();
});
