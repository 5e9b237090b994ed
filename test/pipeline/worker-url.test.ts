import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { workerEntry } from '../../src/core/worker-url.ts';

it.each(['decode', 'simulate'] as const)(
  'is no ES module where piscina requires it: a stop while Node links one ends the process: %s',
  (name) => {
    const entry = JSON.stringify(fileURLToPath(workerEntry(name)));
    const script = `const { ${name}: load } = require(${entry}); load.catch(() => console.log('loading'))`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--no-experimental-require-module', '--eval', script],
      { encoding: 'utf8' },
    );
    expect([stdout, stderr]).toEqual(['loading\n', '']);
  },
);
