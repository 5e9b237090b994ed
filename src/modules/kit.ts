import { StrataError } from 'strata-kit/errors';
import { formatTimeNs, parseTimeNs } from 'strata-kit/time';
import { z } from 'zod';
import { asOf, latestVersions } from '../api/as-of.ts';
import { parseAddress, parseHeight, parseLimit } from '../api/params.ts';
import { pathParam, type Route, type RouteContext, type RouteRequest } from '../api/route.ts';
import { readAll } from '../api/rows.ts';
import {
  delta,
  fixed,
  flag,
  i8,
  i32,
  i64big,
  i256,
  packed,
  text,
  texts,
  u8,
  u32,
  u64,
  u64big,
  u256,
  word,
  words,
} from '../core/columns.ts';
import { selection } from '../core/reading.ts';
import { derivedTable } from '../core/table.ts';
import { type Derivation, on } from '../derive/derivation.ts';
import { identifier, intLiteral, quote, uintLiteral } from '../store/sql.ts';
import type { Module } from './module.ts';

/**
 * What a module that lies outside of Strata is given, so that it imports nothing: docs/modules.md says what each is for.
 */
export const KIT = {
  table: derivedTable,
  selection,
  columns: {
    delta,
    fixed,
    flag,
    i8,
    i32,
    i64big,
    i256,
    packed,
    text,
    texts,
    u8,
    u32,
    u64,
    u64big,
    u256,
    word,
    words,
  },
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
  z,
} as const;

export type Kit = typeof KIT;

/** What the file of a module exports as `module`. */
export type ExportedModule = Module | ((kit: Kit) => Module);

export type { DerivedTable } from '../core/table.ts';
export type { BlockAt, EventContext, EventSpec, Handler, Wishes } from '../derive/derivation.ts';
export type { BlockFacts, EvmTxFact, LogFact, LogWish, TransferFact } from '../derive/facts.ts';
export type { Fields } from '../derive/fields.ts';
export type { Derivation, Module, Route, RouteContext, RouteRequest };
