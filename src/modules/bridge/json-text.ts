/** An object as JSON text; a bigint is an integer of as many digits as it has, which JSON.stringify cannot write. */
export function objectText(fields: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(fields).map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${typeof value === 'bigint' ? String(value) : JSON.stringify(value)}`,
  );
  return `{${entries.join(',')}}`;
}
