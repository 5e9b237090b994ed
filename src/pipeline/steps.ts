import { writeSync } from 'node:fs';
import { noStep, type Step, type StepWatch, stepLabel } from '../core/steps.ts';

/**
 * Steps as a test has asked for them: each a line to a descriptor, which outlives the process, and SIGKILL at one of
 * them. Without a wish nothing is done.
 */
export function createStep(watch: StepWatch | undefined): Step {
  if (watch === undefined) return noStep;
  const { traceDescriptor, killAt } = watch;
  let times = 0;
  return (name, table) => {
    const label = stepLabel(name, table);
    if (traceDescriptor !== undefined) writeSync(traceDescriptor, `${label}\n`);
    // a signal to one's own process is delivered before the call returns
    if (label === killAt?.label && ++times === killAt.time) process.kill(process.pid, 'SIGKILL');
  };
}
