/** What tells one reference chain from another; the defaults are in `devnet.ts`. Addresses are bech32. */
export interface ChainParameters {
  readonly chainId: string;
  /** EIP-155. */
  readonly evmChainId: bigint;
  /** First segment of type URLs, event types and derivation texts: `aeva`. */
  readonly namespace: string;
  /** Prefix of bech32 addresses: `aeva`. */
  readonly hrp: string;
  /** 18 decimals: `aaeva`. */
  readonly gasDenom: string;
  /** 6 decimals: `uusd`. */
  readonly stableDenom: string;
  /** Least price of gas, in gasDenom. */
  readonly minGasPrice: bigint;
  /** Who sets routes, their status and limits. */
  readonly bridgeAuthority: string;
  /** Who delivers what comes in over a bridge. */
  readonly relayer: string;
}
