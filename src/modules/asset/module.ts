import type { Module } from '../module.ts';
import { assetCandidates } from './candidates.ts';
import { assetDerivation } from './derivation.ts';
import { assetExport } from './export.ts';
import { assetRoute } from './routes/asset.ts';
import { assetFactsRoute } from './routes/asset-facts.ts';
import { assetsRoute } from './routes/assets.ts';

export const asset: Module = {
  name: 'asset',
  derivation: assetDerivation,
  export: assetExport,
  routes: [assetsRoute, assetRoute, assetFactsRoute],
  candidates: assetCandidates,
};
