import type { Module } from '../module.ts';
import { assetDerivation } from './derivation.ts';

export const asset: Module = { name: 'asset', derivation: assetDerivation, routes: [] };
