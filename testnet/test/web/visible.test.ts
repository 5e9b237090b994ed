import { describe, expect, it } from 'vitest';
import { visibleText } from '../../web/src/text/visible.ts';

describe('text of the chain', () => {
  it('shows what turns the direction of what stands around it', () => {
    expect(visibleText('pay \u202egnp.exe')).toBe('pay ‹U+202E›gnp.exe');
    expect(visibleText('a\u2066b\u2069\u200f')).toBe('a‹U+2066›b‹U+2069›‹U+200F›');
  });

  it('shows control characters and others that nobody sees', () => {
    expect(visibleText('a\u0000b\u001b[31m\u200b\ufeff')).toBe('a‹U+0000›b‹U+001B›[31m‹U+200B›‹U+FEFF›');
    expect(visibleText('x\u{e0041}')).toBe('x‹U+E0041›');
  });

  it('leaves words of every script alone, and the line feeds between them', () => {
    for (const text of ['Société\nGénérale', 'می‌خواهم', 'שלום', '日本', '👩‍🌾 a\tb'])
      expect(visibleText(text)).toBe(text);
  });
});
