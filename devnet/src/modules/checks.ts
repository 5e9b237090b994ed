import type { Coin } from 'strata-kit/coin';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Context } from '../app/module.ts';
import type { Reader } from '../state/state.ts';
import { getAsset } from './asset/keeper.ts';
import { denial } from './asset/policy.ts';
import type { Asset, Kind } from './asset/records.ts';
import { balance, isBlocked } from './bank/keeper.ts';
import type { CommonCode, Refuse } from './refusals.ts';
import { transferable } from './rights/keeper.ts';

/** Checks that several modules make of what a message names, each refused with the asking module's codes. */

export function requireAsset(reader: Reader, refuse: Refuse<CommonCode>, assetId: string): Asset {
  const asset = getAsset(reader, assetId);
  if (asset === undefined) throw refuse('unknownAsset', `no asset ${assetId}`);
  return asset;
}

export function requireKind(refuse: Refuse<CommonCode>, asset: Asset, kindId: number): Kind {
  const kind = asset.kinds[kindId];
  if (kind === undefined) throw refuse('unknownAsset', `asset ${asset.id} has no kind ${kindId}`);
  return kind;
}

/** `what` is refused once the asset is LIQUIDATING, and for good (modules.md, section 4). */
export function requireActive(refuse: Refuse<CommonCode>, asset: Asset, what: string): void {
  if (asset.status !== 'ASSET_STATUS_ACTIVE')
    throw refuse('assetNotActive', `${what}: asset ${asset.id} is ${asset.status}`);
}

/** The units must be unlocked. */
export function requireUnits(
  reader: Reader,
  refuse: Refuse<CommonCode>,
  right: { readonly assetId: string; readonly kindId: number; readonly units: bigint },
  holder: string,
): void {
  const { assetId, kindId, units } = right;
  const free = transferable(reader, assetId, kindId, holder);
  if (free < units)
    throw refuse(
      'insufficientUnits',
      `${holder} has ${free} transferable units of asset ${assetId} kind ${kindId}, not ${units}`,
    );
}

export function requireCoins(
  reader: Reader,
  refuse: Refuse<CommonCode>,
  coins: readonly Coin[],
  holder: string,
): void {
  for (const { denom, amount } of coins) {
    const held = balance(reader, holder, denom);
    if (held < amount)
      throw refuse('insufficientCoins', `${holder} has ${held}${denom}, not ${amount}${denom}`);
  }
}

/** The kind's flag, then the effective policy, whose denial is the message. */
export function requireMove(
  context: Context,
  refuse: Refuse<CommonCode>,
  asset: Asset,
  kind: Kind,
  from: string,
  to: string,
): void {
  if (!kind.transferable)
    throw refuse('notTransferable', `kind ${kind.kindId} of asset ${asset.id} is not transferable`);
  const denied = denial(context, asset, kind, from, to);
  if (denied !== undefined) throw refuse('policyDenied', denied);
}

/** Accounts of modules and escrows of the bridge are no party of anybody's deal. */
export function requireParty(context: Context, refuse: Refuse<CommonCode>, address: string): void {
  if (isBlocked(context.state, context.parameters, address))
    throw refuse('escrow', `${address} is an account of the chain's own`);
}

export function coinJson({ denom, amount }: Coin): JsonObject {
  return { denom, amount: String(amount) };
}
