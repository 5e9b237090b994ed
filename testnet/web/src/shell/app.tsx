import { QueryClientProvider } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { LocationProvider } from 'preact-iso';
import { followStatus } from '../data/live.ts';
import { queries } from '../data/queries.ts';
import { followWallet } from '../wallet/in-use.ts';
import css from './app.module.css';
import { Header } from './header.tsx';
import { Keys } from './keys.tsx';
import { Pages } from './pages.tsx';
import { keepPlaces } from './scroll-place.ts';
import { StatusLine } from './status-line.tsx';
import { theme } from './theme.ts';

/** What the app's server or the indexer answers itself is no page. */
const PAGES = /^\/(?!api\/|v1\/|reference|openapi\.yaml|assets\/.*\.)/;

export function App() {
  useEffect(() => {
    keepPlaces();
    followStatus();
    followWallet();
  }, []);
  return (
    <QueryClientProvider client={queries}>
      <LocationProvider scope={PAGES}>
        <a class={css.skip} href="#main">
          Skip to the page
        </a>
        <Header />
        <StatusLine />
        <main id="main" class={css.main}>
          <Pages />
        </main>
        <footer class={css.footer}>
          <span>Strata: a testnet. Coins and assets here have no value.</span>
          <nav aria-label="More">
            {/* it is sandboxed, and cannot read which theme was chosen */}
            <a href={theme.value === 'system' ? '/reference' : `/reference?theme=${theme.value}`}>
              API reference
            </a>
            <a href="/openapi.yaml">openapi.yaml</a>
            {/* what its licence asks for (its NOTICE, and a link) */}
            <span>
              Charts: TradingView Lightweight Charts™, © 2026{' '}
              <a href="https://www.tradingview.com/">TradingView, Inc.</a>
            </span>
          </nav>
        </footer>
        <Keys />
      </LocationProvider>
    </QueryClientProvider>
  );
}
