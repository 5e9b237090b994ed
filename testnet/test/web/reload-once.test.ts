import { describe, expect, it } from 'vitest';
import { mayReloadFor } from '../../web/src/data/reload-once.ts';

const keeping = () => {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
};

describe('a page that cannot load a part of itself', () => {
  it('is loaded anew once for each build, not again and again', () => {
    const kept = keeping();
    expect(mayReloadFor('/assets/index-a.js', kept)).toBe(true);
    expect(mayReloadFor('/assets/index-a.js', kept)).toBe(false);
    expect(mayReloadFor('/assets/index-b.js', kept)).toBe(true);
    expect(mayReloadFor('/assets/index-b.js', kept)).toBe(false);
  });

  it('is not loaded anew by itself where the browser keeps nothing', () => {
    const forgets = { getItem: () => null, setItem: () => undefined };
    expect(mayReloadFor('/assets/index-a.js', forgets)).toBe(false);
    const refuses = {
      getItem: () => null,
      setItem: () => {
        throw new Error('the quota is exceeded');
      },
    };
    expect(mayReloadFor('/assets/index-a.js', refuses)).toBe(false);
  });
});
