/**
 * Where a thread's entry lies: beside the build when Strata runs from dist/, in the sources when tests or benches run
 * TypeScript through tsx.
 */
export function workerEntry(name: 'decode' | 'writer'): {
  readonly filename: string;
  readonly execArgv: string[];
} {
  const fromSources = import.meta.url.endsWith('.ts');
  return {
    filename: new URL(`../../workers/${name}.${fromSources ? 'ts' : 'js'}`, import.meta.url).href,
    execArgv: fromSources ? ['--import', 'tsx'] : [],
  };
}
