import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { type ChainFacts, useChain } from '../data/chain.ts';
import { Waiting } from '../parts/answer.tsx';
import { Button } from '../parts/button.tsx';
import { Json } from '../parts/json.tsx';
import { Facts } from '../parts/page.tsx';
import type { FollowedTx } from '../wallet/follow.ts';
import { wallet } from '../wallet/in-use.ts';
import type { KeptWallet } from '../wallet/kept.ts';
import type { PreparedTx } from '../wallet/prepare.ts';
import { type Action, type EthereumCall, WALLET_NAMES } from '../wallet/wallet.ts';
import { FaucetButton } from './faucet-button.tsx';
import { Coins, MessageWords } from './message-words.tsx';
import { ProgressSteps } from './progress-steps.tsx';
import css from './sign.module.css';
import { isDecided, type Stage, useSigning } from './use-signing.ts';
import { WalletNeeded } from './wallet-needed.tsx';

export interface SignAndFollowProps {
  /** The same object as long as it is the same action: a new one is prepared anew. */
  readonly action: Action;
  /** `Send coins` */
  readonly title: string;
  /** What the messages alone do not say, such as what a settlement moves. */
  readonly more?: ComponentChildren;
  /** Back to where the action came from. */
  onClose(): void;
  /** Once it is signed and kept, before it is handed over: a block may hold it before the answer comes. */
  onSent?(): void;
  /** Once the chain has refused what was sent. */
  onRefused?(): void;
  /** Once it is indexed and has not failed. */
  onDone?(tx: FollowedTx): void;
  /** Where to go from there. */
  readonly next?: ComponentChildren;
}

/** Says in words what is about to be signed, asks the wallet, and tells what becomes of it until it is indexed. */
export function SignAndFollow(props: SignAndFollowProps) {
  const { data: chain } = useChain();
  const kept = wallet.value;
  if (kept === undefined) return <WalletNeeded />;
  if (chain === undefined) return <Waiting rows={4} />;
  return <Signing {...props} kept={kept} chain={chain} />;
}

function Signing({
  action,
  title,
  more,
  onClose,
  onSent,
  onRefused,
  onDone,
  next,
  kept,
  chain,
}: SignAndFollowProps & { readonly kept: KeptWallet; readonly chain: ChainFacts }) {
  const { stage, sign, again, forget } = useSigning(action, title, kept, chain, {
    onSent,
    onRefused,
    onDone,
  });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const isEarlier = stage.at === 'following' && stage.isEarlier;
  return (
    <section class={css.panel} aria-label={title}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {!isEarlier && (
        <div class={css.words}>
          <MessageWords messages={action.messages} />
          {more}
        </div>
      )}
      <div class={css.stage} aria-live="polite">
        {stage.at === 'preparing' && <p class="soft">Asking the chain what this costs…</p>}
        {stage.at === 'review' && (
          <>
            {stage.before !== undefined && (
              <p>
                <strong>{stage.before.title}</strong>, which was sent from this account before, is done.
              </p>
            )}
            {stage.tx !== undefined && <Cost tx={stage.tx} kept={kept} chain={chain} />}
            {stage.call !== undefined && <CallCost call={stage.call} />}
            <div class={css.buttons}>
              <Button kind="main" onClick={sign}>
                {kept.kind === 'burner' ? 'Sign and send' : `Continue in ${WALLET_NAMES[kept.kind]}`}
              </Button>
              <Button onClick={onClose}>Back</Button>
            </div>
          </>
        )}
        {stage.at === 'signing' && (
          <p class="soft">
            {kept.kind === 'burner'
              ? 'Sending…'
              : `Waiting for ${WALLET_NAMES[kept.kind]}: look at its window.`}
          </p>
        )}
        {stage.at === 'following' && (
          <Following stage={stage} next={next} onAgain={again} onForget={forget} onClose={onClose} />
        )}
        {stage.at === 'stopped' && (
          <div class={css.stopped} role="alert">
            <strong>This cannot be done as it is.</strong>
            <p>{stage.stop.text}</p>
            {stage.stop.needsCoins && <FaucetButton address={kept.address} onPaid={again} />}
          </div>
        )}
        {stage.at === 'stopped' && (
          <div class={css.buttons}>
            <Button onClick={again}>Try again</Button>
            <Button onClick={onClose}>Back</Button>
          </div>
        )}
      </div>
    </section>
  );
}

/** As long as it is not decided there is no button that signs anything. */
function Following({
  stage: { pending, progress, isEarlier },
  next,
  onAgain,
  onForget,
  onClose,
}: {
  readonly stage: Extract<Stage, { at: 'following' }>;
  readonly next: ComponentChildren;
  onAgain(): void;
  onForget(): void;
  onClose(): void;
}) {
  const isOver = isDecided(progress);
  const isLost = progress.at === 'unseen' || (progress.at === 'waiting' && !progress.isTaken);
  const mayForget = progress.at === 'unseen' && progress.why !== 'slow';
  const isNever = progress.at === 'expired' || (progress.at === 'replaced' && pending.bytes !== null);
  return (
    <>
      {isEarlier && (
        <p>
          <strong>{pending.title}</strong> was sent from this account before, and{' '}
          {isOver ? 'is decided now.' : 'must be decided first.'}
        </p>
      )}
      <ProgressSteps pending={pending} progress={progress} />
      {progress.at === 'indexed' && !isEarlier && next}
      <div class={css.buttons}>
        {isOver && isEarlier && (
          <Button kind="main" onClick={onAgain}>
            Go on
          </Button>
        )}
        {isNever && !isEarlier && <Button onClick={onAgain}>Start again</Button>}
        {mayForget && <Button onClick={onForget}>Forget this transaction</Button>}
        {isLost && !mayForget && pending.bytes === null && (
          <Button onClick={onForget}>My wallet has not sent it</Button>
        )}
        {(isOver || isLost) && <Button onClick={onClose}>Close</Button>}
      </div>
    </>
  );
}

function Cost({
  tx,
  kept,
  chain,
}: {
  readonly tx: PreparedTx;
  readonly kept: KeptWallet;
  readonly chain: ChainFacts;
}) {
  const { fee, gasLimit, timeoutHeight, messages } = tx.content;
  return (
    <>
      <Facts
        rows={[
          ['Fee', fee.length === 0 ? 'None' : <Coins key="fee" coins={fee.map((coin) => ({ ...coin }))} />],
          ['Signed by', `${WALLET_NAMES[kept.kind]}, ${kept.address}`],
        ]}
      />
      <p class="soft">
        The fee is paid whether it succeeds or not. Everything else happens as a whole, or not at all.
      </p>
      <details class={css.raw}>
        <summary>What is signed, as the chain reads it</summary>
        <Json
          value={{
            chain_id: chain.chain_id,
            account_number: String(tx.signer.accountNumber),
            sequence: String(tx.signer.sequence),
            timeout_height: String(timeoutHeight),
            gas_limit: String(gasLimit),
            fee,
            messages,
          }}
        />
      </details>
    </>
  );
}

function CallCost({ call }: { readonly call: EthereumCall }) {
  return (
    <>
      <p>
        Your Ethereum wallet sends this as an Ethereum transaction, and shows its fee before you agree to it.
      </p>
      <details class={css.raw}>
        <summary>What the wallet is asked for</summary>
        <Json value={{ ...call, value: String(call.value) }} />
      </details>
    </>
  );
}
