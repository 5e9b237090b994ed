import {
  DENIED,
  DENIES,
  ENDS,
  FORBIDDEN,
  GETS,
  LINKS,
  LISTED,
  SUBJECTS,
  TURNS,
  WITHOUT,
} from './list/negation.ts';
import { skeletonOf } from './skeleton.ts';
import type { Word } from './words.ts';

const ELSE = skeletonOf('else');
const SUCH = skeletonOf('such');

/** How far a denial reaches. */
const REACH_BEFORE = 10;
const REACH_AFTER = 6;

const setOf = (words: string) =>
  new Set(words.split('|').map((word) => (word === '0' ? word : skeletonOf(word))));
const denies = setOf(DENIES);
const without = setOf(WITHOUT);
const subjects = setOf(SUBJECTS);
const gets = setOf(GETS);
const turns = setOf(TURNS);
const ends = setOf(ENDS);
const listed = setOf(LISTED);
const links = setOf(LINKS);
const denied = setOf(DENIED);
const forbidden = setOf(FORBIDDEN);

/** Whether the sentence denies the words from `from` up to `to` (exclusive). */
export function isDenied(words: readonly Word[], from: number, to: number): boolean {
  return isDeniedBefore(words, from) || isDeniedWithin(words, from, to) || isDeniedAfter(words, to);
}

/** For patterns that speak of no denial themselves: `will not rise`, matched over a gap. */
function isDeniedWithin(words: readonly Word[], from: number, to: number): boolean {
  for (let at = from + 1; at < to - 1; at++) {
    const word = skeletonAt(words, at);
    if ((denies.has(word) || word === 'no' || word === 'without') && !turns.has(skeletonAt(words, at + 1)))
      return true;
  }
  return false;
}

function isDeniedBefore(words: readonly Word[], from: number): boolean {
  // words between the denial and the promise, the nearest first
  for (let at = from - 1; at >= Math.max(0, from - REACH_BEFORE); at--) {
    const crossed = words[at + 1]?.before;
    if (crossed === 'stop' || crossed === 'line') return false;
    if (crossed === 'comma' && !isList(words, at, from)) return false;
    const word = skeletonAt(words, at);
    if (isWithoutAt(words, at)) return reachesThing(words, at, from);
    // why not earn …
    if (denies.has(word)) return skeletonAt(words, at - 1) !== 'why';
    if (word === SUCH && skeletonAt(words, at - 1) === 'no') return true;
    if (turns.has(word) || ends.has(word)) return false;
  }
  return false;
}

/** `instead of`, `rather than`, `free of` deny; `instead`, `rather`, `free` do not. */
function isWithoutAt(words: readonly Word[], at: number): boolean {
  const word = skeletonAt(words, at);
  if (!without.has(word)) return false;
  const next = skeletonAt(words, at + 1);
  if (word === skeletonOf('instead') || word === skeletonOf('free'))
    return next === 'of' || next === skeletonOf('from');
  if (word === skeletonOf('rather')) return next === 'than';
  if (word === 'non') return true;
  return true;
}

function reachesThing(words: readonly Word[], at: number, from: number): boolean {
  if (skeletonAt(words, at) === 'non') return at === from - 1;
  const between = words.slice(at + 1, from).map(({ skeleton }) => skeleton);
  const [first] = between;
  if (between.some((word) => turns.has(word) || word === ELSE)) return false;
  return (first !== undefined && subjects.has(first)) || !between.some((word) => gets.has(word));
}

/** A comma is crossed only within a list, and only words of lists stand on its right. */
function isList(words: readonly Word[], left: number, from: number): boolean {
  return (
    listed.has(skeletonAt(words, left)) &&
    words.slice(left + 1, from).every(({ skeleton }) => listed.has(skeleton))
  );
}

function isDeniedAfter(words: readonly Word[], to: number): boolean {
  for (let at = to; at < Math.min(words.length, to + REACH_AFTER); at++) {
    const word = words[at];
    if (word === undefined) return false;
    const next = words[at + 1];
    const isLast = next === undefined || next.before !== 'none';
    if (word.before === 'stop' || word.before === 'line') {
      // Airdrop? No.
      return (
        at === to &&
        isLast &&
        (word.skeleton === 'no' || word.skeleton === skeletonOf('none') || denies.has(word.skeleton))
      );
    }
    if (forbidden.has(word.skeleton)) return true;
    if (denies.has(word.skeleton) || without.has(word.skeleton)) {
      return isLast || (denies.has(word.skeleton) && denied.has(next.skeleton));
    }
    if (!links.has(word.skeleton)) return false;
  }
  return false;
}

function skeletonAt(words: readonly Word[], at: number): string {
  return words[at]?.skeleton ?? '';
}
