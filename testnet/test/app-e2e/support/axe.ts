import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** What axe-core calls serious or critical on the page as it stands, each with the elements that it is about. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  // through the debugger, since the page's policy allows no other script
  await page.evaluate(SOURCE);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Finding[] }> } };
    return (await axe.run()).violations;
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, impact, help, nodes }) => {
      const elements = nodes
        .slice(0, 3)
        .map(({ html, failureSummary = '' }) => `${html}\n    ${failureSummary}`);
      return `${impact} ${id}: ${help}, ${nodes.length} elements:\n  ${elements.join('\n  ')}`;
    });
}
