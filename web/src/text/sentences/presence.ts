import { isFailed } from '../../../../src/app/what.ts';
import { textOf } from './fields.ts';
import { reasonOf, type SentenceTx } from './txs.ts';

/** Whether an asset is on the chain, as far as a tx that names it tells. */
export type Presence = 'there' | 'missing' | 'unsure';

const everywhere = (): Presence => 'there';
const CREATES = /\.MsgCreateAsset$/;

/**
 * What a tx was done with is there. A failed one may name what never came to be: its reason tells of most, since a chain
 * that finds fault with an asset has found it, unless the tx itself was to create it.
 */
export function presenceIn(tx: SentenceTx): (assetId: string) => Presence {
  if (!isFailed(tx)) return everywhere;
  const reason = reasonOf(tx);
  const isCreating = tx.msgs.some((message) => CREATES.test(textOf(message, '@type')));
  return (id) => {
    if (reason.includes(`no asset ${id}`) || reason.includes(`unknown asset ${id}`)) return 'missing';
    const isNamed = reason.includes(`asset ${id}`) || reason.includes(`asset/${id}`);
    return isNamed && !isCreating ? 'there' : 'unsure';
  };
}
