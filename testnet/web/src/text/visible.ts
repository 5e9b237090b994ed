/**
 * Text of the chain as text: what would not be seen, or would turn the direction of what stands around it, is written
 * out. Joiners stay (U+200C, U+200D), which scripts and emoji need.
 */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu;

/** `a‹U+202E›b`. Tabs and line feeds stay. */
export function visibleText(text: string): string {
  return text.replace(
    UNSEEN,
    (found) => `‹U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`,
  );
}
