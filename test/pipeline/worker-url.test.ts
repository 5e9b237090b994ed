import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { simulationEntry } from 'strata-devnet/simulation/worker-entry';
import { expect, it } from 'vitest';
import { workerEntry } from '../../src/core/worker-url.ts';

it.each([
  ['decode', workerEntry('decode')],
  ['simulate', simulationEntry()],
])(
  'is no ES module where piscina requires it: a stop while Node links one ends the process: %s',
  (name, url) => {
    const entry = JSON.stringify(fileURLToPath(url));
    const script = `const { ${name}: load } = require(${entry}); load.catch(() => console.log('loading'))`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--no-experimental-require-module', '--eval', script],
      { encoding: 'utf8' },
    );
    expect([stdout, stderr]).toEqual(['loading\n', '']);
  },
);
