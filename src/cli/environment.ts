import type { Environment } from 'strata-kit/cli/context';
import { variableName } from 'strata-kit/cli/setting';
import { type ApiProcess, apiProcess } from '../settings/serving.ts';
import { STOP_VARIABLE } from '../settings/stopping.ts';

/** The process's variables. The only read of them; everything else takes them as a parameter. */
export function processEnvironment(): Environment {
  return process.env;
}

/**
 * The variables for a process whose settings are all flags: those of Strata are for this one, but for the time to stop,
 * which both have.
 */
export function foreignEnvironment(): Record<string, string | undefined> {
  const isForeign = (name: string) => !name.startsWith('STRATA_') || name === STOP_VARIABLE;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => isForeign(name)));
}

/** The variables for a process of `serve --processes`: this process's own, and which one it is. */
export function apiProcessEnvironment({ index, port }: ApiProcess): Record<string, string | undefined> {
  return { ...process.env, [variableName(apiProcess.key)]: `${index}:${port}` };
}
