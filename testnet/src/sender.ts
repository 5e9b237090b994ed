import type { SignedBytes } from 'strata-kit/client/outcome';
import type { JsonObject } from 'strata-kit/proto-json';

/**
 * The one way in which an account of the app (the desk, the faucet) sends txs: in order, with consecutive sequences,
 * several in flight. Others may sign for the same account: a tx is signed again once it is certain that another one has
 * its sequence (the rules are in kit/src/client/outcome.ts).
 */
export interface Sender {
  /** Bech32. */
  readonly address: string;
  /**
   * Resolves when a block holds the tx, whether it succeeded or failed there (`code`). `onSigned` is awaited before the
   * bytes are broadcast: what it writes is what a process that was killed finds again. Errors: AppError unavailable when
   * no block up to `timeoutHeight` took it, so that none ever will, or when nothing has been signed (too many are in
   * flight, the node does not answer); ChainError when a simulation before the signing says that the tx would fail;
   * SenderUnknown while it is not certain what became of it; whatever `onSigned` throws, and then nothing was broadcast.
   */
  send(request: SendRequest): Promise<SentTx>;
}

export interface SendRequest {
  /** Proto-JSON, each with its `@type`. */
  readonly messages: readonly JsonObject[];
  /** Blocks from now in which it may stand. */
  readonly timeoutBlocks: number;
  /**
   * Called each time that the tx is signed, after it is certain that no block will hold the bytes before. A tx that is
   * signed again keeps its timeout height.
   */
  onSigned?(tx: SignedBytes): Promise<void>;
}

export interface SentTx {
  readonly hash: string;
  readonly height: number;
  readonly codespace: string;
  readonly code: number;
  readonly log: string;
  readonly events: readonly SentEvent[];
}

export interface SentEvent {
  readonly type: string;
  readonly attributes: readonly (readonly [key: string, value: string])[];
}

/** It is not certain yet: a block may hold the tx, or may yet. What `onSigned` wrote finds it again. */
export class SenderUnknown extends Error {
  readonly tx: SignedBytes;

  constructor(tx: SignedBytes, cause: unknown) {
    super(`it is not known whether a block holds ${tx.hash}`, { cause });
    this.name = 'SenderUnknown';
    this.tx = tx;
  }
}
