import { base64, hex } from '@scure/base';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import type { ChainFacts } from '../../data/chain.ts';
import { askApp } from '../../data/client.ts';
import { type AskError, asAskError } from '../../data/errors.ts';
import { nowMs } from '../../data/live.ts';
import { queries, useAsk } from '../../data/queries.ts';
import { Amount } from '../../parts/amount.tsx';
import { Failed, Waiting } from '../../parts/answer.tsx';
import { ButtonLink } from '../../parts/button.tsx';
import { ChainText } from '../../parts/chain-text.tsx';
import { Hash } from '../../parts/hash.tsx';
import { Facts } from '../../parts/page.tsx';
import { SignAndFollow } from '../../sign/sign-and-follow.tsx';
import { documentHash } from '../../text/document-hash.ts';
import { KIND_WORDS } from '../../text/kinds.ts';
import { readAmount } from '../../text/typed-amount.ts';
import { chainAccess } from '../../wallet/access.ts';
import { accountOf, bech32Of } from '../../wallet/address.ts';
import { assetIdOf } from '../../wallet/asset-id.ts';
import type { KeptWallet } from '../../wallet/kept.ts';
import { loadTypes } from '../../wallet/load-types.ts';
import { queryChain } from '../../wallet/prepare.ts';
import { documentOf, type Refused, refusedOf } from './document.ts';
import { clearDraft, draft, draftRefused, draftSent } from './draft.ts';
import css from './launch.module.css';
import { DECIMALS, dayOf, kindsOf, launchMessages } from './plan.ts';

const ASK_MS = 3_000;

/** The document goes to the launchpad, the asset's id is derived, and one tx is signed. */
export function ReviewStep({
  kept,
  chain,
  onRefused,
  onBack,
}: {
  readonly kept: KeptWallet;
  readonly chain: ChainFacts;
  onRefused(refused: Refused): void;
  onBack(): void;
}) {
  const { route } = useLocation();
  const [plan] = useState(draft.value);
  const posted = usePosted(onRefused);
  // the number stays as it was signed: the account's next one changes once a block holds the tx
  const [sentNonce, setSentNonce] = useState<string | undefined>();
  const isSent = sentNonce !== undefined;
  const nonce = useNextNonce(chain, kept.address, !isSent);
  const [first, setFirst] = useState<string | undefined>();
  useEffect(() => {
    if (first === undefined && nonce.data !== undefined) setFirst(nonce.data);
  }, [nonce.data]);
  const nextNonce = sentNonce ?? nonce.data;
  const issuer = accountOf(kept.address, chain.hrp);
  const assetId =
    nextNonce === undefined || issuer === undefined
      ? undefined
      : assetIdOf(chain.namespace, issuer, BigInt(nextNonce));
  const kinds = useMemo(() => kindsOf(plan, dayOf(nowMs.value)), [plan]);
  const units = readAmount(plan.supply, DECIMALS).units ?? 0n;
  const to = accountOf(plan.recipient, chain.hrp);
  const recipient = to === undefined ? kept.address : bech32Of(chain.hrp, to);
  const metaHash = posted.metaHash;
  const action = useMemo(
    () =>
      metaHash === undefined || assetId === undefined
        ? undefined
        : {
            messages: launchMessages({
              namespace: chain.namespace,
              issuer: kept.address,
              recipient,
              stableDenom: chain.stable_denom,
              metaHash: base64.encode(hex.decode(metaHash)),
              assetId,
              kinds,
              units,
            }),
          },
    [metaHash, assetId, kept.address, recipient],
  );
  if (posted.error !== undefined) return <Failed error={posted.error} retry={posted.retry} />;
  if (nonce.error !== undefined) return <Failed error={nonce.error} retry={nonce.retry} />;
  if (action === undefined || assetId === undefined || metaHash === undefined) return <Waiting rows={8} />;
  return (
    <>
      <Facts
        rows={[
          ['Name', <ChainText key="name" text={documentOf(plan).name} />],
          ['Symbol', documentOf(plan).symbol],
          [
            'Kinds',
            kinds.map(({ class: kindClass, term }, at) => (
              <div key={at}>
                {at}: {KIND_WORDS[kindClass].name}
                {term !== undefined && ` until ${term.ends_at.slice(0, 10)}`}
              </div>
            )),
          ],
          ['Units of each', <Amount key="units" value={units} decimals={DECIMALS} maxFraction={DECIMALS} />],
          ['Document', <Hash key="hash" value={metaHash} what="document hash" />],
          [
            'Id of the asset',
            <span key="id" class={css.id}>
              <Hash value={assetId} whole what="asset id" />
            </span>,
          ],
        ]}
      />
      {first !== undefined && first !== nextNonce && !isSent && (
        <p class={css.notice} role="status">
          This account has created another asset meanwhile, in another window perhaps. Its number is taken, so
          the id was derived anew.
        </p>
      )}
      <SignAndFollow
        title="Launch the asset"
        action={action}
        onClose={onBack}
        onSent={() => {
          setSentNonce(nextNonce);
          draftSent();
        }}
        onRefused={() => {
          setSentNonce(undefined);
          draftRefused();
        }}
        onDone={() => {
          route(`/asset/${assetId}`);
          clearDraft();
        }}
        next={<ButtonLink href={`/asset/${assetId}`}>Open the asset's page</ButtonLink>}
      />
    </>
  );
}

/** The document's hash, once the launchpad has it and says the same as is reckoned here. */
function usePosted(onRefused: (refused: Refused) => void) {
  const [state, setState] = useState<{ readonly metaHash?: string; readonly error?: AskError }>({});
  const [round, setRound] = useState(0);
  useEffect(() => {
    const document = documentOf(draft.value);
    const expected = documentHash(document);
    let isOver = false;
    const post = async (): Promise<void> => {
      try {
        const { meta_hash } = await askApp<{ readonly meta_hash: string }>(
          '/api/launchpad/metadata',
          document,
        );
        if (meta_hash !== expected) throw new Error('the launchpad has kept another document than was sent');
        if (!isOver) setState({ metaHash: meta_hash });
      } catch (failed) {
        const error = asAskError(failed);
        if (isOver) return;
        if (error.status === 400 || error.status === 413) onRefused(refusedOf(error.message));
        else setState({ error });
      }
    };
    void post();
    return () => {
      isOver = true;
    };
  }, [round]);
  return {
    ...state,
    retry: () => {
      setState({});
      setRound(round + 1);
    },
  };
}

/** How many assets the account has created, which the next one's id is made of. Left alone once ours is on its way. */
function useNextNonce(chain: ChainFacts, issuer: string, follows: boolean) {
  // what was told on an earlier visit would look like a change
  useState(() => queries.removeQueries({ queryKey: ['next-nonce'] }));
  return useAsk(
    ['next-nonce', issuer],
    async () => {
      const types = await loadTypes(chain.namespace);
      const path = `/${chain.namespace}.asset.v1.Query/NextNonce`;
      const { next_nonce } = await queryChain(types, chainAccess, path, { issuer });
      return String(next_nonce);
    },
    { enabled: follows, ...(follows ? { everyMs: ASK_MS } : {}) },
  );
}
