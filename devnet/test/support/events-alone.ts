import type { Json } from 'strata-kit/proto-json';

/**
 * Units, locks and income from events alone, by the letter of modules.md (rules 0, 3, 4) and as plainly as can be: every
 * basis is a line in a map, whole kinds are walked over. Nothing of the chain's own code is used.
 */
export interface FromEvents {
  apply(type: string, fields: Readonly<Record<string, Json>>): void;
  /** `<asset> <kind> <holder>`: units, for those who have some. */
  positions(): Map<string, bigint>;
  /** `<asset> <kind> <holder> <ref>`. */
  locks(): Map<string, bigint>;
  /** `<asset> <kind>`. */
  supplies(): Map<string, bigint>;
  /** `<asset> <kind> <denom>`: index, carry, distributed, paid and what all may claim. */
  accruals(): Map<string, readonly bigint[]>;
  /** Each event that told another number, in words. */
  readonly wrong: string[];
}

interface Basis {
  units: bigint;
  /** By denom: what was accrued at which index. */
  readonly settled: Map<string, { index: bigint; accrued: bigint }>;
}

interface Accrual {
  index: bigint;
  carry: bigint;
  distributed: bigint;
  paid: bigint;
}

const ONE = 10n ** 18n;

export function createFromEvents(): FromEvents {
  const units = new Map<string, bigint>();
  const locks = new Map<string, bigint>();
  const supplies = new Map<string, bigint>();
  /** By kind, then by holder or `encumbrance/<id>`. */
  const bases = new Map<string, Map<string, Basis>>();
  const accruals = new Map<string, Map<string, Accrual>>();
  const routeOf = new Map<string, { readonly holder: string }>();
  const wrong: string[] = [];

  function inner<K, V>(map: Map<K, V>, key: K, make: () => V): V {
    const found = map.get(key) ?? make();
    map.set(key, found);
    return found;
  }

  const basisOf = (kind: string, name: string): Basis =>
    inner(
      inner(bases, kind, () => new Map<string, Basis>()),
      name,
      () => ({
        units: 0n,
        settled: new Map(),
      }),
    );

  function total({ units: of, settled }: Basis, denom: string, index: bigint): bigint {
    const last = settled.get(denom) ?? { index: 0n, accrued: 0n };
    return last.accrued + (of * (index - last.index)) / ONE;
  }

  /** Settles every denom of the kind, then the basis changes. */
  function touch(kind: string, name: string, change: bigint): void {
    const basis = basisOf(kind, name);
    for (const [denom, { index }] of accruals.get(kind) ?? [])
      basis.settled.set(denom, { index, accrued: total(basis, denom, index) });
    basis.units += change;
  }

  function add(map: Map<string, bigint>, key: string, change: bigint): bigint {
    const after = (map.get(key) ?? 0n) + change;
    if (after === 0n) map.delete(key);
    else map.set(key, after);
    return after;
  }

  function same(what: string, told: Json | undefined, reckoned: bigint): void {
    if (told !== String(reckoned)) wrong.push(`${what}: ${told} was told, ${reckoned} reckoned`);
  }

  function changeUnits(kind: string, holder: string, change: bigint, what: string, told: Json | undefined) {
    touch(kind, holder, change);
    same(what, told, add(units, `${kind} ${holder}`, change));
  }

  function changeRoute(kind: string, ref: string, holder: string, to: bigint): void {
    const change = to - basisOf(kind, ref).units;
    touch(kind, holder, -change);
    touch(kind, ref, change);
  }

  function pay(kind: string, denom: string, name: string, told: Json | undefined, what: string): void {
    const accrual = accruals.get(kind)?.get(denom);
    if (accrual === undefined) {
      wrong.push(`${what}: nothing was distributed`);
      return;
    }
    const basis = basisOf(kind, name);
    const amount = total(basis, denom, accrual.index);
    same(what, told, amount);
    basis.settled.set(denom, { index: accrual.index, accrued: 0n });
    accrual.paid += amount;
  }

  return {
    wrong,
    apply(type, fields) {
      const kind = `${fields.asset_id} ${fields.kind_id}`;
      const text = (name: string) => String(fields[name]);
      const whole = (name: string) => BigInt(text(name));
      switch (type) {
        case 'rights.EventIssued':
          changeUnits(kind, text('recipient'), whole('units'), type, fields.recipient_units_after);
          same(type, fields.supply_after, add(supplies, kind, whole('units')));
          return;
        case 'rights.EventTransferred':
          changeUnits(kind, text('from'), -whole('units'), type, fields.from_units_after);
          changeUnits(kind, text('to'), whole('units'), type, fields.to_units_after);
          return;
        case 'rights.EventRedeemed':
        case 'waterfall.EventPoolRedeemed':
          changeUnits(kind, text('holder'), -whole('units'), type, fields.holder_units_after);
          same(type, fields.supply_after, add(supplies, kind, -whole('units')));
          return;
        case 'rights.EventLocked':
        case 'rights.EventUnlocked': {
          const change = type === 'rights.EventLocked' ? whole('units') : -whole('units');
          const lock = `${kind} ${text('holder')} ${text('ref')}`;
          same(type, fields.locked_after, add(locks, lock, change));
          return;
        }
        case 'encumbrance.EventCreated':
          if (fields.income_to_beneficiary !== true) return;
          routeOf.set(`encumbrance/${text('id')}`, { holder: text('holder') });
          changeRoute(kind, `encumbrance/${text('id')}`, text('holder'), whole('units'));
          return;
        case 'encumbrance.EventReleased':
        case 'encumbrance.EventExercised':
        case 'encumbrance.EventExpired': {
          const ref = `encumbrance/${text('id')}`;
          const route = routeOf.get(ref);
          const left = type === 'encumbrance.EventReleased' ? whole('remaining_units') : 0n;
          if (route !== undefined) changeRoute(kind, ref, route.holder, left);
          return;
        }
        case 'payout.EventDistributed': {
          const supply = supplies.get(kind) ?? 0n;
          same(type, fields.supply, supply);
          const accrual = inner(
            inner(accruals, kind, () => new Map<string, Accrual>()),
            text('denom'),
            () => ({ index: 0n, carry: 0n, distributed: 0n, paid: 0n }),
          );
          const scaled = whole('amount') * ONE + accrual.carry;
          accrual.index += scaled / supply;
          accrual.carry = scaled % supply;
          accrual.distributed += whole('amount');
          same(type, fields.new_index, accrual.index);
          same(type, fields.carry_scaled, accrual.carry);
          return;
        }
        case 'payout.EventClaimed':
          pay(kind, text('denom'), text('ref') === '' ? text('holder') : text('ref'), fields.amount, type);
          return;
        case 'bridge.EventEscrowIncomeSwept':
          pay(kind, text('denom'), text('escrow_address'), fields.amount, type);
          return;
      }
    },
    positions: () => units,
    locks: () => locks,
    supplies: () => supplies,
    accruals: () =>
      new Map(
        [...accruals].flatMap(([kind, denoms]) =>
          [...denoms].map(([denom, { index, carry, distributed, paid }]) => {
            let claimable = 0n;
            for (const basis of bases.get(kind)?.values() ?? []) claimable += total(basis, denom, index);
            return [`${kind} ${denom}`, [index, carry, distributed, paid, claimable]] as const;
          }),
        ),
      ),
  };
}
