import type { PrecompileFunc } from '@ethereumjs/evm';
import { encodeBech32 } from 'strata-kit/address';
import { bytesToHex, hexToBytes, utf8ToBytes } from 'strata-kit/bytes';
import { sdkError } from 'strata-kit/chain-error';
import { keccak256 } from 'strata-kit/hash';
import type { Context } from '../../app/module.ts';
import type { Reader } from '../../state/state.ts';
import { bundleKinds, requireAsset, requireKind, tokenAt } from '../asset/keeper.ts';
import { balance, isBlocked, send, supplyOf } from '../bank/keeper.ts';
import { supply, transfer, transferable, transferBundle, wholeUnits } from '../rights/keeper.ts';
import type { Frame } from './machine.ts';
import { PRECOMPILE_CODE } from './state-manager.ts';
import { callToken, type Token } from './token.ts';

/**
 * The tokens of the chain as ERC-20 contracts: the stable coin, whose balances are the bank's, and each right and bundle
 * at the addresses of api.md, section 2, over the rights module.
 */

/** The last 20 bytes of keccak256(`<ns>/stable/v1` ‖ denom), 40 hex digits. */
export function stableAddress({ namespace, stableDenom }: Context['parameters']): string {
  return bytesToHex(keccak256(utf8ToBytes(`${namespace}/stable/v1${stableDenom}`)).subarray(12));
}

export function isPrecompile(reader: Reader, stable: string, address: string): boolean {
  return address === stable || tokenAt(reader, hexToBytes(address) ?? new Uint8Array()) !== undefined;
}

/** What callers see as an address's code, where the chain has a token there. */
export function precompileCode(reader: Reader, stable: string): (address: string) => Uint8Array | undefined {
  return (address) => (isPrecompile(reader, stable, address) ? PRECOMPILE_CODE : undefined);
}

/** `context` is told the events; its state is what the token reads and writes. */
export function precompileAt(
  context: Context,
  stable: string,
  address: string,
  frame: () => Frame,
): PrecompileFunc | undefined {
  const token = address === stable ? stableToken(context) : rightToken(context, address);
  if (token === undefined) return undefined;
  return ({ data, gasLimit }) => callToken(context.state, token, frame(), data, gasLimit);
}

function stableToken(context: Context): Token {
  const { state, parameters } = context;
  const { stableDenom, hrp } = parameters;
  const symbol = stableDenom.replace(/^u/, '').toUpperCase();
  return {
    name: `${symbol} stable coin`,
    symbol,
    decimals: 6,
    totalSupply: () => supplyOf(state, stableDenom),
    balanceOf: (account) => balance(state, encodeBech32(hrp, account), stableDenom),
    move(from, to, amount) {
      const [sender, recipient] = [encodeBech32(hrp, from), encodeBech32(hrp, to)];
      requireReceiver(context, recipient);
      // ERC-20 has transfers of nothing, the bank has not
      if (amount > 0n) send(context, sender, recipient, [{ denom: stableDenom, amount }]);
    },
  };
}

/** As MsgSend: module accounts are paid by their modules alone. Errors: sdk/4. */
export function requireReceiver(
  { state, parameters }: Pick<Context, 'state' | 'parameters'>,
  recipient: string,
): void {
  if (isBlocked(state, parameters, recipient))
    throw sdkError('unauthorized', `${recipient} is not allowed to receive funds: unauthorized`);
}

function rightToken(context: Context, address: string): Token | undefined {
  const { state, parameters } = context;
  const at = tokenAt(state, hexToBytes(address) ?? new Uint8Array());
  if (at === undefined) return undefined;
  const { assetId, kindId } = at;
  const asset = requireAsset(context, assetId);
  const account = (bytes: Uint8Array) => encodeBech32(parameters.hrp, bytes);
  const short = assetId.slice(0, 8);
  if (kindId === null) {
    const kinds = bundleKinds(asset);
    return {
      name: `Asset ${short}`,
      symbol: `A${short.toUpperCase()}`,
      decimals: kinds[0]?.decimals ?? 0,
      totalSupply: () => least(kinds.map((kind) => supply(state, assetId, kind.kindId))),
      balanceOf: (holder) => wholeUnits(state, asset, account(holder)),
      move: (from, to, units) =>
        transferBundle(context, { assetId, from: account(from), to: account(to), units }),
    };
  }
  const kind = requireKind(asset, kindId);
  return {
    name: `Asset ${short} kind ${kindId}`,
    symbol: `A${short.toUpperCase()}-${kindId}`,
    decimals: kind.decimals,
    totalSupply: () => supply(state, assetId, kindId),
    balanceOf: (holder) => transferable(state, assetId, kindId, account(holder)),
    move: (from, to, units) =>
      transfer(context, { assetId, kindId, from: account(from), to: account(to), units }),
  };
}

function least(values: readonly bigint[]): bigint {
  let found = values[0] ?? 0n;
  for (const value of values) if (value < found) found = value;
  return found;
}
