const ENTRIES = { decode: 'decode.cjs', writer: 'writer.js' } as const;

/**
 * Where a thread's built entry lies. Node 20 threads cannot load TypeScript, so tests and benches that run the sources
 * take the entries from dist/, which their start-up builds.
 */
export function workerEntry(name: keyof typeof ENTRIES): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../dist/workers' : '../../workers';
  return new URL(`${folder}/${ENTRIES[name]}`, import.meta.url).href;
}
