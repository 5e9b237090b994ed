import type { JsonObject } from 'strata-kit/proto-json';
import type { Context } from '../../app/module.ts';
import { type Fields, fieldsOf } from '../fields.ts';
import { kindKey } from '../rights/positions.ts';
import { payoutError } from './codes.ts';
import { putAccrual, putRoute } from './keeper.ts';
import { OWN, ROUTED } from './records.ts';

/** Takes what the query Export answers; the coins behind it are the bank's, the own bases' units the rights'. */
export function initPayout(context: Context, genesis: JsonObject): void {
  const fields = fieldsOf(genesis, context.parameters.hrp, payoutError);
  for (const item of fields.messages('accruals'))
    putAccrual(context, item.assetId(), {
      kindId: item.small('kind_id'),
      denom: item.denom('denom'),
      index: indexOf(item, 'index'),
      carryScaled: item.amount('carry_scaled'),
      totalDistributed: item.amount('total_distributed'),
      totalPaid: item.amount('total_paid'),
      distributions: item.id('distributions_count'),
    });
  for (const item of fields.messages('bases')) initBasis(context, item);
}

function initBasis(context: Context, item: Fields): void {
  const [assetId, kindId, ref] = [item.assetId(), item.small('kind_id'), item.text('ref')];
  const holder = item.address('holder');
  if (ref !== '') {
    if (!/^encumbrance\/(0|[1-9][0-9]{0,18})$/.test(ref)) throw payoutError('invalid', `ref: ${ref}`);
    const beneficiary = item.address('beneficiary');
    putRoute(context, { assetId, kindId, holder, beneficiary, ref, units: item.amount('units') });
  }
  for (const settled of item.messages('accruals')) {
    const key = `${kindKey(assetId, kindId)}|${settled.denom('denom')}|${ref === '' ? holder : ref}`;
    context.state.set(ref === '' ? OWN : ROUTED, key, {
      lastIndex: indexOf(settled, 'last_index'),
      accrued: settled.amount('accrued'),
    });
  }
}

/** An index has no bound. */
function indexOf(item: Fields, name: string): bigint {
  const text = item.text(name);
  if (!/^(0|[1-9][0-9]*)$/.test(text)) throw payoutError('invalid', `${name}: not a whole number`);
  return BigInt(text);
}
