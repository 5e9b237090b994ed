import { type Child, startChild } from './child-process.ts';
import { foreignEnvironment } from './environment.ts';

export interface ToldByApp {
  /** http://host:port */
  readonly url: string;
}

/**
 * `strata app` with these arguments, in a process of its own: it takes anybody's requests, and holds keys. The signal ends
 * it. Errors: process_ended when it does not come up, its own lines say why; aborted.
 */
export function startAppProcess(args: readonly string[], signal: AbortSignal): Promise<Child<ToldByApp>> {
  return startChild('the app', ['app', ...args], { env: foreignEnvironment(), signal });
}
