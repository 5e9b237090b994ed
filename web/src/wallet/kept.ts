import type { WalletAccount, WalletKind } from './wallet.ts';

/** What this device remembers of the wallet in use. Nothing of it ever leaves the browser. */
export interface KeptWallet extends WalletAccount {
  /** The chain that it was made for. */
  readonly chainId: string;
  /** Of a burner: 64 hex digits, as they are, for whoever can read this browser's storage. */
  readonly privateKey?: string;
}

/** As much of localStorage as is used. */
export interface Storage {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

const NAME = 'strata.wallet';
const KINDS: readonly WalletKind[] = ['burner', 'keplr', 'injected'];

/** Undefined: there is none, or what is there cannot be read. */
export function readKept(storage: Storage): KeptWallet | undefined {
  let value: unknown;
  try {
    value = JSON.parse(storage.getItem(NAME) ?? 'null');
  } catch {
    // whatever it is, it is no wallet; it stays, for whoever can make something of it
    return undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const { kind, address, evmAddress, chainId, privateKey } = value as Record<string, unknown>;
  const known = KINDS.find((one) => one === kind);
  if (known === undefined || typeof address !== 'string' || typeof evmAddress !== 'string') return undefined;
  if (typeof chainId !== 'string') return undefined;
  if (known !== 'burner') return { kind: known, address, evmAddress, chainId };
  return typeof privateKey === 'string'
    ? { kind: known, address, evmAddress, chainId, privateKey }
    : undefined;
}

/** Errors: DOMException where the browser keeps nothing (private windows, a full disk). */
export function keep(storage: Storage, { kind, address, evmAddress, chainId, privateKey }: KeptWallet): void {
  storage.setItem(
    NAME,
    JSON.stringify({
      kind,
      address,
      evmAddress,
      chainId,
      ...(privateKey === undefined ? {} : { privateKey }),
    }),
  );
}

export function forget(storage: Storage): void {
  storage.removeItem(NAME);
}
