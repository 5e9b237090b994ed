/**
 * C0 and C1 controls, DEL, line separators, and marks that change the direction of text: what a terminal takes for a
 * command, or what makes a line look like another.
 */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text from outside for a terminal: control characters become `\u001b` and the like, as JSON writes them. Tabs and line
 * feeds stay, so JSON that was printed over several lines stays the same JSON.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Every text in a value of a log line; a line feed in one would begin a line of its own. */
export function visibleParts(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    const shown = visible(value);
    return key === 'msg' ? shown.replaceAll('\n', '\\n') : shown;
  }
  if (Array.isArray(value)) return value.map((part) => visibleParts(part));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [visible(name), visibleParts(part, name)]),
  );
}
