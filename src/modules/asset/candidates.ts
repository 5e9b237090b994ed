import type { CandidateFinder } from '../../api/candidates.ts';
import { hasAsset, tokenAt } from './assets-read.ts';

/** What /v1/lookup/{q} finds here (api.md, rule 7): an asset by its id, or by the address of a token of it. */
export const assetCandidates: readonly CandidateFinder[] = [
  {
    kind: 'hash',
    isFirst: true,
    find: async (shape, context) =>
      shape.kind === 'hash' && (await hasAsset(context, shape.hex)) ? [{ type: 'asset', id: shape.hex }] : [],
  },
  {
    kind: 'evm_address',
    isFirst: true,
    find: async (shape, context) => {
      const token = shape.kind === 'evm_address' ? await tokenAt(context, shape.bytes) : undefined;
      if (token === undefined) return [];
      const { assetId, kindId } = token;
      return [
        { type: 'asset', id: assetId, ...(kindId === undefined ? { bundle: true } : { kind_id: kindId }) },
      ];
    },
  },
];
