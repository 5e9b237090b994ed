import type { z } from 'zod';
import { quoteValue, type Secrecy } from './quote.ts';

/** One thing that a user may say: what it is called, what is allowed, what holds without it, and its line of help. */

/** Where a value may come from. A word is an argument without a flag. */
export type Place = 'flag' | 'variable' | 'file' | 'word';

export const EVERYWHERE: readonly Place[] = ['flag', 'variable', 'file'];
/** Of a flag that belongs to one command: what one call is about. */
export const OWN_FLAG = { group: 'Options', places: ['flag'] } as const;
/** Of what follows a command's name. */
export const OWN_WORD = { group: 'Options', places: ['word'] } as const;

/** A value of a command line, a variable or the YAML file, as it was given. */
export type Raw = unknown;

export type Reading<T> =
  | { readonly value: T }
  /** Completes "--flag …"; `path` names a part of the value. */
  | { readonly problem: string; readonly path?: string };

/** A kind of value: a height, a folder, a list of URLs. */
export interface Kind<T> {
  /** Completes "must be …". */
  readonly allowed: string;
  /** Of help: `<n>`; empty for a switch. */
  readonly argument: string;
  read(raw: Raw, secrecy: Secrecy): Reading<T>;
  /** Of a relative path, with the folder that the command runs in. */
  readonly resolve?: (value: T, absolute: (path: string) => string) => T;
  /** Given several times, its values add up. */
  readonly isList?: boolean;
}

/** What no log line may repeat. */
export interface Secrets {
  readonly urls: readonly string[];
  readonly passwords: readonly string[];
}

interface Facts<T> {
  /** Heading in help. */
  readonly group: string;
  readonly text: string;
  /** Instead of the kind's. */
  readonly argument?: string;
  readonly secrecy?: Secrecy;
  readonly secrets?: (value: NonNullable<T>) => Secrets;
  readonly places?: readonly Place[];
  /** Of tests and of Strata's own processes: in no help and no document. */
  readonly isInternal?: boolean;
  /** A line of the log when it is given. */
  readonly warning?: (raw: string) => string;
}

export interface Setting<K extends string = string, T = unknown> {
  readonly key: K;
  // a method, so that a setting of one type is a setting of any
  read(raw: Raw): Reading<T>;
  readonly kind: Pick<Kind<unknown>, 'allowed' | 'argument' | 'isList'>;
  resolve(value: T, absolute: (path: string) => string): T;
  readonly preset: T;
  /** The preset as help shows it. */
  readonly shown: string | undefined;
  readonly group: string;
  readonly text: string;
  readonly argument: string;
  readonly secrecy: Secrecy;
  secrets(value: T, raw: Raw): Secrets;
  readonly places: readonly Place[];
  readonly isInternal: boolean;
  readonly warning: ((raw: string) => string) | undefined;
  /** What the command lacks without it: "the nodes to record". */
  readonly needed: string | undefined;
}

/** Values by key. */
export type Given<S extends readonly Setting[]> = {
  readonly [One in S[number] as One['key']]: One extends Setting<string, infer T> ? T : never;
};

/** With a default, which is written as a user would give it; help shows it. */
export function setting<const K extends string, T>(
  key: K,
  kind: Kind<T>,
  facts: Facts<T> & { readonly default: string },
): Setting<K, T>;
/** With a value that holds where nothing is given; the text says which. */
export function setting<const K extends string, T>(
  key: K,
  kind: Kind<T>,
  facts: Facts<T> & { readonly preset: T },
): Setting<K, T>;
export function setting<const K extends string, T>(
  key: K,
  kind: Kind<T>,
  facts: Facts<T>,
): Setting<K, T | undefined>;
export function setting<const K extends string, T>(
  key: K,
  kind: Kind<T>,
  facts: Facts<T> & { readonly default?: string; readonly preset?: T },
): Setting<K, T | undefined> {
  const { secrecy = 'none', secrets, places = EVERYWHERE } = facts;
  const read = (raw: Raw) => kind.read(raw, secrecy);
  return {
    key,
    read,
    kind,
    resolve: (value, absolute) =>
      value === undefined || kind.resolve === undefined ? value : kind.resolve(value, absolute),
    preset: facts.default === undefined ? facts.preset : presetOf(key, read(facts.default)),
    shown: facts.default,
    group: facts.group,
    text: facts.text,
    argument: facts.argument ?? kind.argument,
    secrecy,
    secrets: (value, raw) =>
      secrets === undefined || value === undefined || value === null
        ? plainSecrets(secrecy, raw)
        : secrets(value),
    places,
    isInternal: facts.isInternal ?? false,
    warning: facts.warning,
    needed: undefined,
  };
}

/** The same setting with another default or text, as one command has it. */
export function vary<K extends string, T>(
  base: Setting<K, T>,
  facts: { readonly text?: string; readonly default: string },
): Setting<K, Exclude<T, undefined>>;
export function vary<K extends string, T>(
  base: Setting<K, T>,
  facts: { readonly text: string },
): Setting<K, T>;
export function vary<K extends string, T>(
  base: Setting<K, T>,
  facts: { readonly text?: string; readonly default?: string },
): Setting<K, T> {
  const { text = base.text, default: shown } = facts;
  if (shown === undefined) return { ...base, text };
  return { ...base, text, shown, preset: presetOf(base.key, base.read(shown)) };
}

/** The same setting, without which the command cannot run: "capture needs the nodes to record: give --rpc". */
export function need<K extends string, T>(
  base: Setting<K, T>,
  needed: string,
): Setting<K, Exclude<T, undefined>> {
  // the reader refuses the command where there is no value
  return { ...base, needed } as Setting<K, Exclude<T, undefined>>;
}

/** A kind by a zod schema; `allowed` completes "must be …". */
export function kind<T>(
  allowed: string,
  argument: string,
  schema: z.ZodType<T, unknown>,
  more: Pick<Kind<T>, 'resolve' | 'isList'> = {},
): Kind<T> {
  return {
    allowed,
    argument,
    ...more,
    read: (raw, secrecy) => {
      const parsed = schema.safeParse(raw);
      return parsed.success
        ? { value: parsed.data }
        : { problem: `must be ${allowed}, ${quoteValue(raw, secrecy)}` };
    },
  };
}

function presetOf<T>(key: string, reading: Reading<T>): T {
  if ('problem' in reading) throw new Error(`the default of ${key} ${reading.problem}`);
  return reading.value;
}

function plainSecrets(secrecy: Secrecy, raw: Raw): Secrets {
  const texts = [raw].flat().filter((text) => typeof text === 'string');
  return {
    urls: secrecy === 'url' ? texts.flatMap((text) => text.split(',')) : [],
    passwords: secrecy === 'all' ? texts : [],
  };
}

/** Of every variable. */
export const PREFIX = 'STRATA_';

/** memoryMb → --memory-mb */
export function flagName(key: string): string {
  return `--${key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** memoryMb → STRATA_MEMORY_MB */
export function variableName(key: string): string {
  return `${PREFIX}${key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** `--data <folder>` */
export function flagUsage({ key, argument }: Pick<Setting, 'key' | 'argument'>): string {
  return `${flagName(key)} ${argument}`.trimEnd();
}
