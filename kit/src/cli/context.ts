import type { LiveLine, TerminalStream, TextStream } from './live-line.ts';
import type { Logger } from './logging.ts';

/** What a command line has around it, and what a command gets of that. */

export type Environment = Readonly<Record<string, string | undefined>>;

/** A stream of which process.stdin is one. */
export type InputStream = AsyncIterable<Uint8Array | string> & { readonly isTTY?: boolean };

/** What a package adds by declaration merging: what its tests put in place of threads, say. */
// biome-ignore lint/suspicious/noEmptyInterface: packages add to it
export interface CommandExtras {}

export interface Surroundings {
  /** Relative paths begin there. */
  readonly cwd: string;
  readonly cores: number;
}

export interface ProgramIo extends Partial<Surroundings> {
  /** What a command asks for by itself; without it there is nothing to read. */
  readonly stdin?: InputStream;
  /** Results only. */
  readonly stdout: TextStream & Pick<TerminalStream, 'isTTY' | 'columns'>;
  readonly stderr: TerminalStream;
  readonly env: Environment;
  /** Aborts when the command is to end. */
  readonly signal?: AbortSignal;
  readonly version?: string;
  readonly extras?: CommandExtras;
  /** Another command has started this process, and waits for its message (process.ts). */
  readonly isChild?: boolean;
}

/** What a command works with besides its options. */
export interface CommandContext extends CommandExtras {
  readonly log: Logger;
  /** Where there is a terminal; for createProgress. */
  readonly line: LiveLine | undefined;
  /** One line of result to stdout. */
  readonly print: (line: string) => void;
  /** Text of a result to stdout, as it is. */
  readonly write: (text: string) => void;
  /** Characters of a line of stdout's terminal; undefined where it is none. */
  readonly columns: number | undefined;
  /** All of stdin as text. Errors: config_invalid where somebody would have to type it, or for more than `maxBytes`. */
  readonly readInput: (maxBytes: number) => Promise<string>;
  readonly signal: AbortSignal;
  /** The command has done its work, and its answer is no: exit code 1 unless given, without a line of its own. */
  readonly fail: (exitCode?: number) => void;
  /** Strata's own. */
  readonly version: string;
  readonly isChild?: boolean;
}
