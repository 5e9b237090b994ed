import fc from 'fast-check';
import { ChainError } from 'strata-kit/chain-error';
import { expect, it } from 'vitest';
import { changeRoute, startRoute, sweep } from '../../src/modules/payout/keeper.ts';
import { lock, unlock } from '../../src/modules/rights/keeper.ts';
import { address } from '../support/context.ts';
import { createAsset, createModules, kind, type Modules } from '../support/modules.ts';

/**
 * Random sequences of what moves units and income, against a model that knows sums alone: who has how much, what is
 * pledged, what was distributed and paid. What the model allows succeeds, all else is refused; the invariants hold
 * after each step, and a chain that begins with the export of another goes on as that one does.
 */

const ISSUER = address(0x11);
const PAYER = address(0x20);
const ACCOUNTS = [address(1), address(2), address(3), address(4)] as const;
const DENOMS = ['uusd', 'uatom'] as const;
type Denom = (typeof DENOMS)[number];

type StepName =
  | 'issue'
  | 'transfer'
  | 'redeem'
  | 'pledge'
  | 'release'
  | 'distribute'
  | 'claim'
  | 'claimRoute'
  | 'sweep';

/** Two accounts, units, a pledge's number, a denom and an amount: each kind of step uses some. */
interface Step {
  readonly what: StepName;
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
  readonly id: bigint;
  readonly denom: Denom;
  readonly amount: bigint;
}

interface Pledge {
  readonly from: string;
  readonly to: string;
  readonly units: bigint;
}

interface Model {
  readonly units: Map<string, bigint>;
  readonly pledges: Map<bigint, Pledge>;
  readonly distributed: Record<Denom, bigint>;
  readonly paid: Record<Denom, bigint>;
  /** Every touch may cost less than a coin of each denom. */
  touches: bigint;
}

interface Chain {
  readonly modules: Modules;
  readonly assetId: string;
}

interface Rule {
  /** Undefined where the sums cannot foretell it: whether there is something to pay. */
  allowed(model: Model, step: Step): boolean | undefined;
  /** Answers what was paid. */
  run(chain: Chain, step: Step, model: Model): bigint;
  apply(model: Model, step: Step, paid: bigint): void;
}

const sum = (values: Iterable<bigint>) => [...values].reduce((total, each) => total + each, 0n);
const has = ({ units }: Model, holder: string) => units.get(holder) ?? 0n;
const pledged = ({ pledges }: Model, holder: string) =>
  sum([...pledges.values()].map(({ from, units }) => (from === holder ? units : 0n)));
const add = (model: Model, holder: string, change: bigint) =>
  model.units.set(holder, has(model, holder) + change);
const enough = (model: Model, { from, units }: Step) =>
  units > 0n && units <= has(model, from) - pledged(model, from);
const pledgeOf = ({ pledges }: Model, id: bigint): Pledge =>
  pledges.get(id) ?? { from: ACCOUNTS[0], to: ACCOUNTS[0], units: 0n };
const right = ({ assetId }: Chain) => ({ asset_id: assetId, kind_id: 0 });

const RULES: Readonly<Record<StepName, Rule>> = {
  issue: {
    allowed: (_, { units }) => units > 0n,
    run(chain, { to, units }) {
      const message = { ...right(chain), issuer: ISSUER, recipient: to, units: String(units) };
      chain.modules.send('rights.MsgIssue', message);
      return 0n;
    },
    apply: (model, { to, units }) => add(model, to, units),
  },
  transfer: {
    allowed: (model, step) => enough(model, step) && step.from !== step.to,
    run(chain, { from, to, units }) {
      chain.modules.send('rights.MsgTransfer', { ...right(chain), from, to, units: String(units) });
      return 0n;
    },
    apply(model, { from, to, units }) {
      add(model, from, -units);
      add(model, to, units);
    },
  },
  redeem: {
    allowed: enough,
    run(chain, { from, units }) {
      chain.modules.send('rights.MsgRedeem', { ...right(chain), holder: from, units: String(units) });
      return 0n;
    },
    apply: (model, { from, units }) => add(model, from, -units),
  },
  pledge: {
    allowed: (model, step) => enough(model, step) && !model.pledges.has(step.id),
    run({ modules: { context }, assetId }, { from, to, units, id }, model) {
      if (model.pledges.has(id)) throw new ChainError('test', 1, 'an id is given once');
      lock(context, assetId, 0, from, `encumbrance/${id}`, units);
      startRoute(context, { id, assetId, kindId: 0, holder: from, beneficiary: to, units });
      return 0n;
    },
    apply: ({ pledges }, { from, to, units, id }) => pledges.set(id, { from, to, units }),
  },
  release: {
    allowed: ({ pledges }, { id, units }) => units > 0n && units <= (pledges.get(id)?.units ?? 0n),
    run({ modules: { context }, assetId }, { id, units }, model) {
      const { from, units: before } = pledgeOf(model, id);
      unlock(context, assetId, 0, from, `encumbrance/${id}`, units);
      changeRoute(context, id, before - units);
      return 0n;
    },
    apply({ pledges }, { id, units }) {
      const before = pledges.get(id);
      if (before !== undefined) pledges.set(id, { ...before, units: before.units - units });
    },
  },
  distribute: {
    allowed: (model, { amount }) => amount > 0n && sum(model.units.values()) > 0n,
    run(chain, { denom, amount }) {
      const payment = { payer: PAYER, amount: { denom, amount: String(amount) } };
      chain.modules.send('payout.MsgDistribute', { ...right(chain), ...payment });
      return 0n;
    },
    apply({ distributed }, { denom, amount }) {
      distributed[denom] += amount;
    },
  },
  claim: {
    allowed: () => undefined,
    run: (chain, { from, denom }) => claimed(chain, from, denom, ''),
    apply: pay,
  },
  claimRoute: {
    allowed: ({ pledges }, { id }) => (pledges.has(id) ? undefined : false),
    run: (chain, { id, denom, from }, { pledges }) =>
      claimed(chain, pledges.get(id)?.to ?? from, denom, `encumbrance/${id}`),
    apply: pay,
  },
  sweep: {
    allowed: () => true,
    run: ({ modules: { context }, assetId }, { from, denom }) =>
      sweep(context, assetId, 0, denom, from, ISSUER),
    apply: pay,
  },
};

