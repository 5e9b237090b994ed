import type { Module } from '../../app/module.ts';
import type { ChainParameters } from '../../app/parameters.ts';
import type { Reader } from '../../state/state.ts';
import { accountProblems } from '../accounts.ts';
import { moduleAddress } from '../bank/keeper.ts';
import { type ExpectedLock, lockProblems } from '../locks.ts';
import { initGenesis } from './genesis.ts';
import { expireDue, heldCoins } from './keeper.ts';
import { onAccept, onCancel, onPropose } from './messages.ts';
import { queryExport, querySettlement } from './queries.ts';
import { lockRef, rightsOf, type Settlement, settlements } from './records.ts';

/** Settlements: legs of rights and coins that move in one block, or not at all. */
export const settlementModule: Module = {
  name: 'settlement',
  messages: {
    '/<ns>.settlement.v1.MsgPropose': onPropose,
    '/<ns>.settlement.v1.MsgAccept': onAccept,
    '/<ns>.settlement.v1.MsgCancel': onCancel,
  },
  queries: {
    '/<ns>.settlement.v1.Query/Settlement': querySettlement,
    '/<ns>.settlement.v1.Query/Export': queryExport,
  },
  endBlock: expireDue,
  initGenesis,
  invariants,
};

/** Locks are those of pending settlements, and the module's account holds their coins. */
function invariants(reader: Reader, parameters: ChainParameters): string[] {
  const pending = [...reader.entries(settlements)]
    .map(([, record]) => record)
    .filter(({ status }) => status === 'STATUS_PENDING');
  const expected = new Map<string, bigint>();
  for (const { denom, amount } of pending.flatMap(heldCoins))
    expected.set(denom, (expected.get(denom) ?? 0n) + amount);
  return [
    ...lockProblems(reader, 'settlement', pending.flatMap(locksOf)),
    ...accountProblems(reader, moduleAddress(parameters, 'settlement'), expected),
  ];
}

function locksOf({ id, proposer, legs }: Settlement): ExpectedLock[] {
  return rightsOf(legs, 'DIRECTION_PROPOSER_TO_COUNTERPARTY').map((right) => ({
    ...right,
    holder: proposer,
    ref: lockRef(id),
  }));
}
