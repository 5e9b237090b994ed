import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { status } from '../data/live.ts';
import { countText } from '../text/amounts.ts';
import css from './header.module.css';
import { PLACES, type Place } from './places.ts';
import { Search } from './search.tsx';
import { nextTheme, theme } from './theme.ts';

export function Header() {
  const { path } = useLocation();
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (path !== '' && menu.current !== null) menu.current.open = false;
  }, [path]);
  return (
    <header class={css.header}>
      <div class={css.bar}>
        <a class={css.brand} href="/" aria-label="Strata, overview">
          <Layers />
          Strata
        </a>
        <Search />
        <Height />
        <button
          type="button"
          class={css.theme}
          onClick={nextTheme}
          aria-label={`Theme: ${theme.value}. Change it`}
        >
          <span aria-hidden="true">
            {theme.value === 'system' ? '◐' : theme.value === 'light' ? '○' : '●'}
          </span>
        </button>
        <details class={css.menu} ref={menu}>
          <summary>Menu</summary>
          <nav aria-label="All pages">
            <Links path={path} places={PLACES} />
          </nav>
        </details>
      </div>
      <nav class={css.nav} aria-label="Pages of the site">
        <Links path={path} places={PLACES.filter(({ group }) => group === 'read')} />
        <span class={css.space} />
        <Links path={path} places={PLACES.filter(({ group }) => group === 'do')} />
      </nav>
    </header>
  );
}

function Links({ path, places }: { readonly path: string; readonly places: readonly Place[] }) {
  return (
    <>
      {places.map(({ href, text }) => (
        <a key={href} href={href} {...(isWithin(path, href) ? { 'aria-current': 'page' as const } : {})}>
          {text}
        </a>
      ))}
    </>
  );
}

/** `/block/7` lies within `/blocks`. */
function isWithin(path: string, href: string): boolean {
  if (href === '/') return path === '/';
  return path === href || path.startsWith(`${href.replace(/s$/, '')}/`);
}

/** The newest indexed block, as it grows. */
function Height() {
  const height = status.value?.indexed_height;
  return (
    <a
      class={css.height}
      href={height === undefined ? '/blocks' : `/block/${height}`}
      title="Newest indexed block"
    >
      <span class="visually-hidden">Newest indexed block </span>
      {height === undefined ? '…' : countText(height)}
    </a>
  );
}

function Layers() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <path fill="var(--what-transfers)" d="M1 2h18v3H1z" />
      <path fill="var(--accent)" d="M1 6.3h11v3H1z" />
      <path fill="var(--what-assets)" d="M1 10.6h14v3H1z" />
      <path fill="var(--what-transfers)" d="M1 15h7v3H1z" />
    </svg>
  );
}
