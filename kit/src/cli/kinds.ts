import { z } from 'zod';
import { isHostName } from '../allowed-hosts.ts';
import type { ListenAddress } from '../listen-address.ts';
import { type Kind, kind } from './setting.ts';

/** The kinds of values that settings of every package have. */

export function wholeNumber(min: number, max: number, unit = '', argument = '<n>'): Kind<number> {
  return kind(
    `a whole number of ${min} to ${max}${unit === '' ? '' : ` ${unit}`}`,
    argument,
    z
      .string()
      .regex(/^\d{1,16}$/)
      .transform(Number)
      .pipe(z.number().min(min).max(max)),
  );
}

export function decimal(min: number, max: number, what: string, argument = '<n>'): Kind<number> {
  return kind(
    `a number of ${what} from ${min} to ${max}`,
    argument,
    z
      .string()
      .regex(/^\d+(\.\d+)?$/)
      .transform(Number)
      .pipe(z.number().min(min).max(max)),
  );
}

export const height: Kind<number> = kind(
  'a height: a whole number from 1',
  '<height>',
  z
    .string()
    .regex(/^\d{1,16}$/)
    .transform(Number)
    .pipe(z.number().min(1).max(Number.MAX_SAFE_INTEGER)),
);

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** In milliseconds. */
export const interval: Kind<number> = kind(
  'a time such as 30s, 10m or 2h, or 0 for never',
  '<time>',
  z.string().transform((text, context) => {
    const match = /^(\d{1,6})([smh])$/.exec(text);
    const unit = match?.[2] as keyof typeof UNIT_MS | undefined;
    if (text === '0') return 0;
    if (unit !== undefined) return Number(match?.[1]) * UNIT_MS[unit];
    context.addIssue({ code: 'custom', message: 'interval' });
    return z.NEVER;
  }),
);

/** On where its flag is there; a variable and the file say true or false. */
export const onOff: Kind<boolean> = kind(
  'true or false',
  '',
  z.enum(['true', 'false']).transform((text) => text === 'true'),
);

export const trueOrFalse: Kind<boolean> = { ...onOff, argument: '<true|false>' };

export function oneOf<const T extends string>(names: readonly T[]): Kind<T> {
  const allowed = names.length === 2 ? names.join(' or ') : `one of ${names.join(', ')}`;
  return kind(allowed, `<${names.join('|')}>`, z.enum(names));
}

/** Absolute, as every path here. */
export const folder: Kind<string> = path('a folder', '<folder>');
export const file: Kind<string> = path('a file', '<file>');

/** Several, absolute. */
export function paths(allowed: string): Kind<readonly string[]> {
  return kind<readonly string[]>(
    `paths of ${allowed}, separated by commas`,
    '<path,…>',
    z.preprocess(toList, z.array(z.string().min(1)).min(1)),
    { isList: true, resolve: (given, absolute) => given.map(absolute) },
  );
}

export function path(allowed: string, argument: string): Kind<string> {
  return kind(allowed, argument, z.string().min(1), { resolve: (given, absolute) => absolute(given) });
}

export function text(allowed: string, argument: string, pattern = /./s): Kind<string> {
  return kind(allowed, argument, z.string().regex(pattern));
}

export const password: Kind<string> = text(
  'a password of 8 to 200 printable characters',
  '<text>',
  /^[\x21-\x7e]{8,200}$/,
);

/** Texts separated by commas, in lists or both, each once. */
export function toList(raw: unknown): unknown {
  const texts = typeof raw === 'string' ? [raw] : raw;
  if (!Array.isArray(texts) || !texts.every((one) => typeof one === 'string')) return raw;
  return [...new Set(texts.flatMap((one) => one.split(',')).map((one) => one.trim()))];
}

export function listOf(allowed: string, argument: string, item: z.ZodType<string>): Kind<readonly string[]> {
  return kind<readonly string[]>(allowed, argument, z.preprocess(toList, z.array(item).min(1)), {
    isList: true,
  });
}

export const hostNames: Kind<readonly string[]> = listOf(
  'names or addresses of hosts without a port, such as strata.example.com, separated by commas',
  '<name,…>',
  z.string().refine(isHostName),
);

/** The host of [::1]:80 is ::1. */
const listenSchema = z.string().transform((given, context): ListenAddress => {
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/]+)):(\d{1,5})$/.exec(given);
  const port = Number(match?.[3]);
  if (match !== null && port <= 65_535) return { host: match[1] ?? match[2] ?? '', port };
  context.addIssue({ code: 'custom', message: 'host:port' });
  return z.NEVER;
});

export function listenAddress(example: string): Kind<ListenAddress> {
  return kind(`host:port, such as ${example}`, '<host:port>', listenSchema);
}

/** A port alone listens on 127.0.0.1. */
export const privateAddress: Kind<ListenAddress> = kind(
  'a port of 127.0.0.1, or host:port',
  '<port>',
  z
    .string()
    .transform((given) => (/^\d{1,5}$/.test(given) ? `127.0.0.1:${given}` : given))
    .pipe(listenSchema),
);

export const httpUrl = z
  .string()
  .refine((given) => URL.canParse(given) && /^https?:$/.test(new URL(given).protocol));

/** Broken percent escapes in user or password could not be sent as credentials. */
export const credentialUrl = httpUrl.refine((given) => {
  if (!URL.canParse(given)) return false;
  const { username, password: secret } = new URL(given);
  return percentDecode(username) !== undefined && percentDecode(secret) !== undefined;
});

export function percentDecode(given: string | undefined): string | undefined {
  try {
    return decodeURIComponent(given ?? '');
  } catch {
    // Broken escapes: the caller refuses the URL.
    return undefined;
  }
}
