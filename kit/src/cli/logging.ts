import { type Logger, pino, stdTimeFunctions } from 'pino';
import { prettyFactory } from 'pino-pretty';
import { isStrataError } from '../errors.ts';
import { isObject } from '../json.ts';
import { visible, visibleParts } from './visible.ts';

export type { Logger } from 'pino';

export const LOG_FORMATS = ['pretty', 'json'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LoggerOptions {
  readonly format: LogFormat;
  readonly level: LogLevel;
  /** Takes whole lines, in order, and hides what they may not show (createRedactor). */
  readonly write: (text: string) => void;
  readonly colors?: boolean;
}

/**
 * A pino logger whose every line has left this process's hands when the call returns, so that the last words before
 * an exit are not lost. `json` is one object a line with an ISO time; `pretty` is for people. A failure that Strata
 * foresees is its code and its reason: a stack says nothing of a node or a store that is away.
 */
export function createLogger(options: LoggerOptions): Logger {
  const prettify = prettyFactory({
    colorize: options.colors === true,
    translateTime: 'SYS:HH:MM:ss.l',
    // these stand in the message too
    ignore: 'pid,hostname,progress,details',
    singleLine: true,
  });
  // before colours are added, which are escapes too
  const write = (line: string) =>
    options.write(
      options.format === 'json' ? visible(line) : (prettify(visibleParts(JSON.parse(line))) ?? line),
    );
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        logMethod(args, method) {
          const [facts, ...rest] = args as readonly unknown[];
          method.apply(this, [withoutStack(facts), ...rest] as Parameters<typeof method>);
        },
      },
    },
    { write },
  );
}

function withoutStack(facts: unknown): unknown {
  if (!isObject(facts) || !isStrataError(facts.err) || facts.err.code === 'internal') return facts;
  const { err, ...others } = facts;
  return { ...others, code: err.code, reason: err.message };
}
