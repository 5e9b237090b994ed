import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashDocument, parseDocument } from '../../../src/launchpad/document.ts';
import { TEMPLATES } from '../../../src/launchpad/templates.ts';
import { realPng } from '../support/pngs.ts';

/** What is a document, and what is hashed of it: answers.md "Launchpad and desk". */

const GOOD = { name: 'Tulip', symbol: 'TULIP', description: '', template: 'bond' };
const parse = (body: string | Uint8Array) =>
  parseDocument(typeof body === 'string' ? Buffer.from(body) : body);
const parseFields = (fields: object) => parse(JSON.stringify({ ...GOOD, ...fields }));

/** Controls, separators, and the characters without a shape that checkText refuses. */
const UNUSABLE = /[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/u;

const field = (length: { min: number; max: number }) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
    .map((text) => text.normalize('NFC').trim())
    .filter((text) => {
      const count = [...text].length;
      return count >= length.min && count <= length.max && !UNUSABLE.test(text);
    });
const documents = fc.record({
  name: field({ min: 1, max: 64 }),
  symbol: fc.stringMatching(/^[A-Z0-9]{2,12}$/),
  description: field({ min: 0, max: 4_000 }),
  template: fc.constantFrom(...TEMPLATES),
});

describe('a document', () => {
  it('has the same hash in any order of its keys, with any white space, and however it is escaped', () => {
    fc.assert(
      fc.property(
        documents,
        fc.shuffledSubarray(['name', 'symbol', 'description', 'template'], { minLength: 4 }),
        fc.constantFrom('', ' ', '\n\t'),
        (document, order, space) => {
          const wanted = hashDocument(parse(JSON.stringify(document))).metaHash;
          const entries = order.map((key) => [key, document[key as keyof typeof document]] as const);
          const escaped = (text: string) =>
            `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
          const body = (quote: (text: string) => string) =>
            `${space}{${entries.map(([key, value]) => `${space}${quote(key)}${space}:${space}${quote(value)}`).join(',')}${space}}`;
          expect(hashDocument(parse(body(JSON.stringify))).metaHash).toBe(wanted);
          expect(hashDocument(parse(body(escaped))).metaHash).toBe(wanted);
        },
      ),
    );
  });

  it('is hashed as itself: its canonical text parses to the same document', () => {
    fc.assert(
      fc.property(documents, (document) => {
        expect(JSON.parse(hashDocument(document).text)).toEqual(document);
        expect(hashDocument(parse(hashDocument(document).text))).toEqual(hashDocument(document));
      }),
    );
  });

  it('has another hash when anything in it differs', () => {
    const hashes = [
      {},
      { name: 'tulip' },
      { symbol: 'TULIPS' },
      { description: '.' },
      { template: 'equity' },
      { logo: realPng(2, 2).toString('base64') },
    ].map((change) => hashDocument(parseFields(change)).metaHash);
    expect(new Set(hashes).size).toBe(6);
  });

  it("escapes as RFC 8785 does: section 3.2.2.2's string", () => {
    // \u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/ of the RFC's example; U+000F is not for a document's texts
    const { text } = hashDocument(parseFields({ description: '€$\nA\'B"\\\\"/' }));
    expect(text).toBe(
      `{"description":"€$\\nA'B\\"\\\\\\\\\\"/","name":"Tulip","symbol":"TULIP","template":"bond"}`,
    );
    const raw = hashDocument({
      ...parseFields({}),
      description: '\u20ac$\u000f\u000aA\'\u0042\u0022\u005c\\"/',
    });
    expect(raw.text).toContain(String.raw`"description":"€$\u000f\nA'B\"\\\\\"/"`);
  });

  it("sorts by UTF-16 units: section 3.2.3's keys", () => {
    const keys = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    const { text } = hashDocument(keys as unknown as ReturnType<typeof parse>);
    expect(Object.values(JSON.parse(text))).toEqual([
      'One', // the parser puts whole numbers first
      'Carriage Return',
      'Control',
      'Latin Small Letter O With Diaeresis',
      'Euro Sign',
      'Emoji: Grinning Face',
      'Hebrew Letter Dalet With Dagesh',
    ]);
  });
});

describe('what is accepted', () => {
  it.each([
    ['64 characters beyond the first plane', { name: '😀'.repeat(64) }],
    ['a description of 4,000', { description: 'a'.repeat(4_000) }],
    ['an emoji of several code points', { name: '👩‍👩‍👧' }],
    ['Persian with its non-joiner', { name: 'می‌خواهم' }],
    ['tabs and lines in a description', { description: 'a\n\tb' }],
    ['markup as text', { name: '<b>"x"</b>' }],
    ['a symbol of digits', { symbol: '42' }],
    ['a logo', { logo: realPng(1_024, 1_024).toString('base64') }],
  ])('%s', (_, change) => {
    expect(parseFields(change)).toEqual({ ...GOOD, ...change });
  });
});

describe('what is refused', () => {
  const text = (fields: object) => JSON.stringify({ ...GOOD, ...fields });
  it.each([
    ['65 characters', text({ name: 'a'.repeat(65) }), 'name has 65'],
    ['no name', text({ name: undefined }), 'name is missing'],
    ['an empty name', text({ name: '' }), 'name is empty'],
    ['white space at an end', text({ name: ' Tulip' }), 'white space'],
    ['a no-break space at an end', text({ name: 'Tulip\u00a0' }), 'white space'],
    ['decomposed letters', text({ name: 'Cafe\u0301' }), 'normalization form C'],
    ['a line in a name', text({ name: 'a\nb' }), 'U+000A'],
    ['a zero-width space in a name', text({ name: 'a\u200bb' }), 'U+200B'],
    ['an override', text({ description: 'a\u202eb' }), 'U+202E'],
    ['an isolate', text({ name: 'a\u2066b' }), 'U+2066'],
    ['U+0000', text({ description: 'a\u0000b' }), 'U+0000'],
    ['a carriage return', text({ description: 'a\r\nb' }), 'U+000D'],
    ['half of a surrogate pair', text({ name: 'a\ud800' }), 'surrogate'],
    [
      'half of one, escaped',
      `{"name":"\\udc00","symbol":"AB","description":"","template":"bond"}`,
      'surrogate',
    ],
    ['a symbol in lower case', text({ symbol: 'tulip' }), 'symbol'],
    ['a symbol with a line feed behind', text({ symbol: 'TULIP\n' }), 'symbol'],
    ['a symbol of one', text({ symbol: 'T' }), 'symbol'],
    ['a symbol of look-alikes', text({ symbol: 'ТULIP' }), 'symbol'],
    ['no symbol', text({ symbol: undefined }), 'symbol'],
    ['a long description', text({ description: 'a'.repeat(4_001) }), 'description has 4001'],
    ['another template', text({ template: 'toString' }), 'template must be one of'],
    ['a number', text({ name: 5 }), 'name must be a string'],
    ['null for no logo', text({ logo: null }), 'logo must be a string'],
    ['an unknown field', text({ website: 'x' }), 'no field "website"'],
    ['a prototype', '{"__proto__":"x","name":"a"}', 'no field "__proto__"'],
    ['a constructor', text({ constructor: 'x' }), 'no field "constructor"'],
    ['a field that stands twice', `{"name":"a",${text({}).slice(1)}`, 'stands twice'],
    ['one that stands twice by an escape', `{"n\\u0061me":"a",${text({}).slice(1)}`, 'stands twice'],
    ['an array', '[]', 'must be a JSON object'],
    ['null', 'null', 'must be a JSON object'],
    ['no JSON', '{"name":', 'not JSON'],
    ['nothing', '', 'not JSON'],
    ['deep JSON', '['.repeat(250_000) + ']'.repeat(250_000), 'must be a JSON object'],
    ['a deep field', `{"name":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`, 'name must be a string'],
    ['a byte order mark', `\ufeff${text({})}`, 'not JSON'],
    ['a data URL', text({ logo: `data:image/png;base64,${realPng(1, 1).toString('base64')}` }), 'not base64'],
    ['base64 without its padding', text({ logo: 'iVBORw0KGg' }), 'not base64'],
    ['base64 with lines', text({ logo: 'iVBO\nRw0K' }), 'not base64'],
    ['base64 with loose bits', text({ logo: 'iVBORw0KGh==' }), 'not base64'],
    ['an empty logo', text({ logo: '' }), 'signature'],
    ['a large logo', text({ logo: 'A'.repeat(4 * 87_382 + 4) }), 'larger than 262144'],
    [
      'a logo of one byte too many',
      text({ logo: Buffer.alloc(262_145).toString('base64') }),
      'larger than 262144',
    ],
  ])('%s', (_, body, why) => {
    expect(() => parse(body)).toThrow(why);
    expect(() => parse(body)).toThrow(expect.objectContaining({ code: 'bad_request' }));
  });

  it('bytes that are not UTF-8', () => {
    const body = Buffer.concat([
      Buffer.from('{"name":"'),
      Buffer.from([0xff, 0xc0, 0x80]),
      Buffer.from('"}'),
    ]);
    expect(() => parse(body)).toThrow('not UTF-8');
  });
});
