/** Bytes behind a literal and behind what is scanned or printed, so that a word may be read or written there. */
export const PADDING = 8;

/** A text that is compared and written again and again, ready to be handled four bytes at a time. Latin1. */
export class Literal {
  readonly length: number;
  readonly view: DataView;

  constructor(text: string) {
    this.length = text.length;
    const bytes = Buffer.alloc(text.length + PADDING);
    bytes.write(text, 'latin1');
    this.view = new DataView(bytes.buffer);
  }
}

/** Whether the literal stands at `at` of a view that can be read up to its end. It has four bytes at least. */
export function standsAt(literal: Literal, view: DataView, at: number): boolean {
  const theirs = literal.view;
  const last = literal.length - 4;
  for (let i = 0; i < last; i += 4) {
    if (view.getInt32(at + i, true) !== theirs.getInt32(i, true)) return false;
  }
  return view.getInt32(at + last, true) === theirs.getInt32(last, true);
}
