import '@fontsource-variable/inter/wght.css';
import '@fontsource-variable/jetbrains-mono/wght.css';
import '../style/tokens.css';
import '../style/base.css';
import './reference.css';
import { lendStorage } from './lent-storage.ts';
import { applyTheme, nextTheme, theme } from './theme.ts';

/**
 * A document of its own, in a sandbox (testnet/src/pages.ts): Scalar is foreign script, and must not read what the pages keep
 * in this browser. It is loaded as its package has built it (testnet/web/plugins/scalar.ts).
 */
async function show(): Promise<void> {
  lendStorage();
  // zod, which Scalar brings, would try `new Function` to learn that the page's policy forbids it
  Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
  const { createApiReference } = await import('@scalar/api-reference');
  createApiReference('#reference', configuration());
  document.getElementById('waiting')?.remove();
  theme.subscribe(paint);
  systemDark.addEventListener('change', paint);
}

const systemDark = matchMedia('(prefers-color-scheme: dark)');

function isDark(): boolean {
  return theme.value === 'system' ? systemDark.matches : theme.value === 'dark';
}

/** Scalar looks at what it was configured with once; its styles go by these classes. */
function paint(): void {
  document.body.classList.toggle('dark-mode', isDark());
  document.body.classList.toggle('light-mode', !isDark());
}

/** Both descriptions with a switch; what would ask or lead to other hosts is off, as the page's policy has it too. */
function configuration() {
  return {
    sources: [
      { title: 'Indexer: /v1', slug: 'indexer', url: '/openapi.yaml' },
      { title: 'App: /api', slug: 'app', url: '/api/openapi.yaml' },
    ],
    // whatever the descriptions name: examples of requests go to where this page comes from
    servers: [{ url: location.origin, description: 'This server' }],
    theme: 'none' as const,
    withDefaultFonts: false,
    forceDarkModeState: isDark() ? ('dark' as const) : ('light' as const),
    hideDarkModeToggle: true,
    hideClientButton: true,
    // from a sandbox no answer of the API can be read; each operation has its curl command instead
    hideTestRequestButton: true,
    showDeveloperTools: 'never' as const,
    telemetry: false,
    // without it a button per group stands for its endpoints, whose name for screen readers is not what it shows
    defaultOpenAllTags: true,
    agent: { disabled: true },
    mcp: { disabled: true },
    defaultHttpClient: { targetKey: 'shell' as const, clientKey: 'curl' as const },
  };
}

applyTheme();
const button = document.getElementById('theme');
theme.subscribe((value) => {
  button?.setAttribute('aria-label', `Theme: ${value}. Change it`);
  if (button !== null) button.textContent = value === 'system' ? '◐' : value === 'light' ? '○' : '●';
});
button?.addEventListener('click', nextTheme);
show().catch((error: unknown) => {
  const waiting = document.getElementById('waiting');
  if (waiting !== null)
    waiting.textContent = `The reference cannot be shown: ${String(error)}. Load the page again; the descriptions lie at /openapi.yaml and /api/openapi.yaml.`;
});
