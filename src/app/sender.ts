import type { JsonObject } from '../devnet/json.ts';

/**
 * The one way in which an account of the app (the desk, the faucet) sends txs: in order, with consecutive sequences,
 * several in flight. Others may sign for the same account: a tx that lost its sequence to another is signed again.
 */
export interface Sender {
  /** Bech32. */
  readonly address: string;
  /**
   * Resolves when a block holds the tx, whether it succeeded or failed there (`code`). `onSigned` is awaited before the
   * bytes are broadcast: what it writes is what a process that was killed finds again. Errors: AppError unavailable when
   * no block up to `timeoutHeight` took it, so that none ever will, or when nothing has been signed (too many are in
   * flight, the node does not answer); ChainError when a simulation before the signing says that the tx would fail;
   * SenderUnknown when its fate is not known yet; whatever `onSigned` throws, and then nothing was broadcast.
   */
  send(request: SendRequest): Promise<SentTx>;
}

export interface SendRequest {
  /** Proto-JSON, each with its `@type`. */
  readonly messages: readonly JsonObject[];
  /** Blocks from now in which it may stand. */
  readonly timeoutBlocks: number;
  /**
   * Called again for each time that the tx is signed, always after the bytes before can no longer be included. A tx that
   * is signed again keeps its timeout height.
   */
  onSigned?(tx: SignedTx): Promise<void>;
}

export interface SignedTx {
  /** Upper-case hex. */
  readonly hash: string;
  /** TxRaw. */
  readonly bytes: Uint8Array;
  readonly sequence: bigint;
  readonly timeoutHeight: bigint;
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

/** The node has not answered for too long: a block may hold the tx, or may yet. What `onSigned` wrote finds it again. */
export class SenderUnknown extends Error {
  readonly tx: SignedTx;

  constructor(tx: SignedTx, cause: unknown) {
    super(`it is not known whether a block holds ${tx.hash}`, { cause });
    this.name = 'SenderUnknown';
    this.tx = tx;
  }
}
