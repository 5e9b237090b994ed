import type { JsonObject } from 'strata-kit/proto-json';
import type { Reader, State } from '../state/state.ts';
import type { ChainParameters } from './parameters.ts';
import type { Tx } from './tx.ts';

/**
 * What a module of the chain is to the app. Messages, responses, events and queries are proto-JSON objects: snake_case
 * names, defaults present, 64-bit integers as decimal texts, bytes in base64, enums by name, timestamps as RFC 3339.
 */

export interface GasMeter {
  readonly limit: bigint;
  readonly used: bigint;
  /** Throws sdk/11 (out of gas) with `out of gas in location: <what>; …` beyond the limit. */
  consume(amount: bigint | number, what: string): void;
}

/** Where code of a module runs: inside a message of a tx, or at the begin or the end of a block. */
export interface Context {
  readonly state: State;
  readonly parameters: ChainParameters;
  readonly height: number;
  /** The block's, in nanoseconds since 1970. */
  readonly timeNs: bigint;
  /** Of the block's header, 32 bytes, which depends on none of its results; zeros at genesis and where no block is. */
  readonly blockHash: Uint8Array;
  readonly gas: GasMeter;
  /**
   * A typed event of the protos: `emit('rights.EventIssued', {…})` stands for `<ns>.rights.v1.EventIssued`. Fields that
   * are left out have their default; each attribute's value is the field's proto-JSON; keys are sorted.
   */
  emit(type: string, fields: JsonObject): void;
  /** An event with plain attributes, in their order, such as the bank's. */
  emitPlain(type: string, attributes: readonly (readonly [key: string, value: string])[]): void;
}

export interface MessageContext extends Context {
  /** Of the tx, in its order. */
  readonly messageIndex: number;
  /** How many messages the tx has. */
  readonly messageCount: number;
  /** The bytes of the tx, for modules that carry txs inside (the EVM). */
  readonly txBytes: Uint8Array;
  /** Place in the block. */
  readonly txIndex: number;
  /** The block's proposer as 20 bytes: the EVM's coinbase. */
  readonly proposer: Uint8Array;
}

/** Refuses with a ChainError, which undoes the whole tx. Answers the fields of its response. */
export type MessageHandler = (
  context: MessageContext,
  message: JsonObject,
) => JsonObject | Promise<JsonObject>;

/** Answers the fields of its response. Refuses with a ChainError, of codespace `sdk` and code notFound where nothing is there. */
export type QueryHandler = (
  reader: Reader,
  request: JsonObject,
  at: QueryMoment,
) => JsonObject | Promise<JsonObject>;

/** The height at which a query looks. */
export interface QueryMoment {
  readonly height: number;
  readonly timeNs: bigint;
  readonly parameters: ChainParameters;
}

/**
 * Whether a tx is looked at for the mempool (anew after each block: recheck), executed in a block, or tried without
 * signatures.
 */
export type TxMode = 'check' | 'recheck' | 'deliver' | 'simulate';

export interface AnteContext extends Context {
  readonly mode: TxMode;
  /** False where signatures are taken as they are: simulations, and an app that is told to. */
  readonly verifies: boolean;
}

/** What a tx that carries another one inside is known by, such as an Ethereum tx. */
export interface KnownAs {
  /** Another hash than that of its bytes. */
  readonly hash: string;
  /** Bech32. */
  readonly sender: string;
  /** Of the sender, which the tx uses up. */
  readonly sequence: bigint;
}

/** What a tx may do after its ante, whose writes and events stay when a message fails. */
export interface AnteOutcome {
  readonly gasWanted: bigint;
  /** CPU time that its messages may take beyond what their gas stands for; 0 unless given. */
  readonly freeWorkNs?: number;
  /** Whether reads and writes of the state cost gas; otherwise the messages consume what they see fit. */
  readonly chargesState: boolean;
  /** Bech32, of each message, for the events of messages whose descriptors name no signer. */
  readonly senders?: readonly string[];
  /** What the mempool finds the tx by, beside its hash. */
  readonly known?: KnownAs;
}

/** The checks before a tx with an extension option of its own, in place of the usual ones. */
export interface Ante {
  /** Type URLs, with `<ns>`, of messages that are refused in any other tx. */
  readonly messages: readonly string[];
  /** Refuses with a ChainError, which undoes all it did. */
  readonly run: (context: AnteContext, tx: Tx) => AnteOutcome | Promise<AnteOutcome>;
}

export interface Module {
  /** `asset`, also its codespace. */
  readonly name: string;
  /** By type URL, with `<ns>` for the namespace: `/<ns>.asset.v1.MsgCreateAsset`. */
  readonly messages: Readonly<Record<string, MessageHandler>>;
  /** By method: `/<ns>.asset.v1.Query/NextNonce`. */
  readonly queries: Readonly<Record<string, QueryHandler>>;
  /** By the type URL of the extension option. */
  readonly antes?: Readonly<Record<string, Ante>>;
  beginBlock?(context: Context): void | Promise<void>;
  endBlock?(context: Context): void | Promise<void>;
  /** The genesis document's `app_state.<name>`, when it has one. */
  initGenesis?(context: Context, genesis: JsonObject): void | Promise<void>;
  /** What does not hold: empty on a sound chain. Tests ask after every block. The parameters name the module accounts. */
  invariants?(reader: Reader, parameters: ChainParameters): string[];
}
