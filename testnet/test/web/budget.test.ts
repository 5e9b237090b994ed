import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';

/** What is built of web/, held against the budget of docs/web.md. */

const WEB = join(import.meta.dirname, '..', '..', 'dist', 'web');
const FIRST_PAGE_BYTES = 150_000;

const read = (name: string) => readFileSync(join(WEB, name), 'utf8');
const files = () => readdirSync(WEB, { recursive: true, encoding: 'utf8' });

/** The scripts that a document names, and what those import at once. */
function scriptsOf(document: string): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    found.add(name);
    for (const [, , imported = ''] of read(name).matchAll(/\b(from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
      visit(`assets/${basename(imported)}`);
  };
  for (const [, name = ''] of read(document).matchAll(/(?:src|href)="\/([^"]+\.js)"/g)) visit(name);
  return found;
}

const compressedBytes = (name: string) => {
  const path = join(WEB, `${name}.br`);
  return readFileSync(existsSync(path) ? path : join(WEB, name)).length;
};

describe('the built pages', () => {
  let first: readonly string[];
  beforeAll(() => {
    first = [...scriptsOf('index.html')];
  });

  it(`load at most ${FIRST_PAGE_BYTES} bytes of compressed script for the first page`, () => {
    const sizes = first.map((name) => [name, compressedBytes(name)] as const);
    const sum = sizes.reduce((total, [, bytes]) => total + bytes, 0);
    process.stdout.write(`first page: ${sum} bytes of compressed script in ${sizes.length} files\n`);
    expect(sum, JSON.stringify(sizes)).toBeLessThanOrEqual(FIRST_PAGE_BYTES);
    // below that it would be the search above that has found too little
    expect(sum).toBeGreaterThan(10_000);
  });

  it('keep what is heavy out of the first page', () => {
    const text = first.map(read).join('\n');
    for (const word of ['scalar', 'crosshairMarkerVisible', 'secp256k1', 'DescriptorProto'])
      expect(text.includes(word), word).toBe(false);
  });

  it('hold no script, style or handler within a document', () => {
    for (const document of files().filter((name) => name.endsWith('.html'))) {
      expect(read(document), document).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
      expect(read(document), document).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
    }
  });

  it('lie beside themselves, compressed', () => {
    const scripts = files().filter((name) => /\.(js|css)$/.test(name));
    expect(scripts.length).toBeGreaterThan(10);
    for (const name of scripts) {
      const bytes = readFileSync(join(WEB, name));
      if (bytes.length < 1_024) continue;
      expect(brotliDecompressSync(readFileSync(join(WEB, `${name}.br`))).equals(bytes), name).toBe(true);
      expect(gunzipSync(readFileSync(join(WEB, `${name}.gz`))).equals(bytes), name).toBe(true);
    }
  });

  it('publish no source maps', () => {
    expect(files().filter((name) => name.endsWith('.map'))).toEqual([]);
    const naming = files().filter((name) => /\.(js|css)$/.test(name) && /sourceMappingURL=/.test(read(name)));
    expect(naming).toEqual([]);
  });
});
