import { useAssetFacts } from '../data/assets.ts';
import { useDocumentName } from '../data/documents.ts';
import { shorten } from '../text/shorten.ts';
import css from './asset-link.module.css';
import { ChainText } from './chain-text.tsx';
import { Copy } from './copy.tsx';

/**
 * An asset: its document's name and symbol with the id shortened, or the id alone. Whoever knows the hash of its document
 * tells it (empty: it has none); otherwise the asset is asked for. `isBare` leaves out the button that copies it.
 */
export function AssetLink({
  id,
  metaHash,
  isBare = false,
}: {
  readonly id: string;
  readonly metaHash?: string;
  readonly isBare?: boolean;
}) {
  const { data: facts } = useAssetFacts(metaHash === undefined ? id : undefined);
  const { data: document } = useDocumentName(metaHash ?? facts?.metaHash);
  const short = shorten(id, 6, 4);
  return (
    <span class={css.asset} title={id}>
      {document === undefined || document === null ? (
        <a class="mono" href={`/asset/${id}`}>
          {short}
        </a>
      ) : (
        <a href={`/asset/${id}`}>
          <span class={css.name}>
            <ChainText text={document.name} />
          </span>{' '}
          <span class={css.symbol}>
            <ChainText text={document.symbol} />
          </span>{' '}
          <span class={css.id}>{short}</span>
        </a>
      )}
      {!isBare && <Copy text={id} what="asset id" />}
    </span>
  );
}
