import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { workerEntry } from '../../src/pipeline/worker-url.ts';

it('is no ES module where piscina requires it: a stop while Node links one ends the process', () => {
  const entry = JSON.stringify(fileURLToPath(workerEntry('decode')));
  const script = `const { decode } = require(${entry}); decode.catch(() => console.log('loading'))`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-experimental-require-module', '--eval', script],
    { encoding: 'utf8' },
  );
  expect([stdout, stderr]).toEqual(['loading\n', '']);
});
