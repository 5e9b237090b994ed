/** Text under construction, as bytes: cheaper than string concatenation where most of it is copied from a source. */
export class TextBuffer {
  bytes: Buffer = Buffer.allocUnsafe(1 << 16);
  length = 0;

  reset(): void {
    this.length = 0;
  }

  /** Latin1. */
  text(text: string): void {
    const length = text.length;
    this.#reserve(length);
    if (length > 24) {
      this.bytes.write(text, this.length, length, 'latin1');
    } else {
      const bytes = this.bytes;
      const at = this.length;
      for (let i = 0; i < length; i++) bytes[at + i] = text.charCodeAt(i);
    }
    this.length += length;
  }

  /** For texts that are written again and again: encoded once. */
  literal(literal: Uint8Array): void {
    this.copy(literal, 0, literal.length);
  }

  byte(byte: number): void {
    this.#reserve(1);
    this.bytes[this.length++] = byte;
  }

  /** A loop beats a native copy for the hundred bytes of an attribute. */
  copy(source: Uint8Array, from: number, to: number): void {
    const count = to - from;
    this.#reserve(count);
    const bytes = this.bytes;
    const at = this.length;
    if (count > 200) bytes.set(source.subarray(from, to), at);
    else for (let i = 0; i < count; i++) bytes[at + i] = source[from + i] as number;
    this.length = at + count;
  }

  /** A non-negative integer. */
  decimal(value: number): void {
    if (value < 10) this.byte(48 + value);
    else this.text(String(value));
  }

  #reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.length + count, this.bytes.length * 2));
    this.bytes.copy(grown, 0, 0, this.length);
    this.bytes = grown;
  }
}
