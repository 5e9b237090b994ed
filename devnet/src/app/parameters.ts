/** What tells one reference chain from another; the defaults are in `devnet.ts`. Addresses are bech32. */
export interface ChainParameters {
  readonly chainId: string;
  /** EIP-155. */
  readonly evmChainId: bigint;
  /** First segment of type URLs, event types and derivation texts: `aeva`. */
  readonly namespace: string;
  /** Prefix of bech32 addresses: `aeva`. */
  readonly hrp: string;
  /** The gas token as the bank holds it, and pays fees in: `aaeva`. */
  readonly gasDenom: string;
  /** Of the gas token in the bank. The EVM's amounts have 18. */
  readonly gasDecimals: 6 | 18;
  /** Denom of the EVM's amounts; the gas denom where the bank has 18 decimals. */
  readonly evmDenom: string;
  /** 6 decimals: `uusd`. */
  readonly stableDenom: string;
  /** Least price of gas, in evmDenom. */
  readonly minGasPrice: bigint;
  /** Who sets routes, their status and limits. */
  readonly bridgeAuthority: string;
  /** Who delivers what comes in over a bridge. */
  readonly relayer: string;
}
