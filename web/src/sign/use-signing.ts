import { useEffect, useRef, useState } from 'preact/hooks';
import type { ChainFacts } from '../data/chain.ts';
import { queries } from '../data/queries.ts';
import { chainAccess } from '../wallet/access.ts';
import { type FollowedTx, followTx, type Progress } from '../wallet/follow.ts';
import { followedHere } from '../wallet/follow-here.ts';
import type { KeptWallet } from '../wallet/kept.ts';
import { loadTypes } from '../wallet/load-types.ts';
import { openWallet } from '../wallet/open.ts';
import { ChainRefusal, type PreparedTx, type PrepareFor, prepareTx, renewTx } from '../wallet/prepare.ts';
import { txBytes } from '../wallet/tx.ts';
import {
  type Action,
  type DocumentWallet,
  type EthereumCall,
  type Wallet,
  WalletError,
  whyNot,
} from '../wallet/wallet.ts';
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
/** What was read for longer is made anew before it is signed: 60 blocks pass, and other tabs send too. */
const FRESH_MS = 10_000;

/** What waits for its signature, and since when. */
interface Ready {
  readonly wallet: Wallet;
  /** Undefined: an Ethereum wallet makes its own. */
  readonly tx: PreparedTx | undefined;
  readonly sinceMs: number;
}

export function useSigning(
  action: Action,
  kept: KeptWallet,
  chain: ChainFacts,
  { onSent, onDone }: SigningTold,
): Signing {
  const [stage, setStage] = useState<Stage>({ at: 'preparing' });
  const [round, setRound] = useState(0);
  const ready = useRef<Ready | undefined>(undefined);
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
    const { wallet } = prepared;
    setStage({ at: 'signing' });
    try {
      const tx = await freshTx(prepared, chain);
      const hash = await send(wallet, tx, action, chain);
      onSent?.();
      if (signal.aborted) return;
      await followTx(followedHere(hash, chain, sentBy(wallet.address, tx)), {
        timeoutHeight: tx === undefined ? undefined : Number(tx.content.timeoutHeight),
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

async function prepare(action: Action, kept: KeptWallet, chain: ChainFacts): Promise<Ready> {
  const why = whyNot(kept.kind, action);
  if (why !== undefined) throw new WalletError('failed', why);
  const wallet = await openWallet(kept, chain);
  if (wallet.signs === 'ethereum') return { wallet, tx: undefined, sinceMs: performance.now() };
  const types = await loadTypes(chain.namespace);
  const tx = await prepareTx(types, chainAccess, action.messages, signerOf(wallet, chain));
  return { wallet, tx, sinceMs: performance.now() };
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
