import { isStrataError } from 'strata-kit/errors';
import type { ChainParameters } from 'strata-kit/parameters';
import type { ChainFacts } from '../../chain/facts.ts';
import { knownEvmDenom, type Settled, settlePrefix } from '../../chain/identity.ts';
import { silentLog } from '../../chain/log.ts';
import type { BlockSource, ChainHead } from '../../chain/source.ts';
import { about, type Finding, type Report } from './finding.ts';

/** What is known besides the nodes. */
export interface Settings {
  readonly configured: ChainParameters;
  /** The facts of a store with blocks; empty without one. */
  readonly stored: ReadonlyMap<string, string>;
}

/** Which prefix and which denom of the EVM's amounts an indexing would take from this node, and where they come from. */
export async function checkIdentity(
  name: string,
  { configured, stored }: Settings,
  told: ChainFacts,
  head: ChainHead,
  source: BlockSource,
  signal: AbortSignal,
): Promise<Finding[]> {
  const known = { configured, told, remembered: stored };
  const { earliestHeight: fromHeight, latestHeight } = head;
  const heights = { fromHeight, latestHeight: Math.max(fromHeight, latestHeight - 1) };
  const evidence = { source, log: silentLog, signal, ...heights };
  const prefix = about('prefix', name);
  const denom = about('denom', name);
  return [
    await settlePrefix(known, evidence).then(
      (settled) => compare(prefix, settled, stored.get('hrp'), 'chain.hrp'),
      (error: unknown) => {
        if (!isStrataError(error) || signal.aborted) throw error;
        return prefix('problem', `${error.code}: ${error.message}`);
      },
    ),
    compareDenom(denom, knownEvmDenom(known), told, stored.get('evm_denom')),
  ];
}

function compareDenom(
  report: Report,
  settled: Settled | undefined,
  { evmBankDenom }: ChainFacts,
  stored: string | undefined,
): Finding {
  if (settled !== undefined) return compare(report, settled, stored, 'chain.evm_denom');
  if (evmBankDenom === undefined)
    return report('ok', 'no EVM is reported, and no denom is needed without one');
  return report(
    'warning',
    `the EVM's amounts have 18 decimals, ${evmBankDenom} has others, and the chain names no other denom`,
    'set chain.evm_denom; else the fees of the first Ethereum txs decide it, or indexing stops there',
  );
}

/** Blocks of one store are never read with two. */
function compare(
  report: Report,
  { value, origin }: Settled,
  stored: string | undefined,
  key: string,
): Finding {
  const text = `${value}, from ${origin}`;
  return stored === undefined || stored === value
    ? report('ok', text)
    : report(
        'problem',
        `${text}; the store's blocks were read with ${stored}`,
        `set ${key} to ${stored}, or index into another --data folder or database`,
      );
}
