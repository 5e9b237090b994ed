import type { Module } from '../module.ts';
import { dexDerivation } from './derivation.ts';
import { meanPriceRoute } from './routes/mean-price.ts';
import { pricesRoute } from './routes/prices.ts';

/** The configured factory's pairs: part of the base layer, on any chain with an EVM. */
export const dex: Module = { name: 'dex', derivation: dexDerivation, routes: [pricesRoute, meanPriceRoute] };
