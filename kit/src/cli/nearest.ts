/** The name that somebody meant who typed this one: at most a third of its letters differ. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const [best] = names
    .map((name) => ({ name, distance: distanceOf(typed.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  return best?.name;
}

/** ` (Did you mean x?)`, or nothing. */
export function meant(typed: string, names: readonly string[]): string {
  const name = nearest(typed, names);
  return name === undefined ? '' : ` (Did you mean ${name}?)`;
}

/** Letters to add, take, change or swap with their neighbour. */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const change = at(i - 1, j - 1) + (isSame ? 0 : 1);
      const swap = isSwap ? at(i - 2, j - 2) + 1 : change;
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, change, swap));
    }
  }
  return at(a.length, b.length);
}
