import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const ENTRY = fileURLToPath(new URL('../../src/strata.cts', import.meta.url));
const MANIFEST = new URL('../../package.json', import.meta.url);

function strata(args: string[], env: Record<string, string> = {}) {
  const result = spawnSync(process.execPath, ['--import', 'tsx', ENTRY, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
  return { exitCode: result.status, stdout: result.stdout, stderr: result.stderr };
}

describe('the strata process', () => {
  it('prints its version', () => {
    const { version } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string };
    expect(strata(['--version'])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('reads its variables, and ends with 2 on a wrong one', () => {
    expect(strata(['serve'], { STRATA_LISTEN: '80' })).toEqual({
      exitCode: 2,
      stdout: '',
      stderr:
        'strata: config_invalid: STRATA_LISTEN must be host:port, such as 127.0.0.1:8080 or [::1]:8080, ' +
        "not '80'. See strata --help.\n",
    });
  });
});
