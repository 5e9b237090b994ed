/** A tx that was signed and sent, or that an Ethereum wallet was asked to send, and that is not decided yet. */
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
}

/** As much of localStorage as is used. */
export interface PendingStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

const PREFIX = 'strata.pending.';
/** Accounts of one browser that wait at a time: what is not decided is never dropped to make room. */
const MOST = 16;

/** Of one account of one chain there is one at a time. It outlives the page: no other tab and no reload signs beside it. */
export function pendingOf(storage: PendingStorage, chainId: string, address: string): PendingTx | undefined {
  let value: unknown;
  try {
    value = JSON.parse(storage.getItem(nameOf({ chainId, address })) ?? 'null');
  } catch {
    // another page of this origin wrote it: it is no tx of this one
    return undefined;
  }
  return isPending(value) ? value : undefined;
}

/** Errors: Error when the account has one, or too many accounts do; DOMException where the browser keeps nothing. */
export function addPending(storage: PendingStorage, tx: PendingTx): void {
  if (pendingOf(storage, tx.chainId, tx.address) !== undefined)
    throw new Error('a transaction is on its way');
  let count = 0;
  for (let i = 0; i < storage.length; i++) if (storage.key(i)?.startsWith(PREFIX) === true) count++;
  if (count >= MOST) throw new Error(`${count} accounts of this browser wait for a transaction`);
  storage.setItem(nameOf(tx), JSON.stringify(tx));
}

/** The hash that a wallet gave afterwards. */
export function namePending(storage: PendingStorage, tx: PendingTx, hash: string): PendingTx {
  const named = { ...tx, hash };
  storage.setItem(nameOf(tx), JSON.stringify(named));
  return named;
}

/** Leaves another one of the account alone, which another tab may have sent since. */
export function removePending(storage: PendingStorage, tx: PendingTx): void {
  const kept = pendingOf(storage, tx.chainId, tx.address);
  if (kept?.sequence === tx.sequence && kept.action === tx.action) storage.removeItem(nameOf(tx));
}

function nameOf({ chainId, address }: Pick<PendingTx, 'chainId' | 'address'>): string {
  return `${PREFIX}${chainId}.${address}`;
}

function isPending(value: unknown): value is PendingTx {
  if (typeof value !== 'object' || value === null) return false;
  const { chainId, address, title, action, hash, bytes, sequence, timeoutHeight, signedHeight } =
    value as Record<string, unknown>;
  return (
    [chainId, address, title, action].every((one) => typeof one === 'string') &&
    [hash, bytes].every((one) => one === null || typeof one === 'string') &&
    (timeoutHeight === null || Number.isSafeInteger(timeoutHeight)) &&
    Number.isSafeInteger(signedHeight) &&
    /^\d{1,20}$/.test(String(sequence))
  );
}
