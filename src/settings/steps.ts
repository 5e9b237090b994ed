import { wholeNumber } from 'strata-kit/cli/kinds';
import { type Given, kind, setting } from 'strata-kit/cli/setting';
import { z } from 'zod';
import { type KillPoint, parseKillPoint, type StepWatch } from '../core/steps.ts';

/** Of tests that kill the process at a step. */

const internal = { group: 'Tuning', places: ['variable'], isInternal: true } as const;

export const testSteps = setting('testSteps', wholeNumber(1, 9_999), {
  ...internal,
  text: 'an open descriptor that takes the trace of steps',
});

const killPoint = kind<KillPoint>(
  'a step of src/core/steps.ts',
  '<step>',
  z.string().transform((given, context) => {
    const point = parseKillPoint(given);
    if (point !== undefined) return point;
    context.addIssue({ code: 'custom', message: 'step' });
    return z.NEVER;
  }),
);

export const testKill = setting('testKill', killPoint, {
  ...internal,
  text: 'the step at which the process kills itself',
  warning: (raw) => `STRATA_TEST_KILL is set: this process kills itself at ${raw}`,
});

export const STEPS = [testSteps, testKill] as const;

export function stepsOf({
  testSteps: descriptor,
  testKill: killAt,
}: Given<typeof STEPS>): StepWatch | undefined {
  if (descriptor === undefined && killAt === undefined) return undefined;
  return {
    ...(descriptor === undefined ? {} : { traceDescriptor: descriptor }),
    ...(killAt === undefined ? {} : { killAt }),
  };
}
