import { sdkError } from 'strata-kit/chain-error';
import type { JsonObject } from 'strata-kit/proto-json';
import type { Context, Module, QueryHandler } from '../../app/module.ts';
import type { ChainParameters } from '../../app/parameters.ts';
import type { Reader } from '../../state/state.ts';
import { accountProblems } from '../accounts.ts';
import { moduleAddress } from '../bank/keeper.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { supply } from '../rights/keeper.ts';
import { refuse } from './codes.ts';
import { getWaterfall, put } from './keeper.ts';
import { onBeginLiquidation, onCloseLiquidation, onFund, onRedeemPool, onSetWaterfall } from './messages.ts';
import { type Liquidation, type Tier, waterfallJson, waterfalls } from './records.ts';

/** Tiers, liquidations and redemption pools. */
export const waterfallModule: Module = {
  name: 'waterfall',
  messages: {
    '/<ns>.waterfall.v1.MsgSetWaterfall': onSetWaterfall,
    '/<ns>.waterfall.v1.MsgBeginLiquidation': onBeginLiquidation,
    '/<ns>.waterfall.v1.MsgFund': onFund,
    '/<ns>.waterfall.v1.MsgRedeemPool': onRedeemPool,
    '/<ns>.waterfall.v1.MsgCloseLiquidation': onCloseLiquidation,
  },
  queries: {
    '/<ns>.waterfall.v1.Query/Waterfall': queryWaterfall(),
    '/<ns>.waterfall.v1.Query/Export': (reader) => ({
      waterfalls: [...reader.entries(waterfalls)].map(([, record]) => waterfallJson(record)),
    }),
  },
  initGenesis,
  invariants,
};

function queryWaterfall(): QueryHandler {
  return (reader, request, { parameters }) => {
    const assetId = fieldsOf(request, parameters.hrp, refuse).assetId();
    const record = getWaterfall(reader, assetId);
    if (record === undefined) throw sdkError('notFound', `waterfall of asset ${assetId} not found`);
    return { waterfall: waterfallJson(record) };
  };
}

/** Takes what Export answers. Coins come with the bank's own state. */
function initGenesis(context: Context, genesis: JsonObject): void {
  for (const record of fieldsOf(genesis, context.parameters.hrp, refuse).messages('waterfalls')) {
    const liquidation = record.inner('liquidation');
    put(context, {
      assetId: record.assetId(),
      tiers: readTiers(record),
      liquidation: liquidation === undefined ? null : readLiquidation(liquidation),
      pools: record.messages('pools').map((pool) => ({
        kindId: pool.small('kind_id'),
        amount: pool.amount('amount'),
        units: pool.amount('units'),
        remainingAmount: pool.amount('remaining_amount'),
        remainingUnits: pool.amount('remaining_units'),
      })),
    });
  }
}

function readTiers(record: Fields): Tier[] {
  const paid = new Map(
    record.messages('paid').map((entry) => [entry.small('tier'), entry.amount('cumulative_paid')]),
  );
  return record.messages('tiers').map((entry) => {
    const tier = entry.small('tier');
    return { tier, kindId: entry.small('kind_id'), cap: entry.amount('cap'), paid: paid.get(tier) ?? 0n };
  });
}

function readLiquidation(liquidation: Fields): Liquidation {
  return {
    denom: liquidation.denom('denom'),
    initiator: liquidation.address('initiator'),
    pool: liquidation.amount('pool'),
    beganHeight: Number(liquidation.id('began_height')),
    beganAtNs: liquidation.requiredTimeNs('began_at'),
    closedHeight: Number(liquidation.id('closed_height')),
  };
}

/** The module's account holds the pools, and a redemption pool stands for its kind's whole supply. */
function invariants(reader: Reader, parameters: ChainParameters): string[] {
  const expected = new Map<string, bigint>();
  const problems: string[] = [];
  for (const [assetId, { liquidation, pools, tiers }] of reader.entries(waterfalls)) {
    if (liquidation === null) continue;
    const held = pools.reduce((sum, { remainingAmount }) => sum + remainingAmount, liquidation.pool);
    expected.set(liquidation.denom, (expected.get(liquidation.denom) ?? 0n) + held);
    for (const { kindId, remainingUnits, amount } of pools) {
      const units = supply(reader, assetId, kindId);
      if (units !== remainingUnits)
        problems.push(`asset ${assetId} kind ${kindId}: a pool for ${remainingUnits} units of ${units}`);
      const paid = tiers.reduce((sum, tier) => (tier.kindId === kindId ? sum + tier.paid : sum), 0n);
      if (paid !== amount)
        problems.push(`asset ${assetId} kind ${kindId}: a pool of ${amount}, its tiers were paid ${paid}`);
    }
    for (const { tier, cap, paid } of tiers)
      if (cap > 0n && paid > cap) problems.push(`asset ${assetId} tier ${tier}: ${paid} over ${cap}`);
  }
  return [...problems, ...accountProblems(reader, moduleAddress(parameters, 'waterfall'), expected)];
}
