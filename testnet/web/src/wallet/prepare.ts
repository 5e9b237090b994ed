import { base64 } from '@scure/base';
import { txBytes } from 'strata-kit/client/sign-direct';
import type { ChainTypes } from './chain-types.ts';
import { type Fields, fieldsOf, type Message } from './json.ts';
import { type Coin, type SignDocument, type Signer, signDocument, type TxContent } from './tx.ts';

/** The chain as a wallet asks it. Errors: AskError. */
export interface ChainAccess {
  /** An abci_query at the newest height. */
  query(path: string, data: Uint8Array): Promise<QueryAnswer>;
  /** Hands a TxRaw over; what the mempool says. */
  broadcast(tx: Uint8Array): Promise<Refusal & { readonly hash: string }>;
}

/** As the chain answers; code 0 is none. */
export interface Refusal {
  readonly codespace: string;
  readonly code: number;
  readonly log: string;
}

export interface QueryAnswer extends Refusal {
  readonly height: number;
  readonly value: Uint8Array;
}

/** What the chain said no to. */
export class ChainRefusal extends Error {
  readonly codespace: string;
  readonly code: number;

  constructor({ codespace, code, log }: Refusal) {
    super(log);
    this.name = 'ChainRefusal';
    this.codespace = codespace;
    this.code = code;
  }
}

/** The chain makes an account when it is first paid; before that it can sign nothing. */
export class NoAccount extends Error {
  constructor(address: string) {
    super(`the chain has no account ${address}`);
    this.name = 'NoAccount';
  }
}

/** Errors: ChainRefusal. */
export async function queryChain(
  types: ChainTypes,
  access: Pick<ChainAccess, 'query'>,
  path: string,
  request: Fields,
): Promise<Fields> {
  return (await ask(types, access, path, request)).answer;
}

async function ask(types: ChainTypes, access: Pick<ChainAccess, 'query'>, path: string, request: Fields) {
  const method = types.method(path);
  const told = await access.query(path, types.encode(method.request, request));
  if (told.code !== 0) throw new ChainRefusal(told);
  return {
    answer: types.decode(method.response, told.value),
    height: told.height,
  };
}

export interface AccountState {
  readonly number: bigint;
  readonly sequence: bigint;
  /** The block as of which it was told. */
  readonly height: number;
}

/** Undefined: nobody has paid it yet. */
export async function accountState(
  types: ChainTypes,
  access: Pick<ChainAccess, 'query'>,
  address: string,
): Promise<AccountState | undefined> {
  try {
    const { answer, height } = await ask(types, access, '/cosmos.auth.v1beta1.Query/Account', { address });
    const account = fieldsOf(answer.account);
    const base = account.base_account === undefined ? account : fieldsOf(account.base_account);
    return {
      number: BigInt(String(base.account_number ?? 0)),
      sequence: BigInt(String(base.sequence ?? 0)),
      height,
    };
  } catch (error) {
    // gRPC's NOT_FOUND has one code here and another there
    if (error instanceof ChainRefusal && /not found/i.test(error.message)) return undefined;
    throw error;
  }
}

/** A tx that waits for its signature. */
export interface PreparedTx {
  readonly content: TxContent;
  readonly signer: Signer;
  readonly document: SignDocument;
  /** The block as of which the chain told the signer's sequence: only later ones may hold it. */
  readonly height: number;
}

export interface PrepareFor {
  readonly address: string;
  /** As an Any. */
  readonly publicKey: Message;
  readonly chainId: string;
  readonly gasDenom: string;
  /** In gasDenom, for one unit of gas. */
  readonly minGasPrice: bigint;
}

/** What a tx says that is only simulated, which has no limit. */
const SIMULATED_GAS = 200_000n;
const NO_SIGNATURE = new Uint8Array(64);
/** Gas differs a little with what other txs do meanwhile. */
const MARGIN_PERCENT = 130n;
/** A tx that no block takes in time is never taken, so that it may safely be sent again. */
const TIMEOUT_BLOCKS = 60;

/**
 * A tx of these messages with the gas that it takes now, and a third more, at the least price. Errors: NoAccount,
 * ChainRefusal with which it would fail.
 */
export async function prepareTx(
  types: ChainTypes,
  access: Pick<ChainAccess, 'query'>,
  messages: readonly Message[],
  by: PrepareFor,
): Promise<PreparedTx> {
  const state = await stateOf(types, access, by.address);
  const build = (gasLimit: bigint): PreparedTx =>
    txAsOf(types, state, { messages, gasLimit, fee: feeOf(gasLimit, by) }, by);
  const tx = txBytes(build(SIMULATED_GAS).document, [NO_SIGNATURE]);
  const told = await queryChain(types, access, '/cosmos.tx.v1beta1.Service/Simulate', {
    tx_bytes: base64.encode(tx),
  });
  const used = BigInt(String(fieldsOf(told.gas_info).gas_used ?? 0));
  return build((used * MARGIN_PERCENT + 99n) / 100n);
}

/**
 * The same messages for the same fee, as of now: for whoever read them for long. What has run out of time or sequence
 * meanwhile would be refused. Errors: NoAccount, ChainRefusal.
 */
export async function renewTx(
  types: ChainTypes,
  access: Pick<ChainAccess, 'query'>,
  { content }: PreparedTx,
  by: PrepareFor,
): Promise<PreparedTx> {
  return txAsOf(types, await stateOf(types, access, by.address), content, by);
}

async function stateOf(
  types: ChainTypes,
  access: Pick<ChainAccess, 'query'>,
  address: string,
): Promise<AccountState> {
  const state = await accountState(types, access, address);
  if (state === undefined) throw new NoAccount(address);
  return state;
}

function txAsOf(
  types: ChainTypes,
  { number, sequence, height }: AccountState,
  said: Omit<TxContent, 'timeoutHeight'>,
  { publicKey, chainId }: PrepareFor,
): PreparedTx {
  const content = { ...said, timeoutHeight: BigInt(height + TIMEOUT_BLOCKS) };
  const signer = { publicKey, accountNumber: number, sequence };
  return { content, signer, document: signDocument(types, content, signer, chainId), height };
}

function feeOf(gas: bigint, { gasDenom, minGasPrice }: PrepareFor): readonly Coin[] {
  const amount = gas * minGasPrice;
  return amount === 0n ? [] : [{ denom: gasDenom, amount: String(amount) }];
}
