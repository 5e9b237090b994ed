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
