import { EVMError, type ExecResult, type Log } from '@ethereumjs/evm';
import { bytesToHex, hexToBytes } from 'strata-kit/bytes';
import { ChainError } from 'strata-kit/chain-error';
import { collection, type Reader, type State } from '../../state/state.ts';
import { addressAt, addressWord, errorData, stringResult, uintAt, WORD, wordOf } from './abi.ts';
import type { Frame } from './machine.ts';

/** A token that lives in the chain's own modules: what its ERC-20 face asks of it. Addresses are 20 bytes. */
export interface Token {
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  totalSupply(): bigint;
  balanceOf(account: Uint8Array): bigint;
  /** Refuses with a ChainError. */
  move(from: Uint8Array, to: Uint8Array, amount: bigint): void;
}

/** By `<token>/<owner>/<spender>`, each 40 hex digits. */
const ALLOWANCES = collection<bigint>('evm/allowances');
const MAX_ALLOWANCE = 2n ** 256n - 1n;

/** Keccak-256 of `Transfer(address,address,uint256)` and `Approval(address,address,uint256)`. */
const TRANSFER =
  hexToBytes('ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef') ?? new Uint8Array();
const APPROVAL =
  hexToBytes('8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925') ?? new Uint8Array();

const READ_GAS = 3_000n;
const APPROVE_GAS = 25_000n;
const TRANSFER_GAS = 40_000n;

interface Method {
  readonly gas: bigint;
  readonly arguments: number;
  readonly writes: boolean;
  run(call: TokenCall): Result;
}

interface TokenCall {
  readonly state: State;
  readonly token: Token;
  readonly frame: Frame;
  readonly data: Uint8Array;
}

interface Result {
  readonly ret: Uint8Array;
  readonly logs?: readonly Log[];
}

/** By selector. */
const METHODS: Readonly<Record<string, Method>> = {
  '06fdde03': read(0, ({ token }) => stringResult(token.name)),
  '95d89b41': read(0, ({ token }) => stringResult(token.symbol)),
  '313ce567': read(0, ({ token }) => wordOf(BigInt(token.decimals))),
  '18160ddd': read(0, ({ token }) => wordOf(token.totalSupply())),
  '70a08231': read(1, ({ token, data }) => wordOf(token.balanceOf(argument(data, 0)))),
  dd62ed3e: read(2, ({ state, frame, data }) =>
    wordOf(allowance(state, frame.address, argument(data, 0), argument(data, 1))),
  ),
  '095ea7b3': { gas: APPROVE_GAS, arguments: 2, writes: true, run: approve },
  a9059cbb: { gas: TRANSFER_GAS, arguments: 2, writes: true, run: transfer },
  '23b872dd': { gas: TRANSFER_GAS, arguments: 3, writes: true, run: transferFrom },
};

/**
 * Answers a call to a token. What the modules refuse comes back as a revert with Error(string) that holds their text; an
 * unknown selector as one without data.
 */
export function callToken(
  state: State,
  token: Token,
  frame: Frame,
  data: Uint8Array,
  gasLimit: bigint,
): ExecResult {
  const method = METHODS[bytesToHex(data.subarray(0, 4))];
  const gas = method?.gas ?? READ_GAS;
  if (gas > gasLimit) return failed(EVMError.errorMessages.OUT_OF_GAS, gasLimit);
  if (method === undefined || data.length < 4 + WORD * method.arguments)
    return failed(EVMError.errorMessages.REVERT, gas);
  if (!frame.isPlain) return reverted('only plain calls without value are answered', gas);
  if (method.writes && frame.isStatic) return failed(EVMError.errorMessages.STATIC_STATE_CHANGE, gasLimit);
  try {
    const { ret, logs } = method.run({ state, token, frame, data });
    return { returnValue: ret, executionGasUsed: gas, ...(logs === undefined ? {} : { logs: [...logs] }) };
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    return reverted(error.message, gas);
  }
}

export function allowance(reader: Reader, token: Uint8Array, owner: Uint8Array, spender: Uint8Array): bigint {
  return reader.get(ALLOWANCES, allowanceKey(token, owner, spender)) ?? 0n;
}

function approve({ state, frame, data }: TokenCall): Result {
  const [spender, amount] = [argument(data, 0), uintAt(data, 1)];
  setAllowance(state, frame.address, frame.caller, spender, amount);
  return { ret: wordOf(1n), logs: [logOf(frame.address, APPROVAL, frame.caller, spender, amount)] };
}

function transfer({ token, frame, data }: TokenCall): Result {
  return moved(token, frame, frame.caller, argument(data, 0), uintAt(data, 1));
}

function transferFrom({ state, token, frame, data }: TokenCall): Result {
  const [from, to, amount] = [argument(data, 0), argument(data, 1), uintAt(data, 2)];
  const allowed = allowance(state, frame.address, from, frame.caller);
  if (allowed < amount)
    throw tokenError(`insufficient allowance: ${allowed} is allowed, ${amount} is needed`);
  if (allowed !== MAX_ALLOWANCE) setAllowance(state, frame.address, from, frame.caller, allowed - amount);
  return moved(token, frame, from, to, amount);
}

function moved(token: Token, frame: Frame, from: Uint8Array, to: Uint8Array, amount: bigint): Result {
  if (to.every((byte) => byte === 0)) throw tokenError('transfer to the zero address');
  token.move(from, to, amount);
  return { ret: wordOf(1n), logs: [logOf(frame.address, TRANSFER, from, to, amount)] };
}

function setAllowance(
  state: State,
  token: Uint8Array,
  owner: Uint8Array,
  spender: Uint8Array,
  amount: bigint,
): void {
  const key = allowanceKey(token, owner, spender);
  if (amount === 0n) state.delete(ALLOWANCES, key);
  else state.set(ALLOWANCES, key, amount);
}

function allowanceKey(token: Uint8Array, owner: Uint8Array, spender: Uint8Array): string {
  return `${bytesToHex(token)}/${bytesToHex(owner)}/${bytesToHex(spender)}`;
}

function read(count: number, answer: (call: TokenCall) => Uint8Array): Method {
  return { gas: READ_GAS, arguments: count, writes: false, run: (call) => ({ ret: answer(call) }) };
}

function argument(data: Uint8Array, index: number): Uint8Array {
  const address = addressAt(data, index);
  if (address === undefined) throw tokenError(`argument ${index} is no address`);
  return address;
}

function logOf(token: Uint8Array, topic: Uint8Array, a: Uint8Array, b: Uint8Array, amount: bigint): Log {
  return [token, [topic, addressWord(a), addressWord(b)], wordOf(amount)];
}

function tokenError(message: string): ChainError {
  return new ChainError('evm', 2, message);
}

function failed(error: string, gas: bigint): ExecResult {
  return {
    exceptionError: new EVMError(error as EVMError['error']),
    returnValue: new Uint8Array(0),
    executionGasUsed: gas,
  };
}

function reverted(reason: string, gas: bigint): ExecResult {
  return { ...failed(EVMError.errorMessages.REVERT, gas), returnValue: errorData(reason) };
}
