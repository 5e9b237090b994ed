import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChainFacts } from '../data/chain.ts';
import { queries } from '../data/queries.ts';
import { askForPassphrase } from '../unlock/unlock-dialog.tsx';
import { chainAccess } from '../wallet/access.ts';
import { type FollowedTx, followTx, type Progress } from '../wallet/follow.ts';
import { followedHere } from '../wallet/follow-here.ts';
import type { KeptWallet } from '../wallet/kept.ts';
import { loadTypes } from '../wallet/load-types.ts';
import { openWallet } from '../wallet/open.ts';
import {
  lastBlock,
  leavesRoom,
  type PendingTx,
  pendingOf,
  removePending,
  triesOf,
} from '../wallet/pending.ts';
import {
  accountState,
  NoAccount,
  type PreparedTx,
  type PrepareFor,
  prepareTx,
  renewTx,
} from '../wallet/prepare.ts';
import { type Sent, sendCall, sendDocument } from '../wallet/send.ts';
import { keyOfTab } from '../wallet/tab-key.ts';
import {
  type Action,
  type DocumentWallet,
  type EthereumCall,
  type Wallet,
  WalletError,
  whyNot,
} from '../wallet/wallet.ts';
import { alone } from './alone.ts';
import { type Stop, stopOf } from './stops.ts';

/** Where an action stands between the form it comes from and the index. */
export type Stage =
  | { readonly at: 'preparing' }
  | {
      readonly at: 'review';
      /** Undefined: an Ethereum wallet makes its own. */
      readonly tx: PreparedTx | undefined;
      readonly call: EthereumCall | undefined;
      /** Sent before, and found done just now. */
      readonly before: PendingTx | undefined;
    }
  | { readonly at: 'signing' }
  | {
      readonly at: 'following';
      readonly pending: PendingTx;
      readonly progress: Progress;
      /** Not this action: one that was sent before, which must be decided first. */
      readonly isEarlier: boolean;
    }
  | { readonly at: 'stopped'; readonly stop: Stop };

export interface Signing {
  readonly stage: Stage;
  /** Asks the wallet, sends, follows. */
  sign(): void;
  /** From the beginning, with a new sequence and a new fee: only where nothing is open. */
  again(): void;
  /** The person has looked in the wallet, and says that it has not sent what it was asked for. */
  forget(): void;
}

/** What the panel's owner hears. */
export interface SigningTold {
  /** The signed tx is kept in the browser and goes out now: a block may hold it before any answer comes. */
  readonly onSent: (() => void) | undefined;
  /** The chain has refused what `onSent` was called for, or has another one in its place: it may be signed again. */
  readonly onRefused: (() => void) | undefined;
  readonly onDone: ((tx: FollowedTx) => void) | undefined;
}

/**
 * Of a tx that was sent before. `done`: of another action, so that this one may go on. `never`: refused, and no block took it.
 * `stays`: the panel shows it.
 */
type End = { readonly done: PendingTx } | 'never' | 'stays';

const LOOK_MS = 1_000;
const LONG_LOOK_MS = 10_000;
const LOOKS = 180;
/** What was read for longer is made anew before it is signed: 60 blocks pass, and other tabs send too. */
const FRESH_MS = 10_000;

/** What waits for its signature, and since when. */
interface Ready {
  readonly wallet: Wallet;
  readonly kept: KeptWallet;
  /** What it does, as it was shown. */
  readonly action: Action;
  /** Undefined: an Ethereum wallet makes its own. */
  readonly tx: PreparedTx | undefined;
  readonly sinceMs: number;
}