function claimed(chain: Chain, claimant: string, denom: Denom, ref: string): bigint {
  const { amount } = chain.modules.send('payout.MsgClaim', { ...right(chain), claimant, denom, ref });
  const paid = BigInt(String(amount));
  expect(paid).toBeGreaterThan(0n);
  return paid;
}

function pay({ paid }: Model, { denom }: Step, amount: bigint): void {
  paid[denom] += amount;
}

/** Undefined when it is refused. */
function attempt(chain: Chain, model: Model, step: Step): bigint | undefined {
  try {
    return chain.modules.context.tx(() => RULES[step.what].run(chain, step, model));
  } catch (error) {
    if (error instanceof ChainError) return undefined;
    throw error;
  }
}

const account = fc.constantFrom(...ACCOUNTS);
const steps = fc.array(
  fc.record<Step>({
    // units come first, so that the rest finds some
    what: fc.constantFrom<StepName[]>(
      'issue',
      'issue',
      'transfer',
      'redeem',
      'pledge',
      'release',
      'distribute',
      'distribute',
      'claim',
      'claimRoute',
      'sweep',
    ),
    from: account,
    to: account,
    units: fc.bigInt({ min: 0n, max: 9n }),
    id: fc.bigInt({ min: 0n, max: 7n }),
    denom: fc.constantFrom(...DENOMS),
    amount: fc.oneof(fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: 10n ** 20n })),
  }),
  { minLength: 40, maxLength: 160, size: 'max' },
);

function start(): { chain: Chain; model: Model } {
  const modules = createModules();
  const kinds = [kind({ class: 'KIND_CLASS_REDEMPTION' })];
  const assetId = createAsset(modules, ISSUER, { kinds, distribution_denoms: ['uatom'] });
  for (const denom of DENOMS) modules.fund(PAYER, 10n ** 30n, denom);
  const model: Model = {
    units: new Map(),
    pledges: new Map(),
    distributed: { uusd: 0n, uatom: 0n },
    paid: { uusd: 0n, uatom: 0n },
    touches: 0n,
  };
  return { chain: { modules, assetId }, model };
}

function take(chain: Chain, model: Model, step: Step): void {
  const { allowed, apply } = RULES[step.what];
  const paid = attempt(chain, model, step);
  const foretold = allowed(model, step);
  if (foretold !== undefined) expect(paid !== undefined).toBe(foretold);
  if (paid === undefined) return;
  apply(model, step, paid);
  model.touches += 2n;
  expect(chain.modules.invariants()).toEqual([]);
}

function expectSums({ modules, assetId }: Chain, model: Model): void {
  const supply = String(sum(model.units.values()));
  const encumbered = String(sum([...model.pledges.values()].map(({ units }) => units)));
  const right = { asset_id: assetId, kind_id: 0 };
  expect(modules.query('rights.Totals', right)).toEqual({ supply, positions: supply, encumbered });
  for (const holder of ACCOUNTS)
    expect(modules.query('rights.Position', { ...right, holder }).position).toMatchObject({
      units: String(has(model, holder)),
    });
  const { accruals } = modules.query('payout.Accruals', { asset_id: assetId });
  for (const of of accruals as readonly Record<string, string>[]) {
    const denom = of.denom as Denom;
    expect([of.total_distributed, of.total_paid]).toEqual([
      String(model.distributed[denom]),
      String(model.paid[denom]),
    ]);
    const held = model.distributed[denom] - model.paid[denom];
    expect(of.module_held).toBe(String(held));
    // what nobody can claim is the carry and what floors took: less than a coin a touch, and a pending one a basis
    const lost = held - BigInt(of.sum_claimable ?? '') - BigInt(of.carry ?? '');
    expect(String(lost)).toBe(of.residue);
    expect(lost).toBeGreaterThanOrEqual(0n);
    expect(lost).toBeLessThanOrEqual(model.touches + 12n);
  }
}

it('keeps the sums, refuses what they do not allow, and goes on from an export as before', () => {
  const done = new Map<StepName | 'refused', number>();
  fc.assert(
    fc.property(steps, fc.nat({ max: 80 }), (all, cut) => {
      const { chain, model } = start();
      for (const step of all.slice(0, cut)) take(chain, model, step);
      const other: Chain = { ...chain, modules: chain.modules.reimported() };
      expect(other.modules.invariants()).toEqual([]);
      for (const step of all.slice(cut)) {
        const answer = attempt(other, model, step);
        const outcome = answer === undefined ? 'refused' : step.what;
        done.set(outcome, (done.get(outcome) ?? 0) + 1);
        take(chain, model, step);
      }
      expectSums(chain, model);
      for (const module of ['asset', 'attestation', 'rights', 'payout'])
        expect(other.modules.query(`${module}.Export`, {})).toEqual(
          chain.modules.query(`${module}.Export`, {}),
        );
    }),
    { numRuns: 60, seed: 20260101 },
  );
  // every kind of step and refusals came by, often
  expect(done.size).toBe(10);
  expect(Math.min(...done.values())).toBeGreaterThan(10);
});
