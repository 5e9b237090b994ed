import type { CommandContext, Surroundings } from './context.ts';
import type { Given, Setting } from './setting.ts';
import type { WordsContext } from './words.ts';

/** One command: its name, what it may be given, and what it does with that. */

/** What holds between two settings. */
export type Rule =
  /** One of the two: that of higher precedence; both in one place are an error. */
  | { readonly kind: 'either'; readonly keys: readonly [string, string] }
  /** The first is not above the second. */
  | { readonly kind: 'ascending'; readonly keys: readonly [string, string] };

export function either(a: Setting, b: Setting): Rule {
  return { kind: 'either', keys: [a.key, b.key] };
}

export function ascending(a: Setting, b: Setting): Rule {
  return { kind: 'ascending', keys: [a.key, b.key] };
}

interface About {
  readonly name: string;
  readonly summary: string;
}

export interface Command extends About {
  readonly kind: 'command';
  /** In the order of its help. */
  readonly settings: readonly Setting[];
  /** What one call is about: no variable or file speaks for it. */
  readonly flags: readonly Setting[];
  /** What follows the command's name without a flag. */
  readonly word: Setting | undefined;
  readonly rules: readonly Rule[];
  readonly examples: readonly string[];
  /** Errors: config_invalid for values that do not go together. */
  options(given: Readonly<Record<string, unknown>>, surroundings: Surroundings): unknown;
  run(options: unknown, context: CommandContext): Promise<void>;
}

/** A command with words and subcommands of its own: what it is about is said on the command line alone. */
export interface WordsCommand extends About {
  readonly kind: 'words';
  run(words: readonly string[], context: WordsContext): Promise<void>;
}

/** A command that is read when somebody asks for it, of a package that may not be installed. */
export interface Stub extends About {
  readonly kind: 'stub';
  readonly packageName: string;
  load(): Promise<Command | WordsCommand>;
}

export type Listed = Command | WordsCommand | Stub;

interface Facts<S extends readonly Setting[], F extends readonly Setting[], W extends Setting> extends About {
  readonly settings: S;
  readonly flags?: F;
  readonly word?: W;
  readonly rules?: readonly Rule[];
  readonly examples: readonly string[];
}

type AllOf<S extends readonly Setting[], F extends readonly Setting[], W extends Setting> = Given<S> &
  Given<F> &
  Given<readonly [W]>;

/** What `run` takes is inferred: the values of the settings, or what `options` makes of them. */
export function command<
  const S extends readonly Setting[],
  O,
  const F extends readonly Setting[] = [],
  const W extends Setting = never,
>(
  facts: Facts<S, F, W> & {
    readonly options: (given: AllOf<S, F, W>, surroundings: Surroundings) => O;
    readonly run: (options: O, context: CommandContext) => Promise<void>;
  },
): Command;
export function command<
  const S extends readonly Setting[],
  const F extends readonly Setting[] = [],
  const W extends Setting = never,
>(
  facts: Facts<S, F, W> & {
    readonly run: (options: AllOf<S, F, W>, context: CommandContext) => Promise<void>;
  },
): Command;
export function command(
  facts: Omit<Command, 'kind' | 'flags' | 'word' | 'rules' | 'options'> &
    Partial<Pick<Command, 'flags' | 'word' | 'rules' | 'options'>>,
): Command {
  return { kind: 'command', flags: [], word: undefined, rules: [], options: (given) => given, ...facts };
}

export function stub(facts: Omit<Stub, 'kind'>): Stub {
  return { kind: 'stub', ...facts };
}

export function wordsCommand(facts: Omit<WordsCommand, 'kind'>): WordsCommand {
  return { kind: 'words', ...facts };
}
