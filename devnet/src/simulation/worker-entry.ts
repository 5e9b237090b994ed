/** The built entry of a simulation thread. Node 20 threads cannot load TypeScript, so the sources use it from dist/ too. */
export function simulationEntry(): string {
  const folder = import.meta.url.endsWith('.ts') ? '../../dist/simulation' : '.';
  return new URL(`${folder}/worker.cjs`, import.meta.url).href;
}
