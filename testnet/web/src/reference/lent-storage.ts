/** As much of localStorage as a script may expect: a sandboxed document has none, and asking for it is an error. */
class LentStorage {
  readonly #held = new Map<string, string>();

  get length(): number {
    return this.#held.size;
  }

  key(at: number): string | null {
    return [...this.#held.keys()][at] ?? null;
  }

  getItem(name: string): string | null {
    return this.#held.get(name) ?? null;
  }

  setItem(name: string, value: string): void {
    this.#held.set(name, value);
  }

  removeItem(name: string): void {
    this.#held.delete(name);
  }

  clear(): void {
    this.#held.clear();
  }
}

/** Scalar keeps its choices for as long as the document is open. */
export function lendStorage(): void {
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(globalThis, name, { value: new LentStorage(), configurable: true });
}
