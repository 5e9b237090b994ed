import { visible } from './visible.ts';

/** One line at the bottom of a terminal that is drawn over and over, and text above it that it never tears. */
export interface LiveLine {
  /** Characters that fit without wrapping. */
  width(): number;
  /** Shows `text` in place of the line. */
  set(text: string): void;
  /** Takes the line away. */
  clear(): void;
  /** Writes whole lines above the line, to `stream` or to the line's own. */
  write(text: string, stream?: TextStream): void;
}

export interface TextStream {
  write(text: string): unknown;
}

/** A stream of which process.stderr is one. */
export interface TerminalStream extends TextStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

const DEFAULT_COLUMNS = 80;
const ERASE = '\r\x1b[K';

/**
 * The line by hand, as cli-progress either is torn by log lines (SingleBar) or keeps them until its next redraw
 * (MultiBar.log), which loses the last ones before an exit. Undefined where the stream is no terminal.
 */
export function createLiveLine(stream: TerminalStream): LiveLine | undefined {
  if (stream.isTTY !== true) return undefined;
  let shown = '';
  const width = () => (stream.columns ?? DEFAULT_COLUMNS) - 1;
  const draw = () => stream.write(`${ERASE}${shown}`);
  return {
    width,
    set: (text) => {
      shown = visible(text).slice(0, width());
      draw();
    },
    clear: () => {
      if (shown === '') return;
      shown = '';
      draw();
    },
    write: (text, target = stream) => {
      if (shown !== '') stream.write(ERASE);
      target.write(text);
      if (shown !== '') draw();
    },
  };
}
