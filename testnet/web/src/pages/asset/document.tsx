import { useMemo } from 'preact/hooks';
import { type LaunchDocument, useDocument, useDocumentName } from '../../data/documents.ts';
import { Answer, Empty } from '../../parts/answer.tsx';
import { Badge } from '../../parts/badge.tsx';
import { ChainText } from '../../parts/chain-text.tsx';
import { Hash } from '../../parts/hash.tsx';
import { Section } from '../../parts/page.tsx';
import { TEMPLATE_WORDS } from '../../text/assets.ts';
import { documentHash } from '../../text/document-hash.ts';
import css from './asset.module.css';

/** What the asset's issuer says of it: the launchpad's document of the hash that stands on the chain. */
export function Document({ metaHash }: { readonly metaHash: string }) {
  const { data: name } = useDocumentName(metaHash);
  const asked = useDocument(metaHash);
  return (
    <Section title="What its issuer says">
      {metaHash === '' ? (
        <Empty>
          Nothing: the asset names no document on the chain, so that all there is to know about it stands
          below.
        </Empty>
      ) : name === null ? (
        <Unknown metaHash={metaHash} />
      ) : (
        <Answer asked={asked} rows={7}>
          {(document) =>
            document === null ? (
              <Unknown metaHash={metaHash} />
            ) : (
              <Known document={document} metaHash={metaHash} />
            )
          }
        </Answer>
      )}
    </Section>
  );
}

function Unknown({ metaHash }: { readonly metaHash: string }) {
  return (
    <p>
      The chain has the hash of a document, <Hash value={metaHash} what="document hash" />, but the launchpad
      here knows no document with it. Whoever shows you one can be checked: its hash must be this.
    </p>
  );
}

function Known({ document, metaHash }: { readonly document: LaunchDocument; readonly metaHash: string }) {
  const { name, symbol, description, template, notice, logo } = document;
  return (
    <>
      <p class={css.notice} role="note">
        <strong>{notice}</strong>
      </p>
      <div class={css.document}>
        {logo === undefined ? (
          <span class={`${css.logo} ${css.noLogo}`} aria-hidden="true">
            {symbol.slice(0, 4)}
          </span>
        ) : (
          <img
            class={css.logo}
            src={`/api/launchpad/metadata/${metaHash}/logo`}
            width="72"
            height="72"
            alt=""
          />
        )}
        <div class={css.said}>
          <h3>
            <ChainText text={name} />{' '}
            <span class="soft">
              <ChainText text={symbol} />
            </span>
          </h3>
          <p class="soft">{TEMPLATE_WORDS[template]}</p>
          {description === '' ? (
            <p class="soft">It has no description.</p>
          ) : (
            <p class={css.description}>
              <ChainText text={description} />
            </p>
          )}
          <Checked document={document} metaHash={metaHash} />
        </div>
      </div>
    </>
  );
}

/** The page computes the hash itself: it need not believe the launchpad. */
function Checked({ document, metaHash }: { readonly document: LaunchDocument; readonly metaHash: string }) {
  const hash = useMemo(() => documentHash(document), [document]);
  return (
    <p class={css.list}>
      {hash === metaHash ? (
        <Badge tone="good">matches the hash on chain</Badge>
      ) : (
        <Badge tone="bad">is not the document on chain</Badge>
      )}
      <Hash value={metaHash} what="document hash" />
      {hash !== metaHash && (
        <span>
          What is shown here has the hash <Hash value={hash} what="hash" /> and is not what the chain names.
          Do not rely on it.
        </span>
      )}
    </p>
  );
}
