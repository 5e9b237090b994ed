import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accrualValues, pendingIncome } from '../../src/modules/payout/income.ts';
import { deriveAll } from './support/derive.ts';
import { blockOf, type ToldEvent } from './support/hand-written.ts';
import {
  account,
  accrualsIn,
  basesIn,
  claimed,
  created,
  distributed,
  issued,
  lockChanged,
  moved,
  pledged,
  pledgeEnded,
  redeemed,
  settledIn,
} from './support/income.ts';

/**
 * Income against a brute-force model with exact fractions: whatever happens, a basis has what it earned less one unit at
 * most a touch and one for what is pending, and nothing is made or lost.
 */

const HOLDERS = [1, 2, 3, 4].map(account);
const DENOMS = ['aaeva', 'uusd'];
const SCALE = 10n ** 18n;
const GREATEST = 10n ** 60n;

/** What happens next; numbers are taken modulo what there is. */
interface Act {
  readonly kind: 'issue' | 'move' | 'redeem' | 'pledge' | 'release' | 'exercise' | 'pay' | 'claim';
  readonly who: number;
  readonly whom: number;
  readonly denom: number;
  readonly amount: bigint;
}

const acts = fc.array(
  fc.record<Act>({
    kind: fc.constantFrom('issue', 'move', 'redeem', 'pledge', 'release', 'exercise', 'pay', 'pay', 'claim'),
    who: fc.nat(3),
    whom: fc.nat(3),
    denom: fc.nat(1),
    amount: fc.oneof(fc.bigInt(1n, 100n), fc.bigInt(1n, GREATEST)),
  }),
  { minLength: 5, maxLength: 60 },
);

interface ModelBasis {
  units: bigint;
  /** By denom: what it has earned, × 10^18, and how often it was settled. */
  readonly earned: bigint[];
  readonly touches: number[];
}

interface Route {
  readonly id: number;
  readonly holder: string;
  readonly beneficiary: string;
  readonly basis: ModelBasis;
}

const newBasis = (): ModelBasis => ({ units: 0n, earned: [0n, 0n], touches: [0, 0] });

/** Plays acts on a model of its own, and tells the events that a chain would; post-values are left out. */
class Model {
  readonly events: ToldEvent[] = [created()];
  readonly own = new Map<string, ModelBasis>(HOLDERS.map((holder) => [holder, newBasis()]));
  readonly routes: Route[] = [];
  readonly carry = [0n, 0n];
  readonly distributed = [0n, 0n];
  touches = [0, 0];

  play({ kind, who, whom, denom, amount }: Act): void {
    const holder = HOLDERS[who] as string;
    const other = HOLDERS[whom] as string;
    const basis = this.basisOf(holder);
    // what is routed away is locked, and so all that may move is the holder's own basis
    const units = basis.units === 0n ? 0n : (amount % basis.units) + 1n;
    const route = this.routes.filter((each) => each.basis.units > 0n)[whom];
    if (kind === 'issue') {
      this.touch(basis);
      basis.units += amount;
      this.events.push(issued(holder, amount, 0, 0));
    } else if (kind === 'move' && units > 0n && holder !== other) {
      this.move(holder, other, units);
    } else if (kind === 'redeem' && units > 0n) {
      this.touch(basis);
      basis.units -= units;
      this.events.push(redeemed(holder, units, 0, 0));
    } else if (kind === 'pledge' && units > 0n && holder !== other) {
      const id = this.routes.length + 1;
      const made = { id, holder, beneficiary: other, basis: newBasis() };
      this.routes.push(made);
      this.events.push(lockChanged('EventLocked', holder, id, units, 0), pledged(id, holder, other, units));
      this.reroute(made, units);
    } else if (kind === 'release' && route !== undefined) {
      const freed = (amount % route.basis.units) + 1n;
      this.events.push(lockChanged('EventUnlocked', route.holder, route.id, freed, 0));
      this.end('EventReleased', route, freed);
    } else if (kind === 'exercise' && route !== undefined) {
      const all = route.basis.units;
      this.events.push(lockChanged('EventUnlocked', route.holder, route.id, all, 0));
      this.end('EventExercised', route, all);
      this.move(route.holder, route.beneficiary, all);
    } else if (kind === 'pay') {
      this.pay(denom, amount);
    } else if (kind === 'claim') {
      this.claim(holder, other, denom);
    }
  }

  basisOf(holder: string): ModelBasis {
    return this.own.get(holder) as ModelBasis;
  }

  bases(): ModelBasis[] {
    return [...this.own.values(), ...this.routes.map(({ basis }) => basis)];
  }

  private touch(...bases: readonly ModelBasis[]): void {
    for (const basis of bases) for (const denom of [0, 1]) this.touchIn(basis, denom);
  }

  private touchIn(basis: ModelBasis, denom: number): void {
    basis.touches[denom] = (basis.touches[denom] ?? 0) + 1;
    this.touches[denom] = (this.touches[denom] ?? 0) + 1;
  }

  private move(from: string, to: string, units: bigint): void {
    const [left, reached] = [this.basisOf(from), this.basisOf(to)];
    this.touch(left, reached);
    left.units -= units;
    reached.units += units;
    this.events.push(moved(from, to, units, 0, 0));
  }

  private end(type: 'EventReleased' | 'EventExercised', route: Route, units: bigint): void {
    const { id, holder, beneficiary, basis } = route;
    this.events.push(pledgeEnded(type, id, holder, beneficiary, units, 0));
    this.reroute(route, basis.units - units);
  }

