import { decimal, folder, height, interval, oneOf, paths, text, toList } from 'strata-kit/cli/kinds';
import { giving } from 'strata-kit/cli/read';
import { type Given, kind, setting } from 'strata-kit/cli/setting';
import { StrataError } from 'strata-kit/errors';
import { type HeightRanges, parseHeightRanges } from 'strata-kit/height-ranges';
import type { NodeAccess } from 'strata-kit/node-access';
import { type NodeAddress, rpc, rpcCa } from 'strata-kit/settings/nodes';
import { z } from 'zod';
import { VERIFY_MODES } from '../core/verify-mode.ts';

/** Where blocks come from, and how far they are trusted. */

const group = 'Source';

export const rps = setting('rps', decimal(0.1, 10_000, 'requests a second'), {
  group,
  text: 'requests a second to each node, at most (default: as many as it takes)',
});

export const descriptors = setting('descriptors', paths('descriptor sets'), {
  group,
  text: 'descriptor sets (of protoc or buf) for messages and events that the chain does not describe',
  preset: [],
});

export const capture = setting('capture', folder, { group, text: 'a recorded chain instead of nodes' });

export const keepRaw = setting('keepRaw', folder, {
  group,
  text: 'keep the bytes of every indexed block there, as a capture, and read from there what it holds',
});

export const chainId = setting(
  'chainId',
  text('a chain id of 1 to 50 printable characters', '<id>', /^[\x21-\x7e]{1,50}$/),
  { group, text: 'stop unless the chain has this id' },
);

export const from = setting('from', height, { group, text: "first height (default: the chain's first)" });

export const to = setting('to', height, {
  group,
  text: 'last height, and stop there (default: follow the head, or the end of the capture)',
});

export const verify = setting('verify', oneOf(VERIFY_MODES), {
  group,
  argument: '<mode>',
  text: `hold blocks against their hashes: ${VERIFY_MODES.join(', ')}; auto where the chain's fit`,
  default: 'auto',
});

/** Often enough to hear of a drift while its cause is at hand; a comparison of a large chain takes minutes. */
export const verifyEvery = setting('verifyEvery', interval, {
  group,
  text: "compare what is derived with the chain's own numbers so often while following it, 0: never",
  default: '10m',
});

/** Between two modules, so that all nine are compared within two hours. */
export const verifyDeepEvery = setting('verifyDeepEvery', interval, {
  group,
  text: "compare the whole state of one module after the other with the chain's Export so often, 0: never",
  default: '10m',
});

const heightRanges = kind<HeightRanges>(
  'all, or heights and ranges such as 120344,5000-5010',
  '<all|height,…>',
  z.preprocess(toList, z.array(z.string()).min(1)).transform((texts, context) => {
    const ranges = parseHeightRanges(texts);
    if (ranges !== undefined) return ranges;
    context.addIssue({ code: 'custom', message: 'heights' });
    return z.NEVER;
  }),
);

export const acceptBadBlocks = setting('acceptBadBlocks', heightRanges, {
  group,
  text: 'keep blocks whose results no node gives as they should be, at these heights and ranges (default: stop there)',
  preset: [],
});

export const NODES = [rpc, rpcCa, rps] as const;

/** The nodes that a command asks. */
export interface NodeChoice {
  readonly urls: readonly string[];
  readonly access: NodeAccess;
}

export type SourceChoice =
  | ({ readonly kind: 'rpc' } & NodeChoice)
  | { readonly kind: 'capture'; readonly folder: string };

interface GivenNodes {
  readonly rpc: readonly NodeAddress[] | undefined;
  readonly rpcCa: string | undefined;
  readonly rps?: number | undefined;
}

export function nodesOf({ rpc: nodes = [], rpcCa: caPath, rps: perSecond }: GivenNodes): NodeChoice {
  return {
    urls: nodes.map(({ url }) => url),
    access: {
      headers: Object.fromEntries(nodes.map(({ url, headers }) => [url, headers])),
      caPath,
      requestsPerSecond: perSecond,
    },
  };
}

/** Errors: config_invalid without one. */
export function sourceOf(given: Given<typeof NODES> & Given<readonly [typeof capture]>): SourceChoice {
  const nodes = nodesOf(given);
  if (nodes.urls.length > 0) return { kind: 'rpc', ...nodes };
  if (given.capture !== undefined) return { kind: 'capture', folder: given.capture };
  throw new StrataError('config_invalid', `a source is missing: ${giving([rpc, capture])}`);
}
