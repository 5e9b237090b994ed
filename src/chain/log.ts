/** Where the chain's side reports to; a pino logger fits. */
export interface ChainLog {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
}

export const silentLog: ChainLog = { info: () => {}, warn: () => {} };
