import type { ChainFacts } from '../chain/facts.ts';
import { canonicalAccount } from '../core/address.ts';
import { StrataError } from '../core/errors.ts';
import { type ChainParameters, REFERENCE_GAS_DENOM, REFERENCE_HRP } from '../core/parameters.ts';
import type { DecodeContext } from '../decode/range.ts';
import {
  addDescriptorSet,
  type DescriptorSet,
  readDescriptorSets,
  readFacts,
  writeFacts,
} from '../store/facts.ts';
import type { Store } from '../store/store.ts';

/**
 * What decoding depends on besides bytes, from three places: the configuration wins, then what the chain tells, then
 * what the store remembers, then the reference chain's values. It is written back, so that processes which only serve
 * need no node.
 *
 * Errors: store_other_chain when the store holds another chain.
 */
export async function settleContext(
  store: Store,
  spoolFolder: string,
  chainId: string,
  told: ChainFacts,
  configured: ChainParameters,
): Promise<DecodeContext> {
  const remembered = await readFacts(store);
  checkChain(remembered, chainId);
  const hrp = configured.hrp ?? told.hrp ?? remembered.get('hrp') ?? REFERENCE_HRP;
  const added = configured.moduleAccounts
    .map((text) => canonicalAccount(text, hrp))
    .filter((text) => text !== undefined);
  const moduleAccounts = mergeLists(added, told.moduleAccounts, parseList(remembered.get('module_accounts')));
  const context = {
    hrp,
    evmDenom: configured.gasDenom ?? told.evmDenom ?? remembered.get('evm_denom') ?? REFERENCE_GAS_DENOM,
    moduleAccounts,
    ethereumTypeUrls: configured.ethereumTypeUrls,
  };
  const facts = new Map([
    ['chain_id', chainId],
    ['hrp', context.hrp],
    ['evm_denom', context.evmDenom],
    ['module_accounts', JSON.stringify(moduleAccounts)],
    ...(told.evmChainId === undefined ? [] : [['evm_chain_id', String(told.evmChainId)] as const]),
  ]);
  const changed = new Map([...facts].filter(([key, value]) => remembered.get(key) !== value));
  await writeFacts(store, changed);
  const descriptorSets = await keepDescriptors(store, spoolFolder, told, 1);
  return { ...context, descriptorSets };
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

/** Stores the chain's descriptors where they are new; returns every set, oldest first. */
export async function keepDescriptors(
  store: Store,
  spoolFolder: string,
  told: ChainFacts,
  firstHeight: number,
): Promise<readonly DescriptorSet[]> {
  if (told.descriptorSet !== undefined) {
    const set = { appVersion: told.appVersion, firstHeight, bytes: told.descriptorSet };
    await addDescriptorSet(store, set, spoolFolder);
  }
  return readDescriptorSets(store);
}

function mergeLists(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].sort();
}

function parseList(json: string | undefined): readonly string[] {
  return json === undefined ? [] : (JSON.parse(json) as string[]);
}
