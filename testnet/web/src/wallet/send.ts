import { base64 } from '@scure/base';
import { txBytes } from 'strata-kit/client/sign-direct';
import { asAskError } from '../data/errors.ts';
import type { ChainTypes } from './chain-types.ts';
import { type Fields, fieldsOf } from './json.ts';
import {
  addPending,
  leavesRoom,
  namePending,
  ON_ITS_WAY,
  type PendingStorage,
  type PendingTx,
  pendingOf,
  refusePending,
  removePending,
} from './pending.ts';
import { type ChainAccess, ChainRefusal, type PreparedTx, type Refusal } from './prepare.ts';
import { txHash } from './tx.ts';
import {
  type DocumentWallet,
  type EthereumCall,
  type EthereumWallet,
  type SignedDocument,
  WalletError,
} from './wallet.ts';

/**
 * How a tx leaves the page, so that nothing is paid twice, by the rules of kit/src/client/outcome.ts: the signed bytes and
 * their hash are kept in the browser before they are sent. After a refusal they stay, since a relay may send them on all the
 * same, and another tx may be signed with the same sequence alone. After any other answer, or none, the tx is followed
 * (follow.ts), and nothing else is signed for the account before it is decided.
 */
export interface Sending {
  readonly chainId: string;
  readonly title: string;
  readonly action: string;
  readonly storage: PendingStorage;
  /** Aborted: the page was left, and nothing is sent. */
  readonly signal?: AbortSignal;
  /** Called once, when the tx is kept and before its answer is waited for: from then on a block may hold it. */
  onKept?(): void;
}

export interface Sent {
  readonly pending: PendingTx;
  /** The mempool said yes; else it is not known who has it. */
  readonly isTaken: boolean;
}

/** Signs and hands over. Errors: WalletError when nothing was sent; ChainRefusal and AskError when it was refused. */
export async function sendDocument(
  wallet: DocumentWallet,
  tx: PreparedTx,
  types: ChainTypes,
  access: Pick<ChainAccess, 'broadcast'>,
  sending: Sending,
): Promise<Sent> {
  const { storage, chainId } = sending;
  if (!leavesRoom(pendingOf(storage, chainId, wallet.address), String(tx.signer.sequence)))
    throw nothingSent(ON_ITS_WAY);
  const signed = await wallet.sign(tx.document);
  if (sending.signal?.aborted === true)
    throw new WalletError('declined', 'The page was left. Nothing was sent.');
  const bytes = txBytes(signed, [signed.signature]);
  const pending = keep(storage, {
    ...{ chainId, address: wallet.address, title: sending.title, action: sending.action },
    ...{
      hash: txHash(bytes),
      bytes: base64.encode(bytes),
      ...termsOf(types, signed),
      signedHeight: tx.height,
    },
  });
  sending.onKept?.();
  const refusal = await handOver(access, bytes);
  if (refusal.at !== 'refused') return { pending, isTaken: refusal.at === 'taken' };
  refusePending(storage, pending);
  throw refusal.error;
}

/** Asks an Ethereum wallet, which signs and sends by itself. Errors: WalletError when it surely has sent nothing. */
export async function sendCall(
  wallet: EthereumWallet,
  call: EthereumCall,
  next: { readonly sequence: bigint; readonly height: number },
  { storage, chainId, title, action }: Sending,
): Promise<Sent> {
  const pending = keep(storage, {
    ...{ chainId, address: wallet.address, title, action, hash: null, bytes: null },
    ...{ sequence: String(next.sequence), timeoutHeight: null, signedHeight: next.height },
  });
  let hash: string;
  try {
    hash = await wallet.send(call);
  } catch (error) {
    if (error instanceof WalletError && error.kind === 'unknown') return { pending, isTaken: false };
    removePending(storage, pending);
    throw error;
  }
  return { pending: named(storage, pending, hash), isTaken: true };
}

/** The wallet has sent it: a browser that cannot keep the hash must not make the page believe otherwise. */
function named(storage: PendingStorage, pending: PendingTx, hash: string): PendingTx {
  try {
    return namePending(storage, pending, hash);
  } catch {
    // it stays kept without its hash, and this page follows it by the hash
    return { ...pending, hash };
  }
}

/** Hands the same bytes over once more: sent twice they are the same tx. What was refused is not sent again. */
export async function resend(
  access: Pick<ChainAccess, 'broadcast'>,
  { bytes, isRefused }: PendingTx,
): Promise<void> {
  if (bytes !== null && isRefused !== true) await handOver(access, base64.decode(bytes));
}

type HandedOver = { readonly at: 'taken' | 'lost' } | { readonly at: 'refused'; readonly error: Error };

async function handOver(access: Pick<ChainAccess, 'broadcast'>, bytes: Uint8Array): Promise<HandedOver> {
  let told: unknown;
  try {
    told = await access.broadcast(bytes);
  } catch (error) {
    const asked = asAskError(error);
    // the app's own refusal of the bytes as such
    const isRefused =
      [400, 413].includes(asked.status) && ['bad_request', 'payload_too_large'].includes(asked.code);
    return isRefused ? { at: 'refused', error: asked } : { at: 'lost' };
  }
  if (!isAnswer(told)) return { at: 'lost' };
  if (told.code === 0 || (told.codespace === 'sdk' && told.code === 19)) return { at: 'taken' };
  return mayBeOurs(told) ? { at: 'lost' } : { at: 'refused', error: new ChainRefusal(told) };
}

/** A sequence that is used, or a time that is past, is no refusal: these very bytes may be in a block since. */
function mayBeOurs({ codespace, code, log }: Refusal): boolean {
  if (codespace !== 'sdk') return false;
  const [, expected, got] = /expected (\d+), got (\d+)/.exec(log) ?? [];
  if (code === 32 && expected !== undefined && got !== undefined) return BigInt(expected) > BigInt(got);
  return code === 32 || code === 30;
}

function isAnswer(told: unknown): told is Refusal {
  if (typeof told !== 'object' || told === null) return false;
  const { codespace, code, log } = told as Record<string, unknown>;
  return Number.isInteger(code) && typeof codespace === 'string' && typeof log === 'string';
}

/** Of what was signed: a wallet may have changed the document. */
function termsOf(types: ChainTypes, { bodyBytes, authInfoBytes }: SignedDocument) {
  const { timeout_height: timeout } = types.decode('cosmos.tx.v1beta1.TxBody', bodyBytes);
  const { signer_infos: infos } = types.decode('cosmos.tx.v1beta1.AuthInfo', authInfoBytes);
  const [first] = Array.isArray(infos) ? (infos as readonly Fields[]) : [];
  const timeoutHeight = Number(timeout ?? 0);
  return {
    sequence: String(fieldsOf(first).sequence ?? 0),
    timeoutHeight: timeoutHeight === 0 ? null : timeoutHeight,
  };
}

function keep(storage: PendingStorage, tx: PendingTx): PendingTx {
  let pending: PendingTx;
  try {
    pending = addPending(storage, tx);
  } catch (error) {
    throw nothingSent(error instanceof Error ? error.message : String(error));
  }
  const kept = pendingOf(storage, tx.chainId, tx.address);
  if (kept?.action === tx.action && kept.hash === tx.hash) return pending;
  throw nothingSent('this browser does not keep what pages store');
}

function nothingSent(why: string): WalletError {
  return new WalletError('failed', `Nothing was sent: ${why}.`);
}
