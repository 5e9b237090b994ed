import type { AbciEvent } from 'strata-kit/abci-event';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Account } from './accounts.ts';
import type { EthereumTxType } from './sign-ethereum.ts';

/** What a scenario yields, and what it is told. */

export interface CosmosPlan {
  readonly kind: 'cosmos';
  /** The first pays the fee. */
  readonly signers: readonly Account[];
  /** With `@type`, `<ns>` standing for the namespace. */
  readonly messages: readonly JsonObject[];
  readonly memo?: string;
  readonly gasLimit?: bigint;
  /** What is wrong with it on purpose. */
  readonly fault?: AnteFault;
}

export const ANTE_FAULTS = [
  'sequence ahead',
  'sequence behind',
  'fee too small',
  'no fee',
  'bad signature',
  'another chain',
  'timed out',
  'memo too long',
  'fee beyond the balance',
] as const;
export type AnteFault = (typeof ANTE_FAULTS)[number];

export interface EthereumPlan {
  readonly kind: 'ethereum';
  readonly from: Account;
  readonly to: Uint8Array | undefined;
  readonly value?: bigint;
  readonly data?: Uint8Array;
  readonly gasLimit?: bigint;
  readonly type?: EthereumTxType;
  /** Added to the account's nonce: another one is refused before it runs. */
  readonly nonceOffset?: bigint;
}

/** Several Ethereum txs in one tx of the chain, in this order. */
export interface EthereumBatch {
  readonly kind: 'ethereum batch';
  readonly txs: readonly EthereumPlan[];
}

export type TxPlan = CosmosPlan | EthereumPlan | EthereumBatch;

/** Txs that stand in one block in this order, or a wait. */
export type Step =
  | { readonly kind: 'send'; readonly txs: readonly TxPlan[] }
  | { readonly kind: 'until'; readonly timeNs: bigint };

/** What became of a tx. */
export interface Outcome {
  readonly height: number;
  readonly code: number;
  readonly codespace: string;
  readonly log: string;
  readonly events: readonly AbciEvent[];
}

export type Steps<T = void> = Generator<Step, T, readonly Outcome[]>;

/** What a scenario needs is not there now: it ends without a trace, and may be tried again. */
export class NotNow extends Error {}

/** The chain did what the scenario did not expect. */
export class Surprise extends Error {}

/** Several txs in one block, whatever becomes of them. */
export function* sendAll(txs: readonly TxPlan[]): Steps<readonly Outcome[]> {
  return yield { kind: 'send', txs };
}

/** One tx, whatever becomes of it. */
export function* sendAny(tx: TxPlan): Steps<Outcome> {
  const [outcome] = yield { kind: 'send', txs: [tx] };
  if (outcome === undefined) throw new NotNow('not included');
  return outcome;
}

/** A tx that succeeds. Errors: Surprise. */
export function* send(signer: Signers, ...messages: JsonObject[]): Steps<Outcome> {
  const outcome = yield* sendAny(cosmos(signer, messages));
  expectSuccess(outcome);
  return outcome;
}

/** A tx that is refused with this codespace and code (modules.md section 4). Errors: Surprise. */
export function* refused(signer: Signers, refusal: Refusal, ...messages: JsonObject[]): Steps<Outcome> {
  const outcome = yield* sendAny(cosmos(signer, messages));
  expectRefusal(outcome, refusal);
  return outcome;
}

export type Signers = Account | readonly Account[];
export type Refusal = readonly [codespace: string, code: number];

export function expectSuccess({ code, codespace, log }: Outcome): void {
  if (code !== 0) throw new Surprise(`${codespace}/${code}: ${log}`);
}

export function expectRefusal({ code, codespace, log }: Outcome, [space, number]: Refusal): void {
  if (code !== number || codespace !== space) {
    throw new Surprise(`expected ${space}/${number}, got ${codespace}/${code}: ${log}`);
  }
}

export function cosmos(signer: Signers, messages: readonly JsonObject[]): CosmosPlan {
  return { kind: 'cosmos', signers: 'name' in signer ? [signer] : signer, messages };
}

/** An attribute's value of the first event whose type ends so, parsed as JSON. Errors: Surprise. */
export function attribute(outcome: Outcome, type: string, key: string): string {
  const event = outcome.events.find((each) => each.type.endsWith(type));
  const value = event?.attributes.find(([name]) => name === key)?.[1];
  if (value === undefined) throw new Surprise(`no ${type} with ${key}: ${outcome.log}`);
  return String(JSON.parse(value));
}
