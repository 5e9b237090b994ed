import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { lazy } from 'preact-iso';
import { openBuild, servedBuild } from '../data/build.ts';
import { mayReloadFor } from '../data/reload-once.ts';
import css from './answer.module.css';
import { Waiting } from './answer.tsx';
import { Button } from './button.tsx';

/** A part of the pages that is loaded when it is shown first. Where it cannot be loaded, it says so and what to do. */
export function lazyPart<P>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  return lazy(() => load().catch(() => Unloaded as ComponentType<P>)) as ComponentType<P>;
}

/**
 * In the place of what could not be loaded. A browser keeps a failed import as long as the document is open, also that of a
 * file which the chunk needs, so only the whole page loaded anew helps. Once the app answers, that is done once for each
 * build: after a new version, or where a file did not come. From then on a button does it.
 */
function Unloaded() {
  const [state, setState] = useState<'looking' | 'new' | 'failed'>('looking');
  const [tries, setTries] = useState(0);
  useEffect(() => {
    const left = new AbortController();
    void look(left.signal, tries > 0, setState);
    return () => left.abort();
  }, [tries]);
  if (state === 'looking') return <Waiting rows={4} />;
  if (state === 'new')
    return (
      <div class={css.failed} role="status">
        <strong>There is a new version of these pages.</strong>
        <p>It is being loaded.</p>
      </div>
    );
  return (
    <div class={css.failed} role="alert">
      <strong>A part of this page could not be loaded.</strong>
      <p>
        Look at your connection, or whether the app still runs. What you were doing elsewhere is not affected.
      </p>
      <Button
        onClick={() => {
          setState('looking');
          setTries(tries + 1);
        }}
      >
        Load the page again
      </Button>
    </div>
  );
}

async function look(
  signal: AbortSignal,
  isAsked: boolean,
  setState: (state: 'new' | 'failed') => void,
): Promise<void> {
  const served = await servedBuild(signal);
  if (signal.aborted) return;
  if (served === undefined || !(mayReloadFor(served, sessionStorage) || isAsked)) {
    setState('failed');
    return;
  }
  if (served !== openBuild()) setState('new');
  location.reload();
}
