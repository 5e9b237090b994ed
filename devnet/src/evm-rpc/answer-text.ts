import type { Holding } from 'strata-kit/holding';
import { CODES, EthereumError } from './errors.ts';

/** The JSON text of an answer while it is written, as bytes that count for the server from the beginning. */
export interface AnswerText {
  /** Errors: -32005 where the server holds too many bytes already. */
  write(text: string): void;
  /** In UTF-16 units, which are bytes in all but a few texts. */
  readonly length: number;
  mark(): Mark;
  /** Takes back what was written since. */
  revert(mark: Mark): void;
  /** The whole text. */
  finish(): readonly Uint8Array[];
}

export interface Mark {
  readonly chunks: number;
  readonly pending: string;
  readonly length: number;
}

/** Text is made bytes in such pieces: less memory than many short texts, and no copy of the whole. */
const CHUNK_CHARS = 65_536;

export function createAnswerText(holding: Holding): AnswerText {
  const chunks: Uint8Array[] = [];
  let pending = '';
  let length = 0;

  function flush(): void {
    const chunk = Buffer.from(pending);
    if (!holding.hold(chunk))
      throw new EthereumError(CODES.limit, 'too many large answers wait for their readers');
    chunks.push(chunk);
    pending = '';
  }

  return {
    write(text) {
      pending += text;
      length += text.length;
      if (pending.length >= CHUNK_CHARS) flush();
    },
    get length() {
      return length;
    },
    mark: () => ({ chunks: chunks.length, pending, length }),
    revert(mark) {
      for (const chunk of chunks.splice(mark.chunks)) holding.giveBack(chunk);
      pending = mark.pending;
      length = mark.length;
    },
    finish() {
      if (pending !== '') flush();
      return chunks;
    },
  };
}
