import { StrataError } from 'strata-kit/errors';
import { formatTimeNs, parseTimeNs } from 'strata-kit/time';
import { asOf, latestVersions } from '../api/as-of.ts';
import { parseAddress, parseHeight, parseLimit } from '../api/params.ts';
import { pathParam, type Route, type RouteContext, type RouteRequest } from '../api/route.ts';
import { readAll } from '../api/rows.ts';
import { type Derivation, on } from '../derive/derivation.ts';
import { identifier, intLiteral, quote, uintLiteral } from '../store/sql.ts';
import type { Module } from './module.ts';

/**
 * What a module that lies outside of Strata is given, so that it imports nothing: docs/modules.md says what each is for.
 */
export const KIT = {
  on,
  asOf,
  latestVersions,
  readAll,
  pathParam,
  parseAddress,
  parseHeight,
  parseLimit,
  formatTimeNs,
  parseTimeNs,
  quote,
  identifier,
  intLiteral,
  uintLiteral,
  StrataError,
} as const;

export type Kit = typeof KIT;

/** What the file of a module exports as `module`. */
export type ExportedModule = Module | ((kit: Kit) => Module);

export type { DerivedTable } from '../core/tables.ts';
export type { BlockAt, EventContext, EventSpec, Handler, Wishes } from '../derive/derivation.ts';
export type { BlockFacts, EvmTxFact, LogFact, LogWish, TransferFact } from '../derive/facts.ts';
export type { Fields } from '../derive/fields.ts';
export type { Derivation, Module, Route, RouteContext, RouteRequest };
