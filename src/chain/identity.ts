import { StrataError } from 'strata-kit/errors';
import type { ChainParameters } from 'strata-kit/parameters';
import { addressesInBlocks, feesInBlocks, type Heights } from './block-evidence.ts';
import type { ChainFacts } from './facts.ts';
import { tallyGenesis } from './genesis.ts';
import type { ChainLog } from './log.ts';
import { createPrefixTally } from './prefix-tally.ts';
import type { BlockSource } from './source.ts';

/**
 * The address prefix of a chain and the denom of its EVM's amounts: rows of every height depend on them and they never
 * change under a store, so that neither is ever guessed.
 */

export interface Known {
  readonly configured: Pick<ChainParameters, 'hrp' | 'gasDenom' | 'evmDenom'>;
  readonly told: ChainFacts;
  /** What the store's blocks were decoded with, by fact key; empty for a store without blocks. */
  readonly remembered: ReadonlyMap<string, string>;
}

/** Where to look when nothing that is Known decides. */
export interface Evidence extends Heights {
  readonly source: BlockSource;
  readonly log: ChainLog;
  readonly signal?: AbortSignal | undefined;
}

export interface Settled {
  readonly value: string;
  /** Where it comes from: `chain.hrp`, `the chain`, `the events of blocks 1 to 20: 41 of 44 addresses`. */
  readonly origin: string;
  /** The chain's own data showed it, and nobody said it. */
  readonly isInferred: boolean;
}

/** Undefined where the evidence is needed. */
export function knownPrefix({ configured, told, remembered }: Known): Settled | undefined {
  if (configured.hrp !== undefined) return said(configured.hrp, 'chain.hrp');
  if (told.hrp !== undefined) return said(told.hrp, 'the chain');
  const accounts = createPrefixTally();
  for (const account of told.moduleAccounts) accounts.add(account);
  const ofModules = accounts.winner()?.prefix;
  if (ofModules !== undefined) return said(ofModules, "the chain's module accounts");
  const stored = remembered.get('hrp');
  return stored === undefined ? undefined : said(stored, 'the store');
}

/** Errors: config_invalid with the line to add where nothing decides; those of readBlocks. */
export async function settlePrefix(known: Known, evidence: Evidence): Promise<Settled> {
  const prefix = knownPrefix(known);
  if (prefix !== undefined) return prefix;
  const { source, log, signal } = evidence;
  const genesis = await tallyGenesis(source, log, signal);
  const ofGenesis = genesis?.winner();
  if (genesis !== undefined && ofGenesis !== undefined) {
    return shown(ofGenesis.prefix, `the genesis: ${ofGenesis.count} of ${genesis.count} addresses`);
  }
  const { found, fromHeight, latestHeight } = await addressesInBlocks(source, evidence, signal);
  const winner = found.winner();
  const blocks = `blocks ${fromHeight} to ${latestHeight}`;
  if (winner !== undefined) {
    return shown(winner.prefix, `the events of ${blocks}: ${winner.count} of ${found.count} addresses`);
  }
  const seen = found.count === 0 ? 'no address' : found.describe();
  throw undecided(
    `the chain does not report its address prefix, and its genesis and the events of ${blocks} do not decide it (${seen})`,
    'hrp: <prefix>',
  );
}

/** Undefined without an EVM, and where the chain does not name the denom of 18-decimals amounts. */
export function knownEvmDenom({ configured, told, remembered }: Known): Settled | undefined {
  const { evmDenom, gasDenom } = configured;
  if (evmDenom !== undefined) return said(evmDenom, 'chain.evm_denom');
  // the name of the bank's token says nothing of the EVM's amounts: the chain may have another for those
  if (gasDenom !== undefined && gasDenom !== told.evmBankDenom) return said(gasDenom, 'chain.gas_denom');
  if (told.evmDenom !== undefined) return said(told.evmDenom, 'the chain');
  const stored = remembered.get('evm_denom');
  return stored === undefined ? undefined : said(stored, 'the store');
}

/** For blocks that have Ethereum txs. Errors: as settlePrefix. */
export async function settleEvmDenom(known: Known, evidence: Evidence): Promise<Settled> {
  const denom = knownEvmDenom(known);
  if (denom !== undefined) return denom;
  const { found, fromHeight, latestHeight } = await feesInBlocks(evidence.source, evidence, evidence.signal);
  const [first, ...others] = [...found];
  const blocks = `blocks ${fromHeight} to ${latestHeight}`;
  if (first !== undefined && others.length === 0) {
    return shown(first[0], `the fees of ${first[1]} Ethereum txs in ${blocks}`);
  }
  const seen = [...found].map(([name, count]) => `${name} ${count}`).join(', ');
  throw undecided(
    `${ofBank(known.told)}, and the fees in ${blocks} do not decide it (${seen === '' ? 'no fee' : seen})`,
    'evm_denom: <denom>',
  );
}

function ofBank({ evmBankDenom }: ChainFacts): string {
  return evmBankDenom === undefined
    ? "the chain has Ethereum txs and does not report the denom of its EVM's amounts, which have 18 decimals"
    : `the chain does not name the denom of its EVM's amounts, which have 18 decimals: ${evmBankDenom} has others`;
}

function said(value: string, origin: string): Settled {
  return { value, origin, isInferred: false };
}

function shown(value: string, origin: string): Settled {
  return { value, origin, isInferred: true };
}

function undecided(reason: string, line: string): StrataError {
  return new StrataError(
    'config_invalid',
    `${reason}. Add the line "${line}" to the section "chain:" of the file that --config names`,
  );
}
