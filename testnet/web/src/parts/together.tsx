import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Asked } from '../data/queries.ts';
import { Waiting } from './answer.tsx';

/** Long enough for five questions on a slow link, of which each needs the one before. */
const PATIENCE_MS = 15_000;

/**
 * What would move each other if one came after the other: shown once all that was asked for is answered, or failed, or has
 * had its time, and then for good. Each still shows its own answer or failure. Give it a key where a page may change over to
 * something else.
 */
export function Together({
  asked,
  rows,
  children,
}: {
  readonly asked: readonly Pick<Asked<unknown>, 'isWaiting'>[];
  readonly rows: number;
  readonly children: ComponentChildren;
}) {
  const isShown = useRef(false);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE_MS);
    return () => clearTimeout(timer);
  }, []);
  if (isLate || asked.every(({ isWaiting }) => !isWaiting)) isShown.current = true;
  return isShown.current ? children : <Waiting rows={rows} />;
}
