const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '6': 'b',
  '7': 't',
  '8': 'b',
  '9': 'g',
  '@': 'a',
  $: 's',
  '!': 'i',
  '|': 'i',
  '€': 'e',
  '£': 'i',
  // l, I and 1 look alike
  l: 'i',
};

/**
 * What spellings of one word have in common, for folded words: digits and signs as the letters they stand for, l as i,
 * rn as m, vv as w, letters that repeat once, a z at the end as an s. Words of the list are compared by it alone.
 */
export function skeletonOf(word: string): string {
  let skeleton = '';
  for (const character of word.replaceAll('rn', 'm').replaceAll('vv', 'w')) {
    const letter = LEET[character] ?? character;
    if (letter !== skeleton.at(-1)) skeleton += letter;
  }
  return skeleton.endsWith('z') ? `${skeleton.slice(0, -1)}s` : skeleton;
}
