import { AppError } from '../errors.ts';

interface TextRule {
  /** Code points. */
  readonly min: number;
  readonly max: number;
  /** Line feeds and tabs are allowed. */
  readonly lines: boolean;
}

/** Cc, U+2028 and U+2029, and code points that no text can hold for another program. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\p{Co}\p{Noncharacter_Code_Point}]/u;
const CONTROL_BUT_LINES = /[\p{Zl}\p{Zp}\p{Co}\p{Noncharacter_Code_Point}]|(?![\n\t])\p{Cc}/u;
/** Marks, embeddings, overrides and isolates: with them a text reads as another one than it is. */
const BIDI = /\p{Bidi_Control}/u;
/** Nothing to be seen; U+200C and U+200D are left out, which Persian and emoji need. */
const INVISIBLE = /(?!\u200c|\u200d)\p{Cf}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/u;

/**
 * Checks a text that people read: it is kept exactly as it came or refused, never changed, since its bytes are hashed.
 * Lengths count code points, as JSON Schema does. NFC, so that one reading has one hash; no white space at the ends; no
 * control, bidirectional or (in a text of one line) invisible character, so that a name reads as it is. Errors: AppError
 * bad_request, naming the character.
 */
export function checkText(field: string, text: string | undefined, rule: TextRule): asserts text is string {
  const refuse = (why: string): never => {
    throw new AppError('bad_request', `${field} ${why}`);
  };
  if (text === undefined) return refuse('is missing');
  if (/\p{Cs}/u.test(text)) refuse('holds half of a surrogate pair');
  const length = [...text].length;
  if (length < rule.min) refuse('is empty');
  if (length > rule.max) refuse(`has ${length} characters, at most ${rule.max} are allowed`);
  const banned =
    (rule.lines ? CONTROL_BUT_LINES : CONTROL).exec(text) ??
    BIDI.exec(text) ??
    (rule.lines ? null : INVISIBLE.exec(text));
  if (banned !== null) refuse(`holds ${codePointName(banned[0])}, which cannot be seen or is not text`);
  if (text !== text.normalize('NFC')) refuse('is not in Unicode normalization form C');
  if (text !== text.trim()) refuse('begins or ends with white space');
}

function codePointName(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
}
