import type { Account } from './accounts.ts';
import type { KindSpec } from './messages.ts';

/** An asset that scenarios share, as they made it. */
export interface Asset {
  /** 64 hex. */
  readonly id: string;
  readonly issuer: Account;
  readonly operator: Account | undefined;
  readonly releaser: Account | undefined;
  readonly kinds: readonly KindSpec[];
  /** Scenarios that have it in hand. */
  users: number;
}

/** More are not kept in hand: the oldest makes room, and is liquidated sooner or later. */
export const MAX_SHARED_ASSETS = 12;

export interface AssetBook {
  list(): readonly Asset[];
  add(asset: Asset): void;
  remove(asset: Asset): void;
}

export function createAssetBook(): AssetBook {
  const assets: Asset[] = [];
  return {
    list: () => assets,
    add: (asset) => {
      assets.push(asset);
      if (assets.length > MAX_SHARED_ASSETS) assets.shift();
    },
    remove: (asset) => {
      const at = assets.indexOf(asset);
      if (at >= 0) assets.splice(at, 1);
    },
  };
}
