import type { Environment } from 'strata-kit/cli/context';
import { wholeNumber } from 'strata-kit/cli/kinds';
import { setting, variableName } from 'strata-kit/cli/setting';

/** The process's own, and no command's: for whoever ends it. */
export const stopSeconds = setting('stopSeconds', wholeNumber(5, 3_600, 'seconds', '<s>'), {
  group: 'Process',
  text: 'from a signal to the forced end: below the 10 s after which Docker kills',
  places: ['variable'],
  // a busy machine takes seconds for what takes 0.2 s on a quiet one; 2 s of it are for answers that are being made
  default: '8',
});

export const STOP_VARIABLE = variableName(stopSeconds.key);

/** From the signal to the forced end. A wrong variable counts as not given: the command line refuses it. */
export function stopDeadlineMs(env: Environment): number {
  const reading = stopSeconds.read(env[STOP_VARIABLE]);
  return ('value' in reading ? (reading.value ?? stopSeconds.preset) : stopSeconds.preset) * 1_000;
}
