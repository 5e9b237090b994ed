import type { CommandHandlers } from './program.ts';

/** The commands' bodies, each loaded when it runs, so that --help needs no database engine. */
export const handlers: CommandHandlers = {
  index: async (options, context) => (await import('./commands/index.ts')).index(options, context),
  serve: async (options, context) => (await import('./commands/serve.ts')).serve(options, context),
  start: async (options, context) => (await import('./commands/start.ts')).start(options, context),
  capture: async (options, context) => (await import('./commands/capture.ts')).capture(options, context),
  replay: async (options, context) => (await import('./commands/replay.ts')).replay(options, context),
  digest: async (options, context) => (await import('./commands/digest.ts')).digest(options, context),
  doctor: async (options, context) => (await import('./commands/doctor.ts')).doctor(options, context),
  backup: async (options, context) => (await import('./commands/backup.ts')).backup(options, context),
  rewind: async (options, context) => (await import('./commands/rewind.ts')).rewind(options, context),
  repair: async (options, context) => (await import('./commands/repair.ts')).repair(options, context),
  verify: async (options, context) => (await import('./commands/verify.ts')).verify(options, context),
  restore: async (options, context) => (await import('./commands/restore.ts')).restore(options, context),
  reindex: async (options, context) => (await import('./commands/reindex.ts')).reindex(options, context),
  engine: async (options, context) => (await import('./commands/engine.ts')).engine(options, context),
  devnet: async (options, context) => (await import('./commands/devnet.ts')).devnet(options, context),
  corpus: async (options, context) => (await import('./commands/corpus.ts')).corpus(options, context),
  state: async (options, context) => (await import('./commands/state.ts')).state(options, context),
  sql: async (options, context) => (await import('./commands/sql.ts')).sql(options, context),
  app: async (options, context) => (await import('./commands/app.ts')).app(options, context),
  demo: async (options, context) => (await import('./commands/demo.ts')).demo(options, context),
};
