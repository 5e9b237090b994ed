import { canonicalAccount } from 'strata-kit/address';
import { concatBytes } from 'strata-kit/bytes';
import { StrataError } from 'strata-kit/errors';
import type { ChainParameters } from 'strata-kit/parameters';
import type { ChainFacts } from '../chain/facts.ts';
import {
  type Evidence,
  knownEvmDenom,
  type Settled,
  settleEvmDenom,
  settlePrefix,
} from '../chain/identity.ts';
import { mergeParameters } from '../core/parameter-facts.ts';
import type { DecodeContext } from '../decode/range.ts';
import {
  addDescriptorSet,
  addGivenSet,
  type DescriptorSet,
  readDescriptorSets,
  readFacts,
  readGivenSets,
  writeFacts,
} from '../store/facts.ts';
import type { Store } from '../store/store.ts';

export interface ContextWish {
  readonly chainId: string;
  readonly told: ChainFacts;
  readonly configured: ChainParameters;
  /** The height from which what is new here counts. */
  readonly height: number;
  /** Descriptor sets that a person gave, for types that the chain does not describe. */
  readonly givenDescriptors?: readonly Uint8Array[];
  /** Whether blocks were decoded before: what they were decoded with must not change any more. */
  readonly hasBlocks: boolean;
  /** Blocks with Ethereum txs are to be decoded: the denom of their amounts must be known. */
  readonly needsEvmDenom?: boolean;
}

/** Keys that shape rows of every height, with where a person sets them. */
const FIXED = [
  ['hrp', 'chain.hrp'],
  ['evm_denom', 'chain.evm_denom'],
  ['ethereum_type_urls', 'chain.ethereum_type_urls'],
  // of what modules derive, and of every address that follows from an id
  ['namespace', 'chain.namespace'],
] as const;

/**
 * What decoding depends on besides bytes. The configuration wins, then what the chain reports, then what the store's
 * blocks were decoded with, then what the chain's own data shows (`evidence`). It is written back, so that processes which
 * only serve need no node. A store without blocks binds to nothing but its chain. A chain without Ethereum txs needs no
 * denom of the EVM: it may stay undefined.
 *
 * Errors: store_other_chain when the store holds another chain; config_invalid when nothing decides, and when the store's
 * blocks were decoded with another prefix, denom or list of Ethereum messages.
 */
export async function settleContext(
  store: Store,
  spoolFolder: string,
  wish: ContextWish,
  evidence: Evidence,
): Promise<DecodeContext> {
  const { chainId, told, configured } = wish;
  const { namespace } = configured;
  const stored = await readFacts(store);
  checkChain(stored, chainId);
  const remembered: ReadonlyMap<string, string> = wish.hasBlocks ? stored : new Map();
  const known = { configured, told, remembered };
  const prefix = await settlePrefix(known, evidence);
  const denom = wish.needsEvmDenom === true ? await settleEvmDenom(known, evidence) : knownEvmDenom(known);
  logInferred('address prefix', prefix, evidence);
  logInferred("denom of its EVM's amounts", denom, evidence);
  const hrp = prefix.value;
  const evmDenom = denom?.value;
  const added = configured.moduleAccounts
    .map((text) => canonicalAccount(text, hrp))
    .filter((text) => text !== undefined);
  const moduleAccounts = mergeLists(added, told.moduleAccounts, parseList(remembered.get('module_accounts')));
  const facts = new Map([
    ['chain_id', chainId],
    ['hrp', hrp],
    ['namespace', namespace],
    ...(evmDenom === undefined ? [] : [['evm_denom', evmDenom] as const]),
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
  for (const bytes of wish.givenDescriptors ?? []) await addGivenSet(store, bytes, wish.height, spoolFolder);
  const descriptorSets = completed(await readDescriptorSets(store), await readGivenSets(store));
  return {
    hrp,
    namespace,
    evmDenom,
    moduleAccounts,
    ethereumTypeUrls: configured.ethereumTypeUrls,
    descriptorSets,
  };
}

/**
 * Each of the chain's sets with the given ones after it: of two files that declare one name the first counts. The given
 * ones alone where the chain described nothing.
 */
function completed(
  ofChain: readonly DescriptorSet[],
  given: readonly Uint8Array[],
): DecodeContext['descriptorSets'] {
  if (given.length === 0) return ofChain;
  const sets = ofChain.length > 0 ? ofChain : [{ appVersion: '', bytes: new Uint8Array() }];
  return sets.map(({ appVersion, bytes }) => ({ appVersion, bytes: concatBytes([bytes, ...given]) }));
}

/** Whether blocks decode otherwise with one than with the other, both settled for one store. */
export function isSameContext(a: DecodeContext, b: DecodeContext): boolean {
  return (
    a.hrp === b.hrp &&
    a.evmDenom === b.evmDenom &&
    setsKey(a) === setsKey(b) &&
    a.moduleAccounts.join() === b.moduleAccounts.join()
  );
}

/** Sets are only added, to the list or to each set of it. */
function setsKey({ descriptorSets }: DecodeContext): string {
  return descriptorSets.map(({ appVersion, bytes }) => `${appVersion} ${bytes.length}`).join();
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
      `the store's blocks were read with ${key} ${before}, and now it is ${now} by ${setting} or by the chain's answer: set ${setting} to what it was, or index into another --data folder or database`,
    );
  }
}

function logInferred(what: string, settled: Settled | undefined, { log }: Evidence): void {
  if (settled?.isInferred !== true) return;
  const { value, origin } = settled;
  log.info({ value, origin }, `the chain does not report the ${what}: ${value} is taken, from ${origin}`);
}

function mergeLists(...lists: readonly (readonly string[])[]): readonly string[] {
  return [...new Set(lists.flat())].sort();
}

function parseList(json: string | undefined): readonly string[] {
  return json === undefined ? [] : (JSON.parse(json) as string[]);
}
