import { encodeBech32 } from 'strata-kit/address';
import { DRIFT } from '../../../src/core/tables.ts';
import { ACCRUALS, INCOME_ROUTES, SETTLED_INCOME } from '../../../src/modules/payout/tables.ts';
import { POSITIONS } from '../../../src/modules/rights/tables.ts';
import { columnsOf, type ToldEvent, tell } from './hand-written.ts';
import type { Rows } from './versions.ts';

/** One asset, as tests of income write it down: the vector of modules.md section 1. */

export const ASSET = '472937304b8fe0f9b158105de5a16c5a36f7e42c39dc03b3c0eef0e90960a38a';
export const account = (byte: number): string => encodeBech32('aeva', new Uint8Array(20).fill(byte));
export const ISSUER = account(0x11);

const OF_KIND = { asset_id: ASSET, kind_id: 0 };

/** With kinds 0 to `kinds` − 1. */
export const created = (kinds = 1): ToldEvent =>
  tell('asset.v1.EventAssetCreated', {
    asset_id: ASSET,
    issuer: ISSUER,
    nonce: '0',
    status: 'ASSET_STATUS_ACTIVE',
    policy: { mode: 'POLICY_MODE_OPEN', required_types: [], attesters: [] },
    roles: { operator: '', releaser: '' },
    meta_hash: '',
    settlement_denom: 'uusd',
    liens_allowed: false,
    distribution_denoms: [],
    kinds: Array.from({ length: kinds }, (_, kind_id) => ({
      ...{ kind_id, class: 'KIND_CLASS_INCOME', decimals: 6, bundle: false, transferable: true },
      ...{ term: null, multiplier: '1', bridgeable: true },
    })),
  });

type Amount = bigint | number;

export const issued = (recipient: string, units: Amount, supply: Amount, after: Amount): ToldEvent =>
  tell('rights.v1.EventIssued', {
    ...OF_KIND,
    recipient,
    units: String(units),
    supply_after: String(supply),
    recipient_units_after: String(after),
  });

export const moved = (
  from: string,
  to: string,
  units: Amount,
  fromAfter: Amount,
  toAfter: Amount,
): ToldEvent =>
  tell('rights.v1.EventTransferred', {
    ...OF_KIND,
    ...{ from, to },
    units: String(units),
    from_units_after: String(fromAfter),
    to_units_after: String(toAfter),
  });

export const redeemed = (holder: string, units: Amount, supply: Amount, after: Amount): ToldEvent =>
  tell('rights.v1.EventRedeemed', {
    ...OF_KIND,
    holder,
    units: String(units),
    supply_after: String(supply),
    holder_units_after: String(after),
  });

export const lockChanged = (
  type: 'EventLocked' | 'EventUnlocked',
  holder: string,
  id: number,
  units: Amount,
  after: Amount,
): ToldEvent =>
  tell(`rights.v1.${type}`, {
    ...OF_KIND,
    holder,
    ref: `encumbrance/${id}`,
    units: String(units),
    locked_after: String(after),
  });

export const distributed = (
  denom: string,
  amount: Amount,
  index: Amount,
  carry: Amount,
  supply: Amount,
): ToldEvent =>
  tell('payout.v1.EventDistributed', {
    ...OF_KIND,
    denom,
    payer: ISSUER,
    amount: String(amount),
    new_index: String(index),
    carry_scaled: String(carry),
    supply: String(supply),
  });

export const claimed = (holder: string, denom: string, amount: Amount, ref = '', from = ''): ToldEvent =>
  tell('payout.v1.EventClaimed', {
    ...OF_KIND,
    ...{ denom, holder, ref },
    routed_from: from,
    amount: String(amount),
  });

export const pledged = (id: number, holder: string, beneficiary: string, units: Amount): ToldEvent =>
  tell('encumbrance.v1.EventCreated', {
    ...OF_KIND,
    id: String(id),
    kind: 'KIND_PLEDGE',
    ...{ holder, beneficiary },
    units: String(units),
    income_to_beneficiary: true,
    holder_release_after: null,
    exercisable: true,
    expiry: null,
    evidence_hash: '',
    actor: holder,
    actor_role: 'holder',
  });

export const pledgeEnded = (
  type: 'EventReleased' | 'EventExercised' | 'EventExpired',
  id: number,
  holder: string,
  beneficiary: string,
  units: Amount,
  remaining: Amount,
): ToldEvent =>
  tell(`encumbrance.v1.${type}`, {
    ...OF_KIND,
    id: String(id),
    ...{ holder, beneficiary },
    units: String(units),
    remaining_units: String(remaining),
    actor: beneficiary,
    actor_role: 'beneficiary',
  });

export const driftOf = (rows: Rows) => columnsOf(rows, DRIFT, ['height', 'type', 'field', 'derived', 'told']);

/** `last_index/accrued` by `account ref denom`, newest versions. */
export const settledIn = (rows: Rows): ReadonlyMap<string, string> =>
  new Map(
    columnsOf(rows, SETTLED_INCOME, ['account', 'ref', 'denom', 'last_index', 'accrued']).map(
      ([holder, ref, denom, index, accrued]) => [`${holder} ${ref} ${denom}`, `${index}/${accrued}`],
    ),
  );

export interface AccrualRow {
  readonly index: bigint;
  readonly carryScaled: bigint;
  readonly totalDistributed: bigint;
  readonly totalPaid: bigint;
}

/** By denom, newest versions. */
export const accrualsIn = (rows: Rows): ReadonlyMap<string, AccrualRow> =>
  new Map(
    columnsOf(rows, ACCRUALS, [
      'denom',
      'income_index',
      'carry_scaled',
      'total_distributed',
      'total_paid',
    ]).map(([denom = '', index = '', carry = '', all = '', paid = '']) => [
      denom,
      {
        index: BigInt(index),
        carryScaled: BigInt(carry),
        totalDistributed: BigInt(all),
        totalPaid: BigInt(paid),
      },
    ]),
  );

/** Units by basis, `account ref`, newest versions: own ones less those routed away, and those of routes. */
export function basesIn(rows: Rows): ReadonlyMap<string, bigint> {
  const bases = new Map<string, bigint>();
  for (const [holder, units = '', routed = ''] of columnsOf(rows, POSITIONS, ['holder', 'units', 'routed'])) {
    bases.set(`${holder} `, BigInt(units) - BigInt(routed));
  }
  for (const [account, ref, units = ''] of columnsOf(rows, INCOME_ROUTES, ['beneficiary', 'ref', 'units'])) {
    bases.set(`${account} ${ref}`, BigInt(units));
  }
  return bases;
}
