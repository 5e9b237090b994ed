import { setTimeout as sleep } from 'node:timers/promises';
import type { Included, Node } from 'strata-kit/client/node';

/** Between two looks. */
const POLL_MS = 50;

/** Waits until a block holds the tx, by its hash (upper-case hex). Errors: an Error when none does in time. */
export async function inclusionOf(
  node: Pick<Node, 'tx'>,
  hash: string,
  deadlineMs: number,
): Promise<Included> {
  const until = performance.now() + deadlineMs;
  for (;;) {
    const included = await node.tx(hash);
    if (included !== undefined) return included;
    if (performance.now() > until) throw new Error(`no block holds ${hash} after ${deadlineMs} ms`);
    await sleep(POLL_MS);
  }
}
