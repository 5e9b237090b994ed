/** Rows as a table of plain text. */

export interface TableColumn {
  readonly name: string;
  /** Numbers stand to the right, and are never cut short. */
  readonly isNumber: boolean;
}

const GAP = '  ';
/** A text column keeps at least as much. */
const LEAST_TEXT = 8;

/**
 * Lines: the names, a rule, the rows. Where they are wider than `width` the widest text columns are cut short, as far as
 * it takes; without a width nothing is.
 */
export function tableLines(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string[] {
  const natural = columns.map(({ name }, at) =>
    Math.max(lengthOf(name), ...chunked(rows.map((row) => lengthOf(row[at] ?? '')))),
  );
  const widths = fitted(columns, natural, width);
  const line = (cells: readonly string[]): string =>
    columns
      .map(({ isNumber }, at) => pad(cut(cells[at] ?? '', widths[at] ?? 0), widths[at] ?? 0, isNumber))
      .join(GAP)
      .trimEnd();
  return [
    line(columns.map(({ name }) => name)),
    widths.map((each) => '-'.repeat(each)).join(GAP),
    ...rows.map(line),
  ];
}

/** What a terminal would take for a command or a line's end is written as an escape. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is replaced
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]/g, (char) => {
    if (char === '\n') return '\\n';
    if (char === '\t') return '\\t';
    return `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
}

function fitted(
  columns: readonly TableColumn[],
  natural: readonly number[],
  width: number | undefined,
): readonly number[] {
  if (width === undefined) return natural;
  const widths = [...natural];
  const gaps = GAP.length * (columns.length - 1);
  let excess = widths.reduce((sum, each) => sum + each, gaps) - width;
  while (excess > 0) {
    let widest = -1;
    for (const [at, each] of widths.entries()) {
      if (columns[at]?.isNumber === true || each <= LEAST_TEXT) continue;
      if (widest < 0 || each > (widths[widest] ?? 0)) widest = at;
    }
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess--;
  }
  return widths;
}

function cut(text: string, width: number): string {
  const chars = [...text];
  return chars.length <= width ? text : `${chars.slice(0, Math.max(0, width - 1)).join('')}…`;
}

function pad(text: string, width: number, toTheRight: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - lengthOf(text)));
  return toTheRight ? blanks + text : text + blanks;
}

function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** The greatest of each thousand: a call takes only so many arguments. */
function* chunked(lengths: readonly number[]): Generator<number> {
  for (let from = 0; from < lengths.length; from += 1_000)
    yield Math.max(...lengths.slice(from, from + 1_000));
}
