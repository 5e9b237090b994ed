import type { Plugin } from 'vite';

/** The two that every page has something in (the header's own text, and the key beside its search): a browser warns of others. */
const FIRST = /^assets\/(?:inter|jetbrains-mono)-latin-wght-normal-.*\.woff2$/;

/**
 * Text never changes its font once it is read, which would move it: a font that has not come when it is first needed is left
 * out until the next visit, and those that every page needs are asked for with the page's script.
 */
export function fonts(): Plugin {
  return {
    name: 'strata:fonts',
    transform: {
      filter: { id: /@fontsource-variable\/.*\.css$/ },
      handler: (code) => code.replaceAll('font-display: swap', 'font-display: optional'),
    },
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle, path }) {
        if (path !== '/index.html') return [];
        if (bundle === undefined) return [];
        const files = Object.keys(bundle).filter((name) => FIRST.test(name));
        if (files.length !== 2)
          throw new Error(`two fonts are to be preloaded, and there are ${files.length}`);
        return files.map((file) => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
          injectTo: 'head',
        }));
      },
    },
  };
}
