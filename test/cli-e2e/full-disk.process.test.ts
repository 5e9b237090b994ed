import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { digestOf } from '../support/indexing.ts';
import { FIXTURE_FOLDER } from '../support/oracle.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Real file systems that are full or read-only, in a mount namespace of the test's own (unshare, no root needed). */

const SCRIPT = fileURLToPath(new URL('../support/full-disk.sh', import.meta.url));
const ENTRY = fileURLToPath(new URL('../../dist/src/strata.cjs', import.meta.url));

const canMount = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).status === 0;

let expected: readonly string[];
beforeAll(async () => {
  expected = await digestOf({ toHeight: 501 });
});

// a container without user namespaces cannot mount; the codes are tested in test/store/disk.test.ts as well
describe.skipIf(!canMount)('a disk', () => {
  const FULL = /^strata: disk_full: [^\n]+ Make room and start again: it goes on behind the last commit\.$/m;
  it.each([
    ['engine', 'full where the engine writes', FULL, [1, 0]],
    ['spool', 'full where the spool is', FULL, [1, 0]],
    ['facts', 'full before the first block', FULL, [1, 0]],
    ['readonly', 'read-only', /^strata: config_invalid: The data folder [^\n]+ EROFS[^\n]+$/m, [0, 2, 0]],
  ] as const)(
    '(%s) that is %s stops the process with a line, and the next start goes on',
    async (mode, _what, line, exits) => {
      const folder = await temporaryFolder();
      const args = [mode, folder.path, process.execPath, ENTRY, FIXTURE_FOLDER.pathname];
      const { stdout, stderr } = spawnSync('unshare', ['-rm', 'sh', SCRIPT, ...args], { encoding: 'utf8' });
      await folder.remove();
      expect(stderr).toMatch(line);
      const lines = stdout.trimEnd().split('\n');
      expect(lines.filter((text) => text.startsWith('exit'))).toEqual(exits.map((code) => `exit ${code}`));
      const digest = lines.filter((text) => !text.startsWith('exit'));
      expect(digest.slice(0, 1)).toEqual(expected.slice(0, 1));
    },
    120_000,
  );
});
