import fc from 'fast-check';
import { decode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { checkPixels, readPng } from '../../../src/launchpad/png.ts';
import { builtPng, chunk, realPng } from '../support/pngs.ts';

/** As a posted logo is checked. */
async function check(png: Buffer): Promise<{ width: number; height: number }> {
  const { width, height, ...rest } = readPng(png, 1_024);
  await checkPixels({ width, height, ...rest });
  return { width, height };
}

const text = (content: string) => Buffer.from(content, 'latin1');

describe('a logo that is a PNG', () => {
  it.each([
    ['of one pixel', realPng(1, 1), { width: 1, height: 1 }],
    ['of the largest size', realPng(1_024, 1_024), { width: 1_024, height: 1_024 }],
    [
      'with text beside its pixels',
      builtPng({ width: 3, height: 2 }, { extra: [chunk('tEXt', text('a\0b'))] }),
      { width: 3, height: 2 },
    ],
    [
      'with a colour profile that nobody unpacks',
      builtPng({ width: 3, height: 2 }, { extra: [chunk('iCCP', text('junk'))] }),
      { width: 3, height: 2 },
    ],
    // 8 × 8 in Adam7: rows of 1, 1, 2, 2+2, 4+4, 4 by 4, 8 by 4 pixels
    [
      'interlaced',
      builtPng({ width: 8, height: 8, interlace: 1 }, { pixels: new Uint8Array(64 + 15) }),
      { width: 8, height: 8 },
    ],
    [
      'interlaced, of one pixel',
      builtPng({ width: 1, height: 1, interlace: 1 }, { pixels: new Uint8Array(2) }),
      { width: 1, height: 1 },
    ],
  ])('%s is accepted', async (_, png, size) => {
    expect(await check(png)).toEqual(size);
  });
});

describe('a logo that is no PNG, or more than one', () => {
  const small = { width: 3, height: 2 };
  const good = builtPng(small);
  const wrongCrc = Buffer.from(good);
  wrongCrc[wrongCrc.length - 20] = (wrongCrc[wrongCrc.length - 20] ?? 0) ^ 1;

  it.each([
    ['nothing', Buffer.alloc(0), 'signature'],
    ['a JPEG', Buffer.from('ffd8ffe000104a46494600010100', 'hex'), 'signature'],
    ['SVG', text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'), 'signature'],
    ['the signature alone', good.subarray(0, 8), 'ends within'],
    ['cut off', good.subarray(0, -5), 'ends within'],
    ['with a wrong CRC', wrongCrc, 'wrong CRC'],
    ['with HTML after its end', Buffer.concat([good, text('<script>alert(1)</script>')]), 'after its end'],
    ['with one byte after its end', Buffer.concat([good, text('\0')]), 'after its end'],
    [
      'of a huge header and few pixels',
      builtPng({ width: 100_000, height: 100_000 }, { pixels: new Uint8Array(4) }),
      'are allowed',
    ],
    ['one pixel too wide', builtPng({ width: 1_025, height: 1 }), 'are allowed'],
    ['of no height', builtPng({ width: 5, height: 0 }), 'are allowed'],
    [
      'of a small header and many pixels',
      builtPng(small, { pixels: new Uint8Array(200_000_000) }),
      'unpacked',
    ],
    ['of one byte too many', builtPng(small, { pixels: new Uint8Array(9) }), 'unpacked'],
    [
      'of too few pixels',
      builtPng({ width: 900, height: 900 }, { pixels: new Uint8Array(4) }),
      'fewer pixels',
    ],
    ['without pixels', Buffer.concat([good.subarray(0, 33), chunk('IEND', new Uint8Array())]), 'unpacked'],
    [
      'of pixels that are not packed',
      Buffer.concat([good.subarray(0, 33), chunk('IDAT', text('junk')), chunk('IEND', new Uint8Array())]),
      'unpacked',
    ],
    [
      'animated',
      builtPng(small, { extra: [chunk('acTL', Buffer.from('0000000200000000', 'hex'))] }),
      'animated',
    ],
    ['with two headers', builtPng(small, { extra: [good.subarray(8, 33)] }), 'two headers'],
    ['with an unknown critical chunk', builtPng(small, { extra: [chunk('ZZzz', text('x'))] }), 'critical'],
    ['with a chunk of no name', builtPng(small, { extra: [chunk('<<<<', text('x'))] }), 'four letters'],
    ['with data in its end', Buffer.concat([good.subarray(0, -12), chunk('IEND', text('x'))]), 'last chunk'],
    [
      'with chunks between its pixels',
      Buffer.concat([good.subarray(0, -12), chunk('tEXt', text('a\0b')), good.subarray(33)]),
      'between its pixels',
    ],
    ['of an unknown colour type', builtPng({ ...small, colour: 5 }), 'colour type'],
    [
      'of a depth that its colours cannot have',
      builtPng({ ...small, colour: 2, depth: 4 }),
      'colour type or depth',
    ],
    ['of an unknown interlace', builtPng({ ...small, interlace: 7 }), 'interlace'],
    [
      'with a palette cut off',
      builtPng({ ...small, colour: 3 }, { extra: [chunk('PLTE', text('ab'))] }),
      'palette',
    ],
    ['of indexed colours without a palette', builtPng({ ...small, colour: 3 }), 'palette'],
    [
      'of grey with a palette',
      builtPng(small, { extra: [chunk('PLTE', text('abc'))] }),
      'palette that its colours cannot have',
    ],
    [
      'with more transparency than its palette has colours',
      builtPng({ ...small, colour: 3 }, { extra: [chunk('PLTE', text('abc')), chunk('tRNS', text('ab'))] }),
      'transparency',
    ],
    [
      'with a row that no filter makes',
      builtPng(small, { pixels: Uint8Array.of(0, 1, 1, 1, 9, 1, 1, 1) }),
      'filter',
    ],
  ])('%s is refused', async (_, png, why) => {
    const refused = check(png);
    await expect(refused).rejects.toThrow(RangeError);
    await expect(refused).rejects.toThrow(why);
  });

  it('is refused before its pixels are unpacked when its header is too large', () => {
    const bomb = builtPng({ width: 1_025, height: 1_025 }, { pixels: new Uint8Array(0) });
    expect(() => readPng(bomb, 1_024)).toThrow('are allowed');
  });

  it('fails by a RangeError alone, whatever bytes are changed', async () => {
    const png = realPng(9, 7);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(png.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 }),
        async (changes) => {
          const changed = Buffer.from(png);
          for (const [at, to] of changes) changed[at] = to;
          if (changed.equals(png)) return;
          await expect(check(changed)).rejects.toThrow(RangeError);
        },
      ),
    );
  });

  it('fails by a RangeError alone, whatever the chunks hold, and what it accepts a decoder reads', async () => {
    const types = fc.constantFrom('PLTE', 'tRNS', 'IDAT', 'iCCP', 'tEXt', 'pHYs');
    const parts = fc.array(fc.tuple(types, fc.uint8Array({ maxLength: 40 })), { maxLength: 4 });
    const size = fc.record({
      width: fc.integer({ min: 1, max: 20 }),
      height: fc.integer({ min: 1, max: 20 }),
      colour: fc.constantFrom(0, 2, 3, 4, 6),
      interlace: fc.constantFrom(0, 1),
    });
    await fc.assert(
      fc.asyncProperty(size, parts, fc.uint8Array({ maxLength: 2_000 }), async (of, extra, pixels) => {
        const png = builtPng(of, { pixels, extra: extra.map(([type, data]) => chunk(type, data)) });
        const refusal: unknown = await check(png).catch((error: unknown) => error);
        if (refusal instanceof Error) expect(refusal).toBeInstanceOf(RangeError);
        else expect(() => decode(png)).not.toThrow();
      }),
    );
  });
});

describe('packed pixels', () => {
  it('are not unpacked beyond what the size needs', async () => {
    // 64 MiB packed to 64 KiB: far more than 3 × 2 pixels
    const bomb = builtPng({ width: 3, height: 2 }, { pixels: new Uint8Array(64 << 20) });
    expect(bomb.length).toBeLessThan(256 * 1_024);
    const before = process.memoryUsage();
    await expect(check(bomb)).rejects.toThrow('unpacked');
    expect(process.memoryUsage().arrayBuffers - before.arrayBuffers).toBeLessThan(8 << 20);
  });
});
