import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChainFacts } from '../data/chain.ts';
import { queries } from '../data/queries.ts';
import { chainAccess } from '../wallet/access.ts';
import { type FollowedTx, followTx, type Progress } from '../wallet/follow.ts';
import { followedHere } from '../wallet/follow-here.ts';
import type { KeptWallet } from '../wallet/kept.ts';
import { loadTypes } from '../wallet/load-types.ts';
import { openWallet } from '../wallet/open.ts';
import { ChainRefusal, type PreparedTx, prepareTx } from '../wallet/prepare.ts';
import { txBytes } from '../wallet/tx.ts';
import { type Action, type EthereumCall, type Wallet, WalletError, whyNot } from '../wallet/wallet.ts';
import { type Stop, stopOf } from './stops.ts';

/** Where an action stands between the form it comes from and the index. */
export type Stage =
  | { readonly at: 'preparing' }
  /** Without a tx: an Ethereum wallet makes its own. */
  | { readonly at: 'review'; readonly tx: PreparedTx | undefined; readonly call: EthereumCall | undefined }
  | { readonly at: 'signing' }
  | { readonly at: 'following'; readonly hash: string; readonly progress: Progress }
  | { readonly at: 'stopped'; readonly stop: Stop };

export interface Signing {
  readonly stage: Stage;
  /** Asks the wallet, sends, follows. */
  sign(): void;
  /** From the beginning, with a new sequence and a new fee. */
  again(): void;
}

/** Who is told how it goes on. */
export interface SigningTold {
  readonly onSent: (() => void) | undefined;
  readonly onDone: ((tx: FollowedTx) => void) | undefined;
}

const LOOK_MS = 1_000;
const LOOKS = 180;

export function useSigning(
  action: Action,
  kept: KeptWallet,
  chain: ChainFacts,
  { onSent, onDone }: SigningTold,
): Signing {
  const [stage, setStage] = useState<Stage>({ at: 'preparing' });
  const [round, setRound] = useState(0);
  const ready = useRef<{ wallet: Wallet; tx: PreparedTx | undefined } | undefined>(undefined);
  const life = useRef(new AbortController());

  useEffect(() => {
    const ending = new AbortController();
    life.current = ending;
    const run = async (): Promise<void> => {
      setStage({ at: 'preparing' });
      try {
        const prepared = await prepare(action, kept, chain);
        if (ending.signal.aborted) return;
        ready.current = prepared;
        setStage({
          at: 'review',
          tx: prepared.tx,
          call: prepared.tx === undefined ? action.ethereum : undefined,
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
    if (prepared === undefined) return;
    setStage({ at: 'signing' });
    try {
      const hash = await send(prepared.wallet, prepared.tx, action, chain);
      onSent?.();
      if (signal.aborted) return;
      await followTx(followedHere(hash, chain, sentBy(prepared.wallet.address, prepared.tx)), {
        timeoutHeight: prepared.tx === undefined ? undefined : Number(prepared.tx.content.timeoutHeight),
        signal,
        looks: LOOKS,
        pause: () => new Promise((resolve) => setTimeout(resolve, LOOK_MS)),
        tell(progress) {
          setStage({ at: 'following', hash, progress });
          if (progress.at !== 'indexed') return;
          // what pages show of the chain is old now
          void queries.invalidateQueries();
          onDone?.(progress.tx);
        },
      });
    } catch (error) {
      if (!signal.aborted) setStage({ at: 'stopped', stop: stopOf(error) });
    }
  };
  return {
    stage,
    sign: () => void signAndFollow(),
    again: () => setRound((count) => count + 1),
  };
}

/** An account's sequence tells that a block has its tx; that of an Ethereum wallet's tx is the wallet's to choose. */
function sentBy(address: string, tx: PreparedTx | undefined) {
  return tx === undefined ? undefined : { address, sequence: tx.signer.sequence };
}

async function prepare(action: Action, kept: KeptWallet, chain: ChainFacts) {
  const why = whyNot(kept.kind, action);
  if (why !== undefined) throw new WalletError('failed', why);
  const wallet = await openWallet(kept, chain);
  if (wallet.signs === 'ethereum') return { wallet, tx: undefined };
  const types = await loadTypes(chain.namespace);
  const tx = await prepareTx(types, chainAccess, action.messages, {
    address: wallet.address,
    publicKey: wallet.publicKey,
    chainId: chain.chain_id,
    gasDenom: chain.gas_denom,
    minGasPrice: BigInt(chain.min_gas_price),
  });
  return { wallet, tx };
}

/** The hash of what was sent. Errors: WalletError, ChainRefusal, AskError. */
async function send(
  wallet: Wallet,
  tx: PreparedTx | undefined,
  action: Action,
  chain: ChainFacts,
): Promise<string> {
  if (wallet.signs === 'ethereum') {
    if (action.ethereum === undefined) throw new Error('there is nothing to send');
    return await wallet.send(action.ethereum);
  }
  if (tx === undefined) throw new Error('there is nothing to sign');
  const types = await loadTypes(chain.namespace);
  const signed = await wallet.sign(tx.document);
  const told = await chainAccess.broadcast(txBytes(types, signed, signed.signature));
  if (told.code !== 0) throw new ChainRefusal(told);
  return told.hash;
}
