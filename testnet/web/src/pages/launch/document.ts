import { countText } from '../../text/amounts.ts';
import type { Draft } from './plan.ts';

/** What the launchpad asks of a document, asked here first, so that most of it is said while it is typed. */

const NAME_MAX = 64;
const DESCRIPTION_MAX = 4_000;
const LOGO_BYTES = 256 * 1024;
const LOGO_SIDE = 1_024;

/** By field; undefined where nothing is wrong. */
export interface DocumentErrors {
  readonly name: string | undefined;
  readonly symbol: string | undefined;
  readonly description: string | undefined;
}

/** The document that is posted: what was typed, without white space at its ends and in one form of Unicode. */
export function documentOf({ name, symbol, description, template, logo }: Draft) {
  return {
    name: tidy(name),
    symbol: symbol.trim(),
    description: tidy(description),
    template,
    ...(logo === undefined ? {} : { logo }),
  };
}

function tidy(text: string): string {
  return text.normalize('NFC').replaceAll('\r\n', '\n').trim();
}

export function documentErrors(draft: Draft): DocumentErrors {
  const { name, symbol, description } = documentOf(draft);
  const length = [...name].length;
  return {
    name:
      length === 0
        ? 'Give it a name.'
        : length > NAME_MAX
          ? `${length} characters; at most ${NAME_MAX} are allowed.`
          : undefined,
    symbol: /^[A-Z0-9]{2,12}$/.test(symbol) ? undefined : '2 to 12 of A–Z and 0–9.',
    description:
      [...description].length > DESCRIPTION_MAX
        ? `${[...description].length} characters; at most ${DESCRIPTION_MAX} are allowed.`
        : undefined,
  };
}

/** The signature, the length of the first chunk and its name IHDR; width and height come next. */
const PNG_START = [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82];

/** Why a file of so many bytes is no logo; undefined where it may be one. Asked before the file is read. */
export function logoSizeError(byteLength: number): string | undefined {
  if (byteLength <= LOGO_BYTES) return undefined;
  return `The file has ${countText(byteLength)} bytes; at most ${countText(LOGO_BYTES)} (256 KiB) are allowed.`;
}

/** What is wrong with a file as a logo; undefined where nothing is. The launchpad looks at every pixel again. */
export function logoError(bytes: Uint8Array): string | undefined {
  const tooLarge = logoSizeError(bytes.length);
  if (tooLarge !== undefined) return tooLarge;
  if (bytes.length < 24 || PNG_START.some((byte, at) => bytes[at] !== byte)) return 'This is no PNG image.';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width === 0 || height === 0 || width > LOGO_SIDE || height > LOGO_SIDE) {
    return `The image is ${width} × ${height}; at most ${LOGO_SIDE} × ${LOGO_SIDE} are allowed.`;
  }
  return undefined;
}

/** What of a text a refusal names, and the field that it is about. */
export interface Refused {
  readonly field: 'name' | 'symbol' | 'description' | 'logo' | undefined;
  readonly message: string;
  /** As they stand in the text; for those that do not, the refusal's own words. */
  readonly words: readonly string[];
}

const QUOTED = /["“]([^"”]{1,200})["”]/g;

/** A refusal quotes what it matched. */
export function refusedOf(message: string): Refused {
  const field = /\b(name|symbol|description|logo)\b/.exec(message)?.[1] as Refused['field'];
  return { field, message, words: [...message.matchAll(QUOTED)].map(([, word = '']) => word) };
}

/** A text cut where refused words stand in it, whatever their case. */
export function marked(
  text: string,
  words: readonly string[],
): readonly { readonly text: string; readonly isMarked: boolean }[] {
  const wanted = words
    .filter((word) => word !== '')
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  if (wanted.length === 0) return [{ text, isMarked: false }];
  return text
    .split(new RegExp(`(${wanted.join('|')})`, 'giu'))
    .map((part, at) => ({ text: part, isMarked: at % 2 === 1 }))
    .filter((part) => part.text !== '');
}
