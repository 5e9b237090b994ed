import type { Key } from 'strata-kit/client/keys';
import type { DeskRisk } from 'strata-kit/desk-risk';
import type { ChainParameters } from 'strata-kit/parameters';
import type { Instrument } from './instrument.ts';

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
