import { useEffect, useState } from 'preact/hooks';
import type { Tx } from '../../../../clients/ts/src/client.ts';
import { useAnswer } from './answers.ts';
import { told, v1 } from './client.ts';
import { isThere } from './lookup.ts';
import { type Asked, useAsk } from './queries.ts';

/** How long a page that was told to wait goes on asking. */
const WAIT_MS = 60_000;
const EVERY_MS = 1_000;

export interface AwaitedTx extends Asked<Tx> {
  /** What the page waits for is not indexed yet. */
  readonly isAwaited: boolean;
  /** It did not come in a minute. */
  readonly isTooLate: boolean;
}

/** A tx by either hash. With `waits` it is looked for every second for a minute, and asked for once it is there. */
export function useTx(hash: string, waits: boolean): AwaitedTx {
  const [isTooLate, setTooLate] = useState(false);
  useEffect(() => {
    setTooLate(false);
    if (!waits || hash === '') return;
    const timer = setTimeout(() => setTooLate(true), WAIT_MS);
    return () => clearTimeout(timer);
  }, [hash, waits]);
  const [isFound, setFound] = useState(false);
  const looked = useAsk(['tx-there', hash], () => isThere('tx', hash), {
    enabled: waits && !isFound && !isTooLate,
    everyMs: EVERY_MS,
  });
  useEffect(() => setFound(looked.data === true), [looked.data, hash]);
  const tx = useAnswer(
    ['tx', hash.toLowerCase()],
    () => told(v1.GET('/v1/txs/{hash}', { params: { path: { hash } } })),
    { enabled: !waits || isFound || looked.error !== undefined, staysAsItIs: true },
  );
  return { ...tx, isAwaited: waits && !isFound && looked.error === undefined, isTooLate };
}
