import type { DeriveParameters, Handler, Wishes } from '../../derive/derivation.ts';
import type { BlockFacts } from '../../derive/facts.ts';
import type { AssetState } from '../asset/state.ts';
import type { DexState } from '../dex/derivation.ts';
import type { RightsState } from '../rights/state.ts';
import type { SettlementState } from '../settlement/state.ts';

/** In the order of api.md. */
export const QUEST_IDS = [
  'faucet',
  'evm_tx',
  'swap',
  'add_liquidity',
  'first_dividend',
  'claim_income',
  'sell_strip',
  'borrow_repay',
  'launch_asset',
  'delegate_income',
] as const;
export type QuestId = (typeof QUEST_IDS)[number];

/** One quest: its texts, and its rule (modules.md rule 14). */
export interface Quest {
  readonly id: QuestId;
  readonly title: string;
  /** What on the chain completes it, in a sentence. */
  readonly how: string;
  open(setup: QuestSetup): OpenQuest;
}

export interface QuestSetup {
  readonly parameters: DeriveParameters;
  readonly assets: AssetState;
  readonly rights: RightsState;
  readonly settlements: SettlementState;
  readonly dex: DexState;
  /** Bech32 of an account as logs and Ethereum messages name it, 40 lower-case hex digits. */
  addressOf(hex: string): string;
  /** Bech32. Accounts that have it, and what is no account of a person's (32 bytes), are passed over. */
  complete(account: string): void;
  hasCompleted(account: string): boolean;
}

export interface OpenQuest {
  readonly wishes?: Wishes;
  /** They see an event behind the modules that the setup lends. */
  readonly handlers?: readonly Handler[];
  /** Sees each block that has txs or events. */
  seeBlock?(block: BlockFacts): void;
}
