import type { Node } from '../devnet/client/node.ts';
import type { Codec } from '../devnet/codec/codec.ts';
import type { JsonObject } from '../devnet/json.ts';

/** The chain as the app's parts see it: what it is configured with, and its node. The node is believed, requests are not. */
export interface Chain {
  readonly facts: ChainFacts;
  readonly node: Node;
  readonly codec: Codec;
  /**
   * The answer of a query as of the newest block (`/<ns>.rights.v1.Query/Position`). Errors: ChainError as the chain
   * refuses, AppError unavailable when no answer comes.
   */
  query(path: string, request: JsonObject): Promise<JsonObject>;
}

/** What pages and parts need to know of a chain, and `GET /api/chain` tells. */
export interface ChainFacts {
  readonly chainId: string;
  /** EIP-155; undefined for a chain without an EVM. */
  readonly evmChainId: bigint | undefined;
  /** Prefix of bech32 addresses. */
  readonly hrp: string;
  /** First segment of type URLs. */
  readonly namespace: string;
  /** 18 decimals. */
  readonly gasDenom: string;
  /** In gasDenom, for one unit of gas. */
  readonly minGasPrice: bigint;
  /** 6 decimals. */
  readonly stableDenom: string;
  /** Ethereum's JSON-RPC for wallets; undefined where none is told. */
  readonly evmRpcUrl: string | undefined;
  /** EIP-55; undefined for a chain whose market nobody configured. */
  readonly contracts: ChainContracts | undefined;
  /** Accounts that pages show by a name: the faucet, the desk, services. */
  readonly names: readonly { readonly address: string; readonly name: string }[];
}

export interface ChainContracts {
  readonly factory: string;
  readonly router: string | undefined;
  readonly stable: string;
  readonly wrappedNative: string;
}
