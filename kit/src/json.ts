/** Values out of JSON.parse, taken for what they may be. */

export type JsonMap = Readonly<Record<string, unknown>>;

/** Arrays are none. */
export function isObject(value: unknown): value is JsonMap {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object, or one without fields where there is none. */
export function objectOf(value: unknown): JsonMap {
  return isObject(value) ? value : {};
}

/** Texts and numbers, which nodes print either way; empty for all else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}
