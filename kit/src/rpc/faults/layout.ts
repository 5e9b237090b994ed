import type { Dice } from './schedule.ts';

/** The same JSON printed otherwise: blanks, keys in the other order, escapes that need not be. latin1 in and out. */
export function reprint(latin1: string, dice: Dice): string {
  const text = Buffer.from(latin1, 'latin1').toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // no JSON, such as a page of HTML: left as it is
    return latin1;
  }
  const reversed = dice.share('keys') < 0.6;
  const escapeEvery = dice.share('escapes') < 0.75 ? 2 + dice.pick('escape', 5) : 0;
  const isPlain = !reversed && escapeEvery === 0;
  const style: Style = { blank: isPlain || dice.share('blanks') < 0.6 ? '\n  ' : '', reversed, escapeEvery };
  return Buffer.from(print(value, style), 'utf8').toString('latin1');
}

interface Style {
  readonly blank: string;
  readonly reversed: boolean;
  /** Every n-th char of a string is printed as \uXXXX; 0 for none. */
  readonly escapeEvery: number;
}

function print(value: unknown, style: Style): string {
  const { blank } = style;
  if (typeof value === 'string') return printString(value, style);
  if (Array.isArray(value)) {
    return `[${blank}${value.map((item) => print(item, style)).join(`,${blank}`)}${blank}]`;
  }
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (style.reversed) entries.reverse();
  const space = blank === '' ? '' : ' ';
  const members = entries.map(
    ([key, item]) => `${JSON.stringify(key)}${space}:${space}${print(item, style)}`,
  );
  return `{${blank}${members.join(`,${blank}`)}${blank}}`;
}

function printString(value: string, { escapeEvery }: Style): string {
  const plain = JSON.stringify(value);
  // escapes that are there already are kept whole
  if (escapeEvery === 0 || plain.includes('\\')) return plain;
  let printed = '"';
  for (let i = 0; i < value.length; i++) {
    const isEscaped = i % escapeEvery === escapeEvery - 1;
    printed += isEscaped ? `\\u${value.charCodeAt(i).toString(16).padStart(4, '0')}` : value[i];
  }
  return `${printed}"`;
}
