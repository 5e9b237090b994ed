/**
 * A tx that was signed and sent, or that an Ethereum wallet was asked to send, and that is not decided yet. The rules are those
 * of kit/src/client/outcome.ts.
 */
export interface PendingTx {
  readonly chainId: string;
  /** Bech32, of who signed. */
  readonly address: string;
  /** `Send coins` */
  readonly title: string;
  /** What it does, by which the same action is known again. */
  readonly action: string;
  /** Upper-case hex, or 0x and an Ethereum hash; null: the wallet has given none. */
  readonly hash: string | null;
  /** TxRaw in base64; null: an Ethereum wallet has the bytes, and sends them itself. */
  readonly bytes: string | null;
  /** Decimal. */
  readonly sequence: string;
  /** The last block that may hold it; null: any may. */
  readonly timeoutHeight: number | null;
  /** Only blocks above this one may hold it. */
  readonly signedHeight: number;
  /** The chain's answer was a refusal, which may be a lie: another one may be signed, with the same sequence alone. */
  readonly isRefused?: boolean;
  /** Refused before it, with the same sequence: a block takes one of them. */
  readonly earlier?: readonly PendingTx[];
}

/** As much of localStorage as is used. */
export interface PendingStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

export const ON_ITS_WAY = 'a transaction is on its way';
const PREFIX = 'strata.pending.';
/** Accounts of one browser that wait at a time: what is not decided is never dropped to make room. */
const MOST = 16;
/** Refused ones with one sequence. */
const MOST_EARLIER = 16;

/** Of one account of one chain there is one at a time. It outlives the page: no other tab and no reload signs beside it. */
export function pendingOf(storage: PendingStorage, chainId: string, address: string): PendingTx | undefined {
  const value = readAt(storage, nameOf({ chainId, address }));
  return isPending(value) ? value : undefined;
}

/**
 * Whether a tx with this sequence may be signed beside it: it is refused and has the same, so that a block takes one of them.
 * Null: an Ethereum wallet chooses the sequence.
 */
export function leavesRoom(before: PendingTx | undefined, sequence: string | null): boolean {
  return before === undefined || (before.isRefused === true && before.sequence === sequence);
}

/**
 * What is kept: the tx, and those that were refused with its sequence. Errors: Error when the account has another one, or too
 * many accounts do; DOMException where the browser keeps nothing.
 */
export function addPending(storage: PendingStorage, tx: PendingTx): PendingTx {
  const before = pendingOf(storage, tx.chainId, tx.address);
  if (!leavesRoom(before, tx.bytes === null ? null : tx.sequence)) throw new Error(ON_ITS_WAY);
  if (before === undefined && waitingAccounts(storage) >= MOST)
    throw new Error(`${MOST} accounts of this browser wait for a transaction`);
  const earlier = triesOf(before).filter((one) => one.hash !== tx.hash && !isExpired(one, tx.signedHeight));
  if (earlier.length >= MOST_EARLIER)
    throw new Error(
      `${earlier.length} transactions were refused, and may still come: try again in some minutes`,
    );
  const kept = earlier.length === 0 ? tx : { ...tx, earlier };
  storage.setItem(nameOf(tx), JSON.stringify(kept));
  return kept;
}

/** It stays: what another says of it is no proof. */
export function refusePending(storage: PendingStorage, tx: PendingTx): void {
  if (pendingOf(storage, tx.chainId, tx.address)?.hash !== tx.hash) return;
  storage.setItem(nameOf(tx), JSON.stringify({ ...tx, isRefused: true }));
}

/** All that were signed with its sequence, it first. */
export function triesOf(tx: PendingTx | undefined): readonly PendingTx[] {
  if (tx === undefined) return [];
  const { earlier = [], ...newest } = tx;
  return [newest, ...earlier];
}

/** The hash that a wallet gave afterwards. */
export function namePending(storage: PendingStorage, tx: PendingTx, hash: string): PendingTx {
  const named = { ...tx, hash };
  storage.setItem(nameOf(tx), JSON.stringify(named));
  return named;
}

/** With those that were refused before it. Leaves another one of the account alone, which another tab may have sent since. */
export function removePending(storage: PendingStorage, tx: PendingTx): void {
  const kept = pendingOf(storage, tx.chainId, tx.address);
  if (kept?.sequence === tx.sequence && kept.action === tx.action) storage.removeItem(nameOf(tx));
}

/** The last block that may hold one of them; undefined: any may. */
export function lastBlock(tries: readonly PendingTx[]): number | undefined {
  const last = Math.max(...tries.map(({ timeoutHeight }) => timeoutHeight ?? Infinity));
  return last === Infinity ? undefined : last;
}

/** Without those that only keep a refused one. */
function waitingAccounts(storage: PendingStorage): number {
  let count = 0;
  for (let i = 0; i < storage.length; i++) {
    const name = storage.key(i);
    if (name?.startsWith(PREFIX) === true && !isRefusedAt(storage, name)) count++;
  }
  return count;
}

function isRefusedAt(storage: PendingStorage, name: string): boolean {
  const value = readAt(storage, name);
  return isPending(value) && value.isRefused === true;
}

/** No later block may hold it. The chain reports a block before it has executed it: one more. */
function isExpired({ timeoutHeight }: PendingTx, height: number): boolean {
  return timeoutHeight !== null && height > timeoutHeight + 1;
}

function readAt(storage: PendingStorage, name: string): unknown {
  try {
    return JSON.parse(storage.getItem(name) ?? 'null');
  } catch {
    // another page of this origin wrote it: it is no tx of this one
    return undefined;
  }
}

function nameOf({ chainId, address }: Pick<PendingTx, 'chainId' | 'address'>): string {
  return `${PREFIX}${chainId}.${address}`;
}

function isPending(value: unknown): value is PendingTx {
  if (typeof value !== 'object' || value === null) return false;
  const { chainId, address, title, action, hash, bytes, sequence, timeoutHeight, signedHeight, earlier } =
    value as Record<string, unknown>;
  return (
    (earlier === undefined || (Array.isArray(earlier) && earlier.every(isPending))) &&
    [chainId, address, title, action].every((one) => typeof one === 'string') &&
    [hash, bytes].every((one) => one === null || typeof one === 'string') &&
    (timeoutHeight === null || Number.isSafeInteger(timeoutHeight)) &&
    Number.isSafeInteger(signedHeight) &&
    /^\d{1,20}$/.test(String(sequence))
  );
}