  private reroute({ holder, basis }: Route, units: bigint): void {
    const own = this.basisOf(holder);
    this.touch(own, basis);
    own.units += basis.units - units;
    basis.units = units;
  }

  /** Rule 3 as an identity: what is paid and was carried is what the units get, and the new carry. */
  private pay(denom: number, amount: bigint): void {
    const bases = this.bases();
    const supply = bases.reduce((sum, { units }) => sum + units, 0n);
    if (supply === 0n) return;
    const share = (amount * SCALE + (this.carry[denom] ?? 0n)) / supply;
    let rest = amount * SCALE + (this.carry[denom] ?? 0n);
    for (const basis of bases) {
      basis.earned[denom] = (basis.earned[denom] ?? 0n) + basis.units * share;
      rest -= basis.units * share;
    }
    this.carry[denom] = rest;
    this.distributed[denom] = (this.distributed[denom] ?? 0n) + amount;
    this.events.push(distributed(DENOMS[denom] ?? '', amount, 0, 0, 0));
  }

  private claim(holder: string, other: string, denom: number): void {
    if (this.distributed[denom] === 0n) return;
    const route = this.routes.find(({ beneficiary }) => beneficiary === holder);
    const [name = ''] = [DENOMS[denom]];
    if (route !== undefined && holder > other) {
      this.touchIn(route.basis, denom);
      this.events.push(claimed(holder, name, 0, `encumbrance/${route.id}`, route.holder));
    } else {
      this.touchIn(this.basisOf(holder), denom);
      this.events.push(claimed(holder, name, 0));
    }
  }
}

/** Compares what is derived of the model's events, a few a block, with the model. */
function expectIncome(played: readonly Act[], eventsPerBlock: number): void {
  const model = new Model();
  for (const act of played) model.play(act);
  const blocks = [];
  for (let at = 0; at < model.events.length; at += eventsPerBlock)
    blocks.push(blockOf(blocks.length + 1, ...model.events.slice(at, at + eventsPerBlock)));
  const rows = deriveAll(blocks);
  const [accruals, bases, settled] = [accrualsIn(rows), basesIn(rows), settledIn(rows)];
  for (const [denom, name] of DENOMS.entries()) {
    const accrual = accruals.get(name);
    if (accrual === undefined) {
      expect(model.distributed[denom]).toBe(0n);
      continue;
    }
    let claimable = 0n;
    let owed = 0n;
    const check = (key: string, basis: ModelBasis): void => {
      const [lastIndex = '0', accrued = '0'] = settled.get(`${key} ${name}`)?.split('/') ?? [];
      const units = bases.get(key) ?? 0n;
      expect(units).toBe(basis.units);
      const total = BigInt(accrued) + pendingIncome(units, accrual.index, BigInt(lastIndex));
      expect(total).toBeGreaterThanOrEqual(0n);
      claimable += total;
      owed += basis.earned[denom] ?? 0n;
    };
    for (const [holder, basis] of model.own) check(`${holder} `, basis);
    for (const { id, beneficiary, basis } of model.routes) check(`${beneficiary} encumbrance/${id}`, basis);
    // nothing is made or lost: what was paid in is what was earned, and the carry
    expect(accrual.totalDistributed).toBe(model.distributed[denom]);
    expect(owed + accrual.carryScaled).toBe(accrual.totalDistributed * SCALE);
    expect(accrual.carryScaled).toBe(model.carry[denom]);
    const { residue } = accrualValues(accrual, claimable);
    expect(residue).toBeGreaterThanOrEqual(0n);
    expect(residue <= BigInt((model.touches[denom] ?? 0) + model.bases().length)).toBe(true);
  }
}

/** As above without claims, basis by basis: each has what it earned but for the floors. */
function expectEachBasis(played: readonly Act[]): void {
  const model = new Model();
  for (const act of played) if (act.kind !== 'claim') model.play(act);
  const rows = deriveAll(model.events.map((event, i) => blockOf(i + 1, event)));
  const [accruals, bases, settled] = [accrualsIn(rows), basesIn(rows), settledIn(rows)];
  const check = (key: string, basis: ModelBasis): void => {
    for (const [denom, name] of DENOMS.entries()) {
      const { index } = accruals.get(name) ?? { index: 0n };
      const [lastIndex = '0', accrued = '0'] = settled.get(`${key} ${name}`)?.split('/') ?? [];
      const total = BigInt(accrued) + pendingIncome(bases.get(key) ?? 0n, index, BigInt(lastIndex));
      const below = (basis.earned[denom] ?? 0n) - total * SCALE;
      expect(below).toBeGreaterThanOrEqual(0n);
      expect(below < BigInt((basis.touches[denom] ?? 0) + 1) * SCALE).toBe(true);
    }
  };
  for (const [holder, basis] of model.own) check(`${holder} `, basis);
  for (const { id, beneficiary, basis } of model.routes) check(`${beneficiary} encumbrance/${id}`, basis);
}

const SEED = Number(process.env.STRATA_TEST_SEED ?? 20_261_121);
const RUNS = process.env.STRATA_TEST_POINTS === 'all' ? 600 : 120;

describe(`income, whatever happens (seed ${SEED})`, () => {
  it('keeps a residue of one unit a touch and a basis at most, and loses nothing', () => {
    fc.assert(fc.property(acts, fc.integer({ min: 1, max: 7 }), expectIncome), { seed: SEED, numRuns: RUNS });
  }, 300_000);

  it('is what each basis earned, less one unit at most a touch and one for what is pending', () => {
    fc.assert(fc.property(acts, expectEachBasis), { seed: SEED, numRuns: RUNS });
  }, 300_000);
});
