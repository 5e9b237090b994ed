import type { FoldedText } from './fold.ts';
import { skeletonOf } from './skeleton.ts';

/** What stands between a word and the one before: a comma or less, the end of a line or half sentence, the end of a sentence. */
export type Break = 'none' | 'comma' | 'line' | 'stop';

export interface Word {
  /** Compared with the list's words; numbers are their digits. */
  readonly skeleton: string;
  readonly kind: 'word' | 'number' | 'percent' | 'times' | 'currency';
  /** In the folded text. */
  readonly from: number;
  readonly to: number;
  readonly before: Break;
}

/** Words that pieces may be joined to, by skeleton. */
export interface Vocabulary {
  /** Every word of the list. */
  has(skeleton: string): boolean;
  /** Of those, the ones that are told also in two or three pieces (`air drop`, `re-wards`). */
  isJoined(skeleton: string): boolean;
  /** Some word of the list begins so. */
  isBeginning(skeleton: string): boolean;
  /** What a compound may be made of, by its letters. */
  isPart(part: string): boolean;
}

interface Token {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const TOKEN =
  /\d+(?:[.,]\d+)+(?![\p{L}\p{N}])|(?:[\p{L}\p{N}@]|\$(?=\p{L})|(?<=\p{L})[$](?![\p{N}])|(?<=\p{L})[!|€£](?=\p{L}))+|[%$€£]/gu;
const CURRENCY = /^[$€£]$/;
const LONGEST_WORD = 20;

/** The folded text's words, put together again where they were taken apart. Linear in the text's length. */
export function wordsOf(folded: FoldedText, vocabulary: Vocabulary): readonly Word[] {
  const tokens = [...folded.text.matchAll(TOKEN)].map(({ 0: text, index }) => ({
    text,
    from: index,
    to: index + text.length,
  }));
  const words: Word[] = [];
  for (let at = 0; at < tokens.length; ) {
    const count = joinedCount(tokens, at, folded.text, vocabulary);
    const pieces = tokens.slice(at, at + count);
    const before = breakBefore(tokens, at, folded.text);
    if (count > 1) words.push(joinedWord(pieces, before));
    else for (const word of wordsOfToken(pieces[0] as Token, before, folded, vocabulary)) words.push(word);
    at += count;
  }
  return words;
}

/** How many tokens from `at` on make one word of the list; 1 when they do not. */
function joinedCount(tokens: readonly Token[], at: number, text: string, vocabulary: Vocabulary): number {
  const first = tokens[at];
  if (first === undefined || !/\p{L}|[0-9]/u.test(first.text)) return 1;
  let letters = first.text;
  let isSpelt = first.text.length === 1;
  let count = 1;
  let apart: string | undefined;
  for (let next = at + 1; next < tokens.length && letters.length < LONGEST_WORD; next++) {
    const token = tokens[next];
    const previous = tokens[next - 1];
    if (token === undefined || previous === undefined) break;
    const between = text.slice(previous.to, token.from);
    apart ??= between;
    // p r o f i t   s h a r i n g: another distance is where the next word begins
    if (count > 1 && between !== apart) break;
    isSpelt &&= token.text.length === 1;
    if (isSpelt ? between.length > 3 : !/^[\s\-_*.~"/\\|+·•‐‑–,:;]?$/.test(between)) break;
    letters += token.text;
    const pieces = next - at + 1;
    if (!isSpelt && pieces > 6) break;
    const skeleton = skeletonOf(letters);
    // the next letter may change the last one: r and n read as m
    if (!vocabulary.isBeginning(skeleton.slice(0, -1))) break;
    if (
      isSpelt
        ? skeleton.length > 1 && /[a-z]/.test(letters) && vocabulary.has(skeleton)
        : vocabulary.isJoined(skeleton)
    )
      count = pieces;
  }
  return count;
}

function joinedWord(pieces: readonly Token[], before: Break): Word {
  const from = pieces[0]?.from ?? 0;
  const to = pieces.at(-1)?.to ?? from;
  return { skeleton: skeletonOf(pieces.map(({ text }) => text).join('')), kind: 'word', from, to, before };
}

function wordsOfToken(
  token: Token,
  before: Break,
  folded: FoldedText,
  vocabulary: Vocabulary,
): readonly Word[] {
  const { text, from, to } = token;
  if (text === '%') return [{ skeleton: '%', kind: 'percent', from, to, before }];
  if (CURRENCY.test(text)) return [{ skeleton: text, kind: 'currency', from, to, before }];
  if (/^\d[\d.,]*$/.test(text)) return [{ skeleton: text, kind: 'number', from, to, before }];
  if (/^(\d{1,6}x|x\d{1,6})$/.test(text)) return [{ skeleton: text, kind: 'times', from, to, before }];
  const skeleton = skeletonOf(text);
  if (vocabulary.has(skeleton)) return [{ skeleton, kind: 'word', from, to, before }];
  const parts = compoundOf(token, folded, vocabulary);
  if (parts.length === 0) return [{ skeleton, kind: 'word', from, to, before }];
  let start = from;
  return parts.map((part, index) => {
    const word: Word = {
      skeleton: skeletonOf(part),
      kind: 'word',
      from: start,
      to: start + part.length,
      before: index === 0 ? before : 'none',
    };
    start = word.to;
    return word;
  });
}

/** `RewardCoin`, `rewardcoin`, `airdrop24`, `play2earn`: parts that are words of the list, or lead to such. */
function compoundOf(token: Token, folded: FoldedText, vocabulary: Vocabulary): readonly string[] {
  const { text, from } = token;
  if (text.length < 5 || text.length > 48) return [];
  const isWord = (part: string) => vocabulary.isPart(part);
  const isStrong = (part: string) => part.length >= 5 && isWord(part);
  const humps = partsAt(
    text,
    (at) => folded.isUpper[from + at] === true && folded.isUpper[from + at - 1] !== true,
  );
  if (humps.length > 1 && humps.every(({ length }) => length > 2) && humps.some(isStrong)) return humps;
  const digits = text.split(/(\d+)/).filter((part) => part !== '');
  if (digits.length > 1 && digits.some((part) => /^\D+$/.test(part) && isStrong(part))) return digits;
  if (digits.length === 3 && digits[1] === '2' && digits.every((part) => part === '2' || isWord(part)))
    return digits;
  return segmentsOf(text, isWord);
}

function partsAt(text: string, isBoundary: (at: number) => boolean): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 1; at < text.length; at++) {
    if (isBoundary(at)) {
      parts.push(text.slice(start, at));
      start = at;
    }
  }
  return [...parts, text.slice(start)];
}

/** The text as at most four words of the list, one of five letters or more; empty when it is none. Bounded by 48 letters. */
function segmentsOf(text: string, isWord: (part: string) => boolean): readonly string[] {
  const best: (readonly string[] | undefined)[] = [[]];
  for (let end = 1; end <= text.length; end++) {
    for (let start = Math.max(0, end - LONGEST_WORD); start < end; start++) {
      const head = best[start];
      if (head === undefined || head.length >= 4) continue;
      const part = text.slice(start, end);
      if (part.length > 1 && isWord(part) && (best[end]?.length ?? 5) > head.length + 1)
        best[end] = [...head, part];
    }
  }
  const parts = best[text.length] ?? [];
  return parts.some((part) => part.length >= 4) ? parts : [];
}

function breakBefore(tokens: readonly Token[], at: number, text: string): Break {
  const token = tokens[at];
  const previous = tokens[at - 1];
  if (token === undefined || previous === undefined) return 'stop';
  const between = text.slice(previous.to, token.from);
  if (/[.!?…。](?=\s)|[!?…。]{2}|\n\s*\n/.test(between)) return 'stop';
  if (/[\n;]/.test(between)) return 'line';
  return /[,:()[\]{}–—…]|\s-/.test(between) ? 'comma' : 'none';
}
