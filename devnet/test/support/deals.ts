import type { JsonObject } from 'strata-kit/proto-json';
import { balance } from '../../src/modules/bank/keeper.ts';
import { position } from '../../src/modules/rights/keeper.ts';
import { address, createContext, time } from './context.ts';
import { ALL_MODULES, createAsset, createModules, kind, type Modules } from './modules.ts';

/** A chain of all modules, with people, an asset and coins, for the modules in which people deal with each other. */

export const ISSUER = address(0x11);
export const OPERATOR = address(0x12);
export const RELEASER = address(0x13);
export const ADA = address(1);
export const BEN = address(2);
export const CLEO = address(3);
export const STRANGER = address(0x66);
export const AUTHORITY = address(0xb0);
export const RELAYER = address(0xb1);

export interface Deals extends Modules {
  /** Of kinds 0 (ECONOMIC) and 1 (INCOME), which are its bundle, and 2 (VOTE); all bridgeable. */
  readonly assetId: string;
  /** Nothing but the messages' outcome: `has(ADA, 0)` units, `coins(ADA)` uusd. */
  has(holder: string, kindId: number): bigint;
  coins(holder: string, denom?: string): bigint;
  /** Sets the block's time, in UTC of 2026-01-01. */
  at(clock: string): void;
}

export const BYTES = Buffer.alloc(32, 7).toString('base64');

/** The time of 2026-01-01 at the clock, as messages have it. */
export function moment(clock: string): string {
  return `2026-01-01T${clock}Z`;
}

/** Ada has 100 of each kind and Ben 50 of kind 0; Ada, Ben and Cleo have 1,000 uusd each. It is 00:00. */
export function createDeals(change: JsonObject = {}): Deals {
  const modules = createModules(createContext(), ALL_MODULES);
  const assetId = createAsset(modules, ISSUER, {
    roles: { operator: OPERATOR, releaser: RELEASER },
    liens_allowed: true,
    kinds: [
      kind({ bridgeable: true }),
      kind({ class: 'KIND_CLASS_INCOME', bridgeable: true }),
      kind({ class: 'KIND_CLASS_VOTE', bundle: false, bridgeable: true }),
    ],
    ...change,
  });
  const deals: Deals = {
    ...modules,
    assetId,
    has: (holder, kindId) => position(modules.context.state, assetId, kindId, holder).units,
    coins: (holder, denom = 'uusd') => balance(modules.context.state, holder, denom),
    at(clock) {
      modules.context.timeNs = time(moment(clock));
    },
  };
  for (const kindId of [0, 1, 2]) issue(deals, ADA, kindId, '100');
  issue(deals, BEN, 0, '50');
  for (const holder of [ADA, BEN, CLEO]) deals.fund(holder, 1000n, 'uusd');
  deals.events();
  return deals;
}

export function issue(
  { send, assetId }: Deals,
  recipient: string,
  kindId: number,
  units: string,
): JsonObject {
  return send('rights.MsgIssue', { issuer: ISSUER, asset_id: assetId, kind_id: kindId, recipient, units });
}

/** The typed events since the last call as `[type, …values]`: what the test wants to see of each. */
export function summary(deals: Modules, ...names: readonly string[]): unknown[][] {
  return deals.events().map(({ type, fields }) => [type, ...names.flatMap((name) => fields[name] ?? [])]);
}
