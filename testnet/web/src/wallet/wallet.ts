import type { Message } from './json.ts';
import type { SignDocument } from './tx.ts';

/** Something that signs for the person in front of the page. */
export type Wallet = DocumentWallet | EthereumWallet;

export type WalletKind = 'burner' | 'keplr' | 'injected';

export const WALLET_NAMES: Readonly<Record<WalletKind, string>> = {
  burner: 'Burner wallet',
  keplr: 'Keplr',
  injected: 'Ethereum wallet',
};

/** One account: both are names of the same 20 bytes. */
export interface WalletAccount {
  readonly kind: WalletKind;
  /** Bech32. */
  readonly address: string;
  /** EIP-55. */
  readonly evmAddress: string;
}

/** Signs any tx of the chain. */
export interface DocumentWallet extends WalletAccount {
  readonly signs: 'documents';
  /** As an Any. */
  readonly publicKey: Message;
  /** Errors: WalletError. */
  sign(document: SignDocument): Promise<SignedDocument>;
}

/** A wallet may change a document, for example its fee, before it signs it: what counts is what it gives back. */
export interface SignedDocument {
  readonly bodyBytes: Uint8Array;
  readonly authInfoBytes: Uint8Array;
  /** 64 bytes. */
  readonly signature: Uint8Array;
}

/** Signs Ethereum's txs alone, and sends them itself. */
export interface EthereumWallet extends WalletAccount {
  readonly signs: 'ethereum';
  /** The hash of the tx: 0x and 64 hex digits. Errors: WalletError. */
  send(call: EthereumCall): Promise<string>;
}

export interface EthereumCall {
  /** EIP-55. */
  readonly to: string;
  /** Wei of the native coin. */
  readonly value: bigint;
  /** 0x and hex. */
  readonly data: string;
}

/** What a page wants done: messages of the chain, and the one Ethereum call that does the same where there is one. */
export interface Action {
  readonly messages: readonly Message[];
  readonly ethereum?: EthereumCall;
}

/** Why a wallet cannot do it; undefined when it can. */
export function whyNot(kind: WalletKind, action: Action): string | undefined {
  if (kind !== 'injected' || action.ethereum !== undefined) return undefined;
  return 'An Ethereum wallet signs Ethereum transactions alone: transfers of the native coin and of units, nothing else on this chain. Use the burner wallet or Keplr for this.';
}

/**
 * What a wallet did not do: `declined` by the person, `missing` where there is no such wallet, `other_account` where it has
 * changed. `unknown`: it was asked to send, and may have sent.
 */
export class WalletError extends Error {
  readonly kind: 'declined' | 'missing' | 'other_account' | 'failed' | 'unknown';

  constructor(kind: WalletError['kind'], message: string) {
    super(message);
    this.name = 'WalletError';
    this.kind = kind;
  }
}
