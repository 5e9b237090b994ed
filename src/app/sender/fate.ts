import { accountState } from '../../devnet/client/accounts.ts';
import type { Included } from '../../devnet/client/node.ts';
import type { Chain } from '../chain.ts';
import type { SignedTx } from '../sender.ts';

/**
 * What became of signed bytes. `never` is certain: the chain's own state, not the node's index of txs alone, says that no
 * block will take them. An ante failure stands in a block too, but leaves the sequence, so that the same bytes may still
 * come: `included` is told of it only when they no longer can.
 */
export type Fate =
  | { readonly state: 'included'; readonly tx: Included }
  | { readonly state: 'never'; readonly by: 'timeout' | 'sequence' }
  | { readonly state: 'open' };

export type Trace = Pick<SignedTx, 'hash' | 'sequence' | 'timeoutHeight'>;

export interface FateWatch {
  /** Asks once. Errors: ClientError. */
  look(): Promise<{ readonly fate: Fate; readonly height: number }>;
}

/** Of one tx of an account; it remembers since when the sequence is past, so that one watch is asked again and again. */
export function watchFate(
  { codec, node }: Pick<Chain, 'codec' | 'node'>,
  address: string,
  trace: Trace,
): FateWatch {
  /** The height at which the account's sequence was first seen beyond the tx's. */
  let goneAt: number | undefined;

  async function fateAt(height: number): Promise<Fate> {
    const sequence = (await accountState(codec, node, address))?.sequence ?? 0n;
    const isGone = sequence > trace.sequence;
    if (isGone) goneAt ??= (await node.status()).height;
    const found = await node.tx(trace.hash);
    if (found !== undefined && (found.code === 0 || (isGone && !lostSequence(found)))) {
      return { state: 'included', tx: found };
    }
    if (isGone) {
      // the index of txs may be a block behind the state
      if (goneAt === undefined || height <= goneAt) return { state: 'open' };
      return found === undefined || lostSequence(found)
        ? { state: 'never', by: 'sequence' }
        : { state: 'included', tx: found };
    }
    // a node tells of a block before it has executed it: one more
    if (BigInt(height) <= trace.timeoutHeight + 1n) return { state: 'open' };
    return found === undefined || lostSequence(found)
      ? { state: 'never', by: 'timeout' }
      : { state: 'included', tx: found };
  }

  return {
    async look() {
      const { height } = await node.status();
      return { fate: await fateAt(height), height };
    },
  };
}

/** Another tx of the account came first: sdk/32 comes from the ante alone. */
export function lostSequence({ codespace, code }: Pick<Included, 'codespace' | 'code'>): boolean {
  return codespace === 'sdk' && code === 32;
}
