import type { DeskRisk } from '../core/desk-risk.ts';
import type { ChainParameters } from '../core/parameters.ts';
import type { Instrument } from '../core/settings.ts';
import type { Key } from '../devnet/client/keys.ts';

/** What the app is configured with, every file read. */
export interface AppSettings {
  /** CometBFT's RPC. */
  readonly rpcUrl: string;
  /** Without a slash at its end. */
  readonly indexerUrl: string;
  /** Ethereum's JSON-RPC, for wallets. */
  readonly evmRpcUrl: string | undefined;
  /** Absolute; SQLite lies there. */
  readonly folder: string;
  /** Postgres instead. */
  readonly databaseUrl: string | undefined;
  /** Undefined: there is no desk. */
  readonly deskKey: Key | undefined;
  /** Undefined: there is no faucet. */
  readonly faucetKey: Key | undefined;
  readonly instruments: readonly Instrument[];
  /** What the desk risks at most. */
  readonly deskRisk: DeskRisk;
  /** The node is a reference chain, and test assets may be made. */
  readonly isTestnet: boolean;
  /** The `chain:` section; what it leaves out is asked of the node. */
  readonly chain: ChainParameters;
}
