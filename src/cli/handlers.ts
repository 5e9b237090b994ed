import { StrataError } from '../core/errors.ts';
import type { CommandHandlers } from './program.ts';

/** The commands' bodies, each loaded when it runs, so that --help needs no database engine. */
export const handlers: CommandHandlers = {
  index: notBuilt,
  serve: notBuilt,
  start: notBuilt,
  capture: notBuilt,
  replay: notBuilt,
  digest: notBuilt,
  demo: notBuilt,
};

async function notBuilt(): Promise<never> {
  throw new StrataError('internal', 'this command is not built yet');
}
