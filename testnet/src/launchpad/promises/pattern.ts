import { skeletonOf } from './skeleton.ts';
import type { Word } from './words.ts';

/**
 * A promise as a row of words: `word`, `(one|other)`, `one?` may be missing, `_3` up to three words of the same sentence,
 * `$name` a group of the list. Of the words in capitals `NUM` is a number, `PCT` one with a percent sign or word, `NX` such
 * as 10x, `CUR` a currency sign, `END` the end of the text.
 */
export interface Pattern {
  readonly source: string;
  readonly elements: readonly Element[];
}

type Element = Alternatives | { readonly kind: 'gap'; readonly words: number };

interface Alternatives {
  readonly kind: 'words';
  readonly skeletons: ReadonlySet<string>;
  /** As the list spells them. */
  readonly words: readonly string[];
  readonly classes: ReadonlySet<WordClass>;
  readonly isOptional: boolean;
}

const CLASSES = ['NUM', 'PCT', 'NX', 'CUR', 'END'] as const;
export type WordClass = (typeof CLASSES)[number];
const isClass = (text: string): text is WordClass => (CLASSES as readonly string[]).includes(text);

export type Groups = Readonly<Record<string, string>>;

/** Errors: Error for a pattern that does not begin with a word, a defect of the list. */
export function parsePattern(source: string, groups: Groups): Pattern {
  const spelled = source.trim().replace(/\$(\w+)/g, (_, name: string) => {
    const group = groups[name];
    if (group === undefined) throw new Error(`the list has no group ${name}: ${source}`);
    return group;
  });
  const elements = spelled.split(/\s+/).map(parseElement);
  const [first] = elements;
  if (first === undefined || first.kind === 'gap' || first.isOptional) {
    throw new Error(`a pattern begins with a word: ${source}`);
  }
  return { source, elements };
}

function parseElement(text: string): Element {
  const gap = /^_(\d)$/.exec(text)?.[1];
  if (gap !== undefined) return { kind: 'gap', words: Number(gap) };
  if (text.startsWith('(') !== /\)\??$/.test(text)) throw new Error(`a group has no spaces: ${text}`);
  const all = text
    .replace(/\?$/, '')
    .replace(/^\(|\)$/g, '')
    .split('|');
  const words = all.filter((word) => !isClass(word));
  return {
    kind: 'words',
    skeletons: new Set(words.map(skeletonOf)),
    words,
    classes: new Set(all.filter(isClass)),
    isOptional: text.endsWith('?'),
  };
}

/** The words that a pattern speaks of. */
export function vocabularyOf({ elements }: Pattern): readonly string[] {
  return elements.flatMap((element) => (element.kind === 'words' ? element.words : []));
}

/** Where a match that begins at `at` ends (exclusive), undefined when there is none. Bounded by the pattern's gaps. */
export function matchAt(pattern: Pattern, words: readonly Word[], at: number): number | undefined {
  return matchFrom(pattern.elements, 0, words, at, at);
}

function matchFrom(
  elements: readonly Element[],
  index: number,
  words: readonly Word[],
  at: number,
  begin: number,
): number | undefined {
  const element = elements[index];
  if (element === undefined) return at;
  if (element.kind === 'gap') {
    for (let skipped = 0; skipped <= element.words; skipped++) {
      const end = matchFrom(elements, index + 1, words, at + skipped, begin);
      if (end !== undefined) return end;
      if (words[at + skipped]?.before === 'stop') return undefined;
    }
    return undefined;
  }
  const taken = takenBy(element, words, at, begin);
  if (taken !== undefined) {
    const end = matchFrom(elements, index + 1, words, at + taken, begin);
    if (end !== undefined) return end;
  }
  return element.isOptional ? matchFrom(elements, index + 1, words, at, begin) : undefined;
}

/** How many words an element takes at `at`, undefined when it does not fit. */
function takenBy(
  element: Alternatives,
  words: readonly Word[],
  at: number,
  begin: number,
): number | undefined {
  const word = words[at];
  if (word === undefined) return element.classes.has('END') ? 0 : undefined;
  if (at > begin && word.before === 'stop') return undefined;
  if (element.skeletons.has(word.skeleton)) return 1;
  if (element.classes.has('PCT')) {
    const taken = percentAt(words, at);
    if (taken !== undefined) return taken;
  }
  const isOfClass =
    (word.kind === 'number' && element.classes.has('NUM')) ||
    (word.kind === 'times' && element.classes.has('NX')) ||
    (word.kind === 'currency' && element.classes.has('CUR'));
  return isOfClass ? 1 : undefined;
}

const PERCENT = new Set(['percent', 'pct'].map(skeletonOf));
const NUMBERS = new Set(
  'one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand'
    .split(' ')
    .map(skeletonOf),
);

/** How many words say a percentage at `at`: 5 %, five percent, 5 per cent. */
export function percentAt(words: readonly Word[], at: number): number | undefined {
  const word = words[at];
  if (word?.kind !== 'number' && !NUMBERS.has(word?.skeleton ?? '')) return undefined;
  const [next, last] = [words[at + 1], words[at + 2]];
  if (next?.kind === 'percent' || PERCENT.has(next?.skeleton ?? '')) return 2;
  return next?.skeleton === 'per' && last?.skeleton === skeletonOf('cent') ? 3 : undefined;
}