export function useSigning(
  asked: Action,
  title: string,
  kept: KeptWallet,
  chain: ChainFacts,
  { onSent, onRefused, onDone }: SigningTold,
): Signing {
  const [stage, setStage] = useState<Stage>({ at: 'preparing' });
  const [round, setRound] = useState(0);
  const ready = useRef<Ready | undefined>(undefined);
  const life = useRef(new AbortController());
  const isSigning = useRef(false);
  // from the click on Sign on, a page that makes another action of the same form changes nothing here
  const [signed, setSigned] = useState<Action | undefined>();
  const action = signed ?? asked;
  const text = textOf(action);

  /** Until it is decided, or the signal aborts. */
  const follow = async ({ pending, isTaken }: Sent, signal: AbortSignal): Promise<End> => {
    const { isRefused = false } = pending;
    let end: End = 'stays';
    const claim = (): void => {
      setSigned(action);
      onSent?.();
    };
    if (pending.action === text && !isRefused) claim();
    await followTx(followedHere(pending, chain), {
      sequence: BigInt(pending.sequence),
      timeoutHeight: lastBlock(triesOf(pending)),
      isTaken,
      signal,
      looks: LOOKS,
      pause: (takesLong) => new Promise((resolve) => setTimeout(resolve, takesLong ? LONG_LOOK_MS : LOOK_MS)),
      tell(progress) {
        // from here on the person has seen its end
        if (isDecided(progress)) removePending(localStorage, pending);
        const hasEnded = progress.at === 'indexed' || progress.at === 'failed';
        // a block may hold one that was refused before it, of another action
        const of = (hasEnded ? progress.of : undefined) ?? pending;
        const isEarlier = of.action !== text;
        if (hasEnded && !isEarlier && (isRefused || pending.action !== text)) claim();
        if (hasEnded && isEarlier && !isRefused && pending.action === text) onRefused?.();
        setStage({ at: 'following', pending: of, progress, isEarlier });
        if (isRefused && (progress.at === 'expired' || progress.at === 'replaced')) end = 'never';
        if (progress.at !== 'indexed') return;
        if (isEarlier) end = { done: of };
        // what pages show of the chain is old now
        void queries.invalidateQueries();
        if (!isEarlier) onDone?.(progress.tx);
      },
    });
    return end;
  };

  useEffect(() => {
    const ending = new AbortController();
    life.current = ending;
    const run = async (): Promise<void> => {
      setStage({ at: 'preparing' });
      try {
        const earlier = pendingOf(localStorage, chain.chain_id, kept.address);
        let end: End = 'never';
        if (earlier !== undefined && !(await hasRoom(earlier, kept, chain))) {
          end = await follow({ pending: earlier, isTaken: false }, ending.signal);
          if (end === 'stays' || ending.signal.aborted) return;
        }
        const prepared = await prepare(action, kept, chain);
        if (ending.signal.aborted) return;
        ready.current = prepared;
        setStage({
          at: 'review',
          tx: prepared.tx,
          call: prepared.tx === undefined ? action.ethereum : undefined,
          before: end === 'never' ? undefined : end.done,
        });
      } catch (error) {
        if (!ending.signal.aborted) setStage({ at: 'stopped', stop: stopOf(error) });
      }
    };
    void run();
    return () => ending.abort();
  }, [round, action, kept.address]);

  const signAndFollow = async (): Promise<void> => {
    const { signal } = life.current;
    const prepared = ready.current;
    // another action may just have come: what was shown is what is signed, or nothing
    if (prepared?.action !== action || isSigning.current) return;
    isSigning.current = true;
    let awaitsAnswer = false;
    setSigned(action);
    setStage({ at: 'signing' });
    const onKept = (): void => {
      awaitsAnswer = true;
      onSent?.();
    };
    try {
      const sent = await alone(kept.address, async () => {
        // another tab may have sent since
        const earlier = pendingOf(localStorage, chain.chain_id, kept.address);
        return earlier === undefined || earlier.isRefused === true
          ? await send(prepared, { title, text, signal, onKept }, chain)
          : { pending: earlier, isTaken: false };
      });
      awaitsAnswer = false;
      if (!signal.aborted) await follow(sent, signal);
    } catch (error) {
      // only a refusal ends it there
      if (awaitsAnswer) onRefused?.();
      if (!signal.aborted) setStage({ at: 'stopped', stop: stopOf(error) });
    } finally {
      isSigning.current = false;
    }
  };
  const again = (): void => {
    setSigned(undefined);
    setRound((count) => count + 1);
  };
  return {
    stage,
    sign: () => void signAndFollow(),
    again,
    forget() {
      if (stage.at === 'following') removePending(localStorage, stage.pending);
      again();
    },
  };
}

