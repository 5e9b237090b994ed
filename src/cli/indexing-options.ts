import { ascending, either } from 'strata-kit/cli/command';
import type { Surroundings } from 'strata-kit/cli/context';
import type { Given } from 'strata-kit/cli/setting';
import { StrataError } from 'strata-kit/errors';
import { chain } from 'strata-kit/settings/chain';
import { rpc, testNodeWait } from 'strata-kit/settings/nodes';
import { forceModules, modules } from '../settings/modules.ts';
import { ADMIN, adminOf } from '../settings/serving.ts';
import {
  acceptBadBlocks,
  capture,
  chainId,
  descriptors,
  from,
  keepRaw,
  NODES,
  sourceOf,
  to,
  verify,
  verifyDeepEvery,
  verifyEvery,
} from '../settings/source.ts';
import { STEPS, stepsOf } from '../settings/steps.ts';
import { CLUSTER, clusteredStoreOf, durable, STORE, STORE_RULE } from '../settings/store.ts';
import { TUNING, tuningOf } from '../settings/tuning.ts';

/** What every command that indexes may be given. */

export const SOURCE = [...NODES, capture, chainId, descriptors, verify, acceptBadBlocks, keepRaw] as const;
export const COMPARING = [verifyEvery, verifyDeepEvery] as const;
export const WRITING = [...STORE, ...CLUSTER, durable, modules, forceModules] as const;
/** Of the file and of tests. */
export const UNSEEN = [chain, testNodeWait, ...STEPS] as const;
export const HEIGHTS = [from, to] as const;

export const INDEXING_RULES = [STORE_RULE, either(rpc, capture), ascending(from, to)] as const;

const ALL = [...SOURCE, ...COMPARING, ...HEIGHTS, ...WRITING, ...ADMIN, ...TUNING, ...UNSEEN] as const;

export type IndexOptions = ReturnType<typeof indexOptions>;

/** Errors: config_invalid for values that do not go together. */
export function indexOptions(given: Given<typeof ALL>, surroundings: Surroundings) {
  const source = sourceOf(given);
  if (given.keepRaw !== undefined && source.kind === 'capture') {
    throw new StrataError(
      'config_invalid',
      '--keep-raw keeps what nodes answer: with --capture the bytes are in a folder already',
    );
  }
  return {
    source,
    keepRaw: given.keepRaw,
    store: clusteredStoreOf(given),
    isDurable: given.durable,
    forceModules: given.forceModules,
    fromHeight: given.from,
    toHeight: given.to,
    ...adminOf(given),
    ...tuningOf(given, surroundings),
    chainId: given.chainId,
    chain: given.chain,
    nodeWaitMs: given.testNodeWait * 1_000,
    verify: given.verify,
    verifyEveryMs: given.verifyEvery,
    acceptBadBlocks: given.acceptBadBlocks,
    verifyDeepEveryMs: given.verifyDeepEvery,
    descriptorPaths: given.descriptors,
    modulePaths: given.modules,
    steps: stepsOf(given),
  };
}
