import { oneOf } from '../cli/kinds.ts';
import { LOG_FORMATS, LOG_LEVELS } from '../cli/logging.ts';
import { setting } from '../cli/setting.ts';

const group = 'Logging';

export const logFormat = setting('logFormat', oneOf(LOG_FORMATS), {
  group,
  argument: '<format>',
  text: LOG_FORMATS.join(' or '),
  default: 'pretty',
});

export const logLevel = setting('logLevel', oneOf(LOG_LEVELS), {
  group,
  argument: '<level>',
  text: LOG_LEVELS.join(', '),
  default: 'info',
});

export const LOGGING = [logFormat, logLevel] as const;
