import { countText } from '../text/amounts.ts';
import { Hash } from './hash.tsx';

/** Where something happened. `tx_hash` is null where the chain did it in a block, by no transaction. */
interface Place {
  readonly tx_hash: string | null;
  readonly height: number;
}

/** The page of the transaction, or of the block that did it by itself. */
export function placeHref({ tx_hash, height }: Place): string {
  return tx_hash === null ? `/block/${height}` : `/tx/${tx_hash}`;
}

/** A link to it. */
export function TxOrBlock({ tx_hash, height }: Place) {
  if (tx_hash !== null) return <Hash value={tx_hash} href={`/tx/${tx_hash}`} what="transaction hash" />;
  return <a href={`/block/${height}`}>block {countText(height)}, by itself</a>;
}

/** `, by <hash>` after the block in which a record was created; nothing where the block did it by itself. */
export function ByTx({ hash }: { readonly hash: string | null }) {
  if (hash === null) return null;
  return (
    <>
      , by <Hash value={hash} href={`/tx/${hash}`} what="transaction hash" />
    </>
  );
}
