import type { Module } from '../module.ts';
import { encumbranceDerivation } from './derivation.ts';

export const encumbrance: Module = { name: 'encumbrance', derivation: encumbranceDerivation, routes: [] };