export function isDecided({ at }: Progress): boolean {
  return at !== 'waiting' && at !== 'included' && at !== 'unseen';
}

/** By which the same action is known again. */
function textOf(action: Action): string {
  return JSON.stringify(action, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

/** Whether another tx may be signed beside it: it was refused, and the account's next sequence is its own. */
async function hasRoom(before: PendingTx, kept: KeptWallet, chain: ChainFacts): Promise<boolean> {
  if (before.isRefused !== true || kept.kind === 'injected') return false;
  const next = await accountState(await loadTypes(chain.namespace), chainAccess, kept.address);
  return next !== undefined && leavesRoom(before, String(next.sequence));
}

async function prepare(action: Action, kept: KeptWallet, chain: ChainFacts): Promise<Ready> {
  const why = whyNot(kept.kind, action);
  if (why !== undefined) throw new WalletError('failed', why);
  const wallet = await openWallet(kept, chain);
  if (wallet.signs === 'ethereum') return { wallet, kept, action, tx: undefined, sinceMs: performance.now() };
  const types = await loadTypes(chain.namespace);
  const tx = await prepareTx(types, chainAccess, action.messages, signerOf(wallet, chain));
  return { wallet, kept, action, tx, sinceMs: performance.now() };
}

/** What is signed: what was shown, or the same as of now. Errors: as of prepareTx. */
async function freshTx({ wallet, tx, sinceMs }: Ready, chain: ChainFacts): Promise<PreparedTx | undefined> {
  if (wallet.signs === 'ethereum' || tx === undefined || performance.now() - sinceMs < FRESH_MS) return tx;
  return await renewTx(await loadTypes(chain.namespace), chainAccess, tx, signerOf(wallet, chain));
}

function signerOf(wallet: DocumentWallet, chain: ChainFacts): PrepareFor {
  return {
    address: wallet.address,
    publicKey: wallet.publicKey,
    chainId: chain.chain_id,
    gasDenom: chain.gas_denom,
    minGasPrice: BigInt(chain.min_gas_price),
  };
}

interface Sign {
  readonly title: string;
  readonly text: string;
  /** Aborted: the panel is gone, and nothing is sent. */
  readonly signal: AbortSignal;
  onKept(): void;
}

/** Errors: WalletError, NoAccount and AskError when nothing was sent; ChainRefusal when the chain said no. */
async function send(prepared: Ready, { title, text, ...told }: Sign, chain: ChainFacts): Promise<Sent> {
  const { wallet, kept, action } = prepared;
  const sending = { chainId: chain.chain_id, title, action: text, storage: localStorage, ...told };
  const types = await loadTypes(chain.namespace);
  if (wallet.signs === 'ethereum') {
    if (action.ethereum === undefined) throw new Error('there is nothing to send');
    const next = await accountState(types, chainAccess, wallet.address);
    if (next === undefined) throw new NoAccount(wallet.address);
    return await sendCall(wallet, action.ethereum, next, sending);
  }
  // first, since nobody knows how long it takes: the tx is good for 60 blocks
  if (kept.sealed !== undefined && keyOfTab(kept) === undefined) await askForPassphrase(kept, told.signal);
  const tx = await freshTx(prepared, chain);
  if (tx === undefined) throw new Error('there is nothing to sign');
  return await sendDocument(wallet, tx, types, chainAccess, sending);
}
