import { describe, expect, it } from 'vitest';
import { base64ToHex, hexTextToBytes, latin1ToUtf8 } from '../src/bytes.ts';

describe('hex inside a text', () => {
  const text = Buffer.from('"0xA1b2c3"');

  it('is read with or without its prefix, in any case', () => {
    expect(hexTextToBytes(text, 1, 9, 3)).toEqual(Uint8Array.of(0xa1, 0xb2, 0xc3));
    expect(hexTextToBytes(text, 3, 9, 3)).toEqual(Uint8Array.of(0xa1, 0xb2, 0xc3));
  });

  it.each([2, 4])('is refused where it is not %d bytes', (length) => {
    expect(hexTextToBytes(text, 1, 9, length)).toBeUndefined();
  });

  it('is refused where a char is no digit', () => {
    expect(hexTextToBytes(Buffer.from('a1g2'), 0, 4, 2)).toBeUndefined();
  });
});

describe('base64', () => {
  it('is read as hex', () => expect(base64ToHex('+/8=')).toBe('fbff'));

  it.each(['+/8', '-_8=', '+/9=', '+/8= ', '+/8=='])('that nobody prints is refused: %j', (text) => {
    expect(base64ToHex(text)).toBeUndefined();
  });
});

it.each(['ascii ~', 'é', 'ÿ', '日本'])('bytes one a char become the text %s', (text) => {
  expect(latin1ToUtf8(Buffer.from(text).toString('latin1'))).toBe(text);
});
