import type { ChainFacts } from '../chain/facts.ts';
import type { ChainLog } from '../chain/log.ts';
import { canonicalAccount } from '../core/address.ts';
import { StrataError } from '../core/errors.ts';
import { mergeParameters } from '../core/parameter-facts.ts';
import { type ChainParameters, REFERENCE_GAS_DENOM, REFERENCE_HRP } from '../core/parameters.ts';
import type { DecodeContext } from '../decode/range.ts';
import { addDescriptorSet, readDescriptorSets, readFacts, writeFacts } from '../store/facts.ts';
import type { Store } from '../store/store.ts';

export interface ContextWish {
  readonly chainId: string;
  readonly told: ChainFacts;
  readonly configured: ChainParameters;
  /** The height from which what is new here counts. */
  readonly height: number;
  /** Whether blocks were decoded before: what they were decoded with must not change any more. */
  readonly hasBlocks: boolean;
}

/** Keys that shape rows of every height, with where a person sets them. */
const FIXED = [
  ['hrp', 'chain.hrp'],
  ['evm_denom', 'chain.gas_denom'],
  ['ethereum_type_urls', 'chain.ethereum_type_urls'],
  // of what modules derive, and of every address that follows from an id
  ['namespace', 'chain.namespace'],
] as const;

/**
 * What decoding depends on besides bytes, from three places: the configuration wins, then what the chain tells, then
 * what the store's blocks were decoded with, then the reference chain's values. It is written back, so that processes
 * which only serve need no node. A store without blocks binds to nothing but its chain.
 *
 * Errors: store_other_chain when the store holds another chain; config_invalid when its blocks were decoded with
 * another prefix, gas denom or list of Ethereum messages.
 */
export async function settleContext(
  store: Store,
  spoolFolder: string,
  wish: ContextWish,
  log: ChainLog,
): Promise<DecodeContext> {
  const { chainId, told, configured } = wish;
  const { namespace } = configured;
  const stored = await readFacts(store);
  checkChain(stored, chainId);
  const remembered: ReadonlyMap<string, string> = wish.hasBlocks ? stored : new Map();
  const hrp = configured.hrp ?? told.hrp ?? remembered.get('hrp') ?? fallBack('hrp', log);
  const evmDenom =
    configured.gasDenom ?? told.evmDenom ?? remembered.get('evm_denom') ?? fallBack('evm_denom', log);
  const added = configured.moduleAccounts
    .map((text) => canonicalAccount(text, hrp))
    .filter((text) => text !== undefined);
  const moduleAccounts = mergeLists(added, told.moduleAccounts, parseList(remembered.get('module_accounts')));
  const facts = new Map([
    ['chain_id', chainId],
    ['hrp', hrp],
    ['namespace', namespace],
    ['evm_denom', evmDenom],
    ['module_accounts', JSON.stringify(moduleAccounts)],
    ['ethereum_type_urls', JSON.stringify(mergeLists(configured.ethereumTypeUrls))],
    ...mergeParameters(configured, remembered),
    ...(told.nodeMinGasPrices === undefined ? [] : [['node_min_gas_prices', told.nodeMinGasPrices] as const]),
    ...(told.evmChainId === undefined ? [] : [['evm_chain_id', String(told.evmChainId)] as const]),
  ]);
  checkFixed(remembered, facts);
  await writeFacts(store, new Map([...facts].filter(([key, value]) => stored.get(key) !== value)));
  if (told.descriptorSet !== undefined) {
    const set = { appVersion: told.appVersion, firstHeight: wish.height, bytes: told.descriptorSet };
    await addDescriptorSet(store, set, spoolFolder);
  }
  const descriptorSets = await readDescriptorSets(store);
  return {
    hrp,
    namespace,
    evmDenom,
    moduleAccounts,
    ethereumTypeUrls: configured.ethereumTypeUrls,
    descriptorSets,
  };
}

/** Whether blocks decode otherwise with one than with the other, both settled for one store. */
export function isSameContext(a: DecodeContext, b: DecodeContext): boolean {
  return (
    a.hrp === b.hrp &&
    a.evmDenom === b.evmDenom &&
    a.descriptorSets.length === b.descriptorSets.length &&
    a.moduleAccounts.join() === b.moduleAccounts.join()
  );
}

/** Errors: store_other_chain. */
export function checkChain(remembered: ReadonlyMap<string, string>, chainId: string): void {
  const stored = remembered.get('chain_id');
  if (stored === undefined || stored === chainId) return;
  throw new StrataError(
    'store_other_chain',
    `the store holds chain ${stored}, and the source is of chain ${chainId}: choose another --data folder or database`,
  );
}

/** Errors: config_invalid with both values. */
function checkFixed(remembered: ReadonlyMap<string, string>, facts: ReadonlyMap<string, string>): void {
  for (const [key, setting] of FIXED) {
    const before = remembered.get(key);
    const now = facts.get(key);
    if (before === undefined || before === now) continue;
    throw new StrataError(
      'config_invalid',
      `the store's blocks were read with ${key} ${before}, and now it is ${now} by ${setting} or by the chain's answer: set ${setting} as it was, or index into another --data folder or database`,
    );
  }
}

function fallBack(key: 'hrp' | 'evm_denom', log: ChainLog): string {
  const [value, setting] =
    key === 'hrp' ? [REFERENCE_HRP, 'chain.hrp'] : [REFERENCE_GAS_DENOM, 'chain.gas_denom'];
  log.warn(
    { [key]: value },
    `the chain does not tell its ${key} and ${setting} is not set: ${value} is taken`,
  );
  return value;
}

function mergeLists(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].sort();
}

function parseList(json: string | undefined): readonly string[] {
  return json === undefined ? [] : (JSON.parse(json) as string[]);
}
