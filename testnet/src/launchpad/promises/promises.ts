import { foldText } from './fold.ts';
import { AIRDROPS } from './list/airdrops.ts';
import { EXCUSES, REAL_MOON, WARNINGS } from './list/excuses.ts';
import { GROUPS } from './list/groups.ts';
import { NAMES } from './list/names.ts';
import * as NEGATION from './list/negation.ts';
import { RETURNS } from './list/returns.ts';
import { REWARDS } from './list/rewards.ts';
import { VALUE } from './list/value.ts';
import { isDenied } from './negation.ts';
import { matchAt, type Pattern, parsePattern, percentAt, vocabularyOf } from './pattern.ts';
import { skeletonOf } from './skeleton.ts';
import { type Vocabulary, type Word, wordsOf } from './words.ts';

/** What is promised, as the contract names it (api.md, "Launchpad endpoints"). */
export type Topic = 'rewards' | 'airdrops' | 'returns' | 'value';

export interface FoundPromise {
  readonly topic: Topic;
  /** As they were written. */
  readonly words: string;
}

interface Rule {
  readonly topic: Topic;
  readonly pattern: Pattern;
  /** The pattern itself speaks of a denial (`cannot lose`), so that its own words deny nothing. */
  readonly hasDenial: boolean;
}

const denials = new Set([...NEGATION.DENIES.split('|'), ...NEGATION.WITHOUT.split('|')].map(skeletonOf));
const rulesOf = (topic: Topic, sources: readonly string[]): readonly Rule[] =>
  sources.map((source) => {
    const pattern = parsePattern(source, GROUPS);
    return {
      topic,
      pattern,
      hasDenial: vocabularyOf(pattern).some((word) => word !== 'free' && denials.has(skeletonOf(word))),
    };
  });
const anywhere = indexOf([
  ...rulesOf('rewards', REWARDS),
  ...rulesOf('airdrops', AIRDROPS),
  ...rulesOf('returns', RETURNS),
  ...rulesOf('value', VALUE),
]);
const inNames = indexOf(rulesOf('returns', NAMES));
const excuses = EXCUSES.map((source) => parsePattern(source, GROUPS));
const warnings = new Set(WARNINGS.split('|').map(skeletonOf));
const realMoon = new Set(REAL_MOON.split('|').map(skeletonOf));
const moon = skeletonOf('moon');

const spelled = new Set([
  ...[...anywhere.rules, ...inNames.rules].flatMap(({ pattern }) => vocabularyOf(pattern)),
  ...excuses.flatMap(vocabularyOf),
  ...[...Object.values(NEGATION), WARNINGS, REAL_MOON].flatMap((words) => words.split('|')),
]);
const known = new Set([...spelled].map(skeletonOf));
const beginnings = new Set(
  [...known].flatMap((word) => range(0, word.length + 1).map((end) => word.slice(0, end))),
);
const VOCABULARY: Vocabulary = {
  has: (skeleton) => known.has(skeleton),
  isJoined: (skeleton) => skeleton.length > 5 && known.has(skeleton),
  isBeginning: (skeleton) => beginnings.has(skeleton),
  isPart: (part) => spelled.has(part) || (part.length > 5 && known.has(skeletonOf(part))),
};

/**
 * The promises of rewards, airdrops, returns or value in a text, in the order of their places; empty for a text without.
 * docs/launchpad.md says what counts as one. Linear in the text's length.
 */
export function findPromises(text: string, field: 'name' | 'copy'): readonly FoundPromise[] {
  const folded = foldText(text);
  const words = wordsOf(folded, VOCABULARY);
  const found: FoundPromise[] = [];
  const excused = excusedWords(words);
  for (let at = 0; at < words.length; ) {
    const match = matchOf(words, at, field, excused);
    if (match === undefined) {
      at += 1;
      continue;
    }
    const from = folded.starts[words[at]?.from ?? 0];
    const to = folded.ends[(words[match.end - 1]?.to ?? 1) - 1];
    found.push({ topic: match.topic, words: text.slice(from, to) });
    at = Math.max(match.end, at + 1);
  }
  return found;
}

function matchOf(
  words: readonly Word[],
  at: number,
  field: 'name' | 'copy',
  excused: ReadonlySet<number>,
): { readonly topic: Topic; readonly end: number } | undefined {
  const rules =
    field === 'name' ? [...anywhere.at(words, at), ...inNames.at(words, at)] : anywhere.at(words, at);
  for (const { topic, pattern, hasDenial } of rules) {
    const end = matchAt(pattern, words, at);
    if (end === undefined) continue;
    if (range(at, end).some((index) => excused.has(index))) continue;
    if (!hasDenial && isDenied(words, at, end)) continue;
    if (isWarnedOf(words, at, end)) continue;
    return { topic, end };
  }
  return undefined;
}

function excusedWords(words: readonly Word[]): ReadonlySet<number> {
  const excused = new Set<number>();
  for (let at = 0; at < words.length; at++) {
    for (const pattern of excuses) {
      for (const index of range(at, matchAt(pattern, words, at) ?? at)) excused.add(index);
    }
  }
  return excused;
}

/** The sentence, at most 25 words each way, warns of such promises or is about the moon in the sky. */
function isWarnedOf(words: readonly Word[], from: number, to: number): boolean {
  let begin = from;
  while (begin > 0 && from - begin < 25 && words[begin]?.before !== 'stop') begin--;
  let end = to;
  while (end < words.length && end - to < 25 && words[end]?.before !== 'stop') end++;
  const isOfMoon = words[to - 1]?.skeleton === moon;
  return range(begin, end).some((at) => {
    const skeleton = words[at]?.skeleton ?? '';
    if (isOfMoon && (at < from || at >= to) && realMoon.has(skeleton)) return true;
    const isNegated = range(Math.max(begin, at - 3), at).some((before) =>
      denials.has(words[before]?.skeleton ?? ''),
    );
    return warnings.has(skeleton) && !isNegated;
  });
}

/** Rules by the word that they begin with, those that begin with a number apart. */
function indexOf(rules: readonly Rule[]) {
  const byWord = new Map<string, Rule[]>();
  const others: Rule[] = [];
  for (const rule of rules) {
    const [first] = rule.pattern.elements;
    if (first?.kind !== 'words') continue;
    if (first.classes.size > 0) others.push(rule);
    for (const skeleton of first.skeletons) {
      const at = byWord.get(skeleton) ?? [];
      at.push(rule);
      byWord.set(skeleton, at);
    }
  }
  return {
    rules,
    at: (words: readonly Word[], index: number): readonly Rule[] => {
      const word = words[index];
      if (word === undefined) return [];
      if (word.kind !== 'word') return others;
      // a number may be spelt: ten percent
      const rules = byWord.get(word.skeleton) ?? [];
      return percentAt(words, index) === undefined ? rules : [...rules, ...others];
    },
  };
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
