import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import css from './page.module.css';

/** A page's frame: its title, which the window bears too, what stands beside it, and its sections. */
export function Page({
  title,
  lead,
  aside,
  children,
}: {
  readonly title: string;
  /** One sentence under the title. */
  readonly lead?: ComponentChildren;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title === 'Strata' ? title : `${title} · Strata`;
  }, [title]);
  useEffect(() => {
    // who hears the page is told of the new one; the first is announced by the browser
    if (document.activeElement === document.body || document.activeElement?.isConnected === false)
      heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div class={css.page}>
      <header class={css.head}>
        <div class={css.titles}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {lead !== undefined && <p class={css.lead}>{lead}</p>}
        </div>
        {aside !== undefined && <div class={css.aside}>{aside}</div>}
      </header>
      {children}
    </div>
  );
}

export function Section({
  title,
  aside,
  children,
}: {
  readonly title: string;
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={css.section} aria-label={title}>
      <header class={css.sectionHead}>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** Names and values, one a line. Undefined values are left out. */
export function Facts({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <dl class={css.facts}>
      {rows
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** A few figures side by side, each with its name above it. */
export function Figures({
  rows,
}: {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
}) {
  return (
    <dl class={css.figures}>
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
