import type { Json } from 'strata-kit/proto-json';
import { describe, expect, it } from 'vitest';
import { setStatus } from '../../src/modules/asset/keeper.ts';
import { balance } from '../../src/modules/bank/keeper.ts';
import { changeRoute, endRoute, startRoute, sweep } from '../../src/modules/payout/keeper.ts';
import { lock, unlock } from '../../src/modules/rights/keeper.ts';
import { address } from '../support/context.ts';
import { createAsset, createModules, kind, type Modules } from '../support/modules.ts';

/** Rules 3 to 5 of modules.md, with figures reckoned by hand; docs/devnet.md tells them step by step. */

const ISSUER = address(0x11);
const PAYER = address(0x20);
const ADA = address(1);
const BEN = address(2);
const CLEO = address(3);

/** A kind and the chain that it is on. */
interface Kind {
  readonly modules: Modules;
  readonly assetId: string;
}

/** An asset of one kind, held as told, and a payer with more than enough. */
function kindOf(...held: readonly (readonly [holder: string, units: string])[]): Kind {
  const modules = createModules();
  const assetId = createAsset(modules, ISSUER, { distribution_denoms: ['uatom'] });
  for (const [recipient, units] of held) issue({ modules, assetId }, recipient, units);
  for (const denom of ['uusd', 'uatom', 'other']) modules.fund(PAYER, 1_000_000n, denom);
  modules.events();
  return { modules, assetId };
}

function issue({ modules, assetId }: Kind, recipient: string, units: string): void {
  modules.send('rights.MsgIssue', { issuer: ISSUER, asset_id: assetId, kind_id: 0, recipient, units });
}

function transfer({ modules, assetId }: Kind, from: string, to: string, units: string): void {
  modules.send('rights.MsgTransfer', { from, asset_id: assetId, kind_id: 0, to, units });
}

function distribute({ modules, assetId }: Kind, amount: string, denom = 'uusd'): Json | undefined {
  const payment = { payer: PAYER, asset_id: assetId, kind_id: 0, amount: { denom, amount } };
  modules.events();
  modules.send('payout.MsgDistribute', payment);
  return modules.events()[0]?.fields;
}

function claimOf({ assetId }: Kind, claimant: string, ref = '', denom = 'uusd') {
  return { claimant, asset_id: assetId, kind_id: 0, denom, ref };
}

/** `[denom, ref, pending, accrued, total]` each. */
function claimable({ modules, assetId }: Kind, holder: string): Json[] {
  const { entries } = modules.query('payout.Claimable', { address: holder, asset_id: assetId });
  return (entries as unknown as Record<string, Json>[]).map(
    ({ denom = '', ref = '', pending = '', accrued = '', total = '' }) => [
      denom,
      ref,
      pending,
      accrued,
      total,
    ],
  );
}

function accruals({ modules, assetId }: Kind): Json | undefined {
  return modules.query('payout.Accruals', { asset_id: assetId }).accruals;
}

describe('three distributions of 1 to a supply of 3', () => {
  it('carry what cannot be divided', () => {
    const kind = kindOf([ADA, '2'], [BEN, '1']);
    expect(distribute(kind, '1')).toEqual({
      asset_id: kind.assetId,
      kind_id: 0,
      denom: 'uusd',
      payer: PAYER,
      amount: '1',
      new_index: '333333333333333333',
      carry_scaled: '1',
      supply: '3',
    });
    expect([claimable(kind, ADA), claimable(kind, BEN)]).toEqual([[], []]);

    expect(distribute(kind, '1')).toMatchObject({ new_index: '666666666666666666', carry_scaled: '2' });
    expect(claimable(kind, ADA)).toEqual([['uusd', '', '1', '0', '1']]);
    expect(claimable(kind, BEN)).toEqual([]);
    expect(accruals(kind)).toEqual([
      {
        asset_id: kind.assetId,
        kind_id: 0,
        denom: 'uusd',
        index: '666666666666666666',
        carry_scaled: '2',
        total_distributed: '2',
        total_paid: '0',
        distributions_count: '2',
        module_held: '2',
        sum_claimable: '1',
        carry: '0',
        residue: '1',
      },
    ]);

    expect(distribute(kind, '1')).toMatchObject({ new_index: '1000000000000000000', carry_scaled: '0' });
    expect(claimable(kind, ADA)).toEqual([['uusd', '', '2', '0', '2']]);
    expect(claimable(kind, BEN)).toEqual([['uusd', '', '1', '0', '1']]);
    expect(accruals(kind)).toMatchObject([
      { module_held: '3', sum_claimable: '3', carry: '0', residue: '0' },
    ]);
  });

  it('cost the holder of 2 a coin when a touch comes in between', () => {
    const kind = kindOf([ADA, '2'], [BEN, '1']);
    distribute(kind, '1');
    transfer(kind, ADA, CLEO, '1');
    transfer(kind, CLEO, ADA, '1');
    distribute(kind, '1');
    expect(claimable(kind, ADA)).toEqual([]);
    expect(kind.modules.refused('payout.MsgClaim', claimOf(kind, ADA))).toBe(
      `payout/6: ${ADA} has no uusd to claim of asset ${kind.assetId} kind 0`,
    );
    distribute(kind, '1');
    expect(claimable(kind, ADA)).toEqual([['uusd', '', '1', '0', '1']]);
    expect(accruals(kind)).toMatchObject([
      { module_held: '3', sum_claimable: '2', carry: '0', residue: '1' },
    ]);
  });
});

it('shows whole coins of the carry when the supply is above 10^18', () => {
  const kind = kindOf([ADA, '3000000000000000000']);
  expect(distribute(kind, '2')).toMatchObject({ new_index: '0', carry_scaled: '2000000000000000000' });
  expect(accruals(kind)).toMatchObject([{ module_held: '2', sum_claimable: '0', carry: '2', residue: '0' }]);
  expect(distribute(kind, '2')).toMatchObject({ new_index: '1', carry_scaled: '1000000000000000000' });
  expect(accruals(kind)).toMatchObject([{ module_held: '4', sum_claimable: '3', carry: '1', residue: '0' }]);
});

describe('a claim', () => {
  it('pays all of one basis in one denom, and touches nothing else', () => {
    const kind = kindOf([ADA, '4'], [BEN, '1']);
    distribute(kind, '100');
    distribute(kind, '10', 'uatom');
    expect(kind.modules.send('payout.MsgClaim', claimOf(kind, ADA))).toEqual({ amount: '80' });
    expect(kind.modules.events().map(({ fields }) => fields)).toEqual([
      {
        asset_id: kind.assetId,
        kind_id: 0,
        denom: 'uusd',
        holder: ADA,
        routed_from: '',
        ref: '',
        amount: '80',
      },
    ]);
    expect(balance(kind.modules.context.state, ADA, 'uusd')).toBe(80n);
    expect(claimable(kind, ADA)).toEqual([['uatom', '', '8', '0', '8']]);
    expect(accruals(kind)).toMatchObject([
      { denom: 'uatom', total_distributed: '10', total_paid: '0', module_held: '10' },
      { denom: 'uusd', total_distributed: '100', total_paid: '80', module_held: '20', sum_claimable: '20' },
    ]);
  });

  it('is for units held at the time: none for who comes after, all for who has left', () => {
    const kind = kindOf([ADA, '2']);
    distribute(kind, '10');
    issue(kind, BEN, '3');
    transfer(kind, ADA, CLEO, '2');
    expect([claimable(kind, BEN), claimable(kind, CLEO)]).toEqual([[], []]);
    distribute(kind, '10');
    expect(claimable(kind, ADA)).toEqual([['uusd', '', '0', '10', '10']]);
    expect(claimable(kind, BEN)).toEqual([['uusd', '', '6', '0', '6']]);
    expect(claimable(kind, CLEO)).toEqual([['uusd', '', '4', '0', '4']]);
  });

  it('keeps what redeemed units have earned', () => {
    const modules = createModules();
    const kinds = [{ ...kind(), class: 'KIND_CLASS_REDEMPTION' }];
    const redeemable = { modules, assetId: createAsset(modules, ISSUER, { kinds }) };
    modules.fund(PAYER, 100n, 'uusd');
    issue(redeemable, ADA, '4');
    distribute(redeemable, '10');
    const redeem = { holder: ADA, asset_id: redeemable.assetId, kind_id: 0, units: '3' };
    modules.send('rights.MsgRedeem', redeem);
    distribute(redeemable, '10');
    // 10 for 4 units, then 10 for the one that is left
    expect(claimable(redeemable, ADA)).toEqual([['uusd', '', '10', '10', '20']]);
  });

  it('has the whole of a denom that is distributed for the first time after the last touch', () => {
    const kind = kindOf([ADA, '2']);
    distribute(kind, '10');
    issue(kind, BEN, '2');
    distribute(kind, '8', 'uatom');
    expect(claimable(kind, ADA)).toEqual([
      ['uatom', '', '4', '0', '4'],
      ['uusd', '', '10', '0', '10'],
    ]);
    expect(claimable(kind, BEN)).toEqual([['uatom', '', '4', '0', '4']]);
  });
});

describe('a pledge that routes income', () => {
  /** Ada has 10 units, of which 6 are pledged to Ben under encumbrance/7. */
  function pledged(): Kind {
    const kind = kindOf([ADA, '10']);
    const { context } = kind.modules;
    lock(context, kind.assetId, 0, ADA, 'encumbrance/7', 6n);
    const route = { id: 7n, assetId: kind.assetId, kindId: 0, holder: ADA, units: 6n, beneficiary: BEN };
    startRoute(context, route);
    return kind;
  }

  it('splits income by the units routed, through a partial release and after the end', () => {
    const kind = pledged();
    const { context } = kind.modules;
    distribute(kind, '100');
    expect(claimable(kind, ADA)).toEqual([['uusd', '', '40', '0', '40']]);
    expect(claimable(kind, BEN)).toEqual([['uusd', 'encumbrance/7', '60', '0', '60']]);

    unlock(context, kind.assetId, 0, ADA, 'encumbrance/7', 4n);
    changeRoute(context, 7n, 2n);
    distribute(kind, '50');
    expect(claimable(kind, ADA)).toEqual([['uusd', '', '40', '40', '80']]);
    expect(claimable(kind, BEN)).toEqual([['uusd', 'encumbrance/7', '10', '60', '70']]);

    unlock(context, kind.assetId, 0, ADA, 'encumbrance/7', 2n);
    endRoute(context, 7n);
    distribute(kind, '10');
    expect(claimable(kind, ADA)).toEqual([['uusd', '', '10', '80', '90']]);
    expect(claimable(kind, BEN)).toEqual([['uusd', 'encumbrance/7', '0', '70', '70']]);

    kind.modules.events();
    expect(kind.modules.send('payout.MsgClaim', claimOf(kind, BEN, 'encumbrance/7'))).toEqual({
      amount: '70',
    });
    expect(kind.modules.events()[0]?.fields).toMatchObject({
      holder: BEN,
      routed_from: ADA,
      ref: 'encumbrance/7',
      amount: '70',
    });
    expect(kind.modules.send('payout.MsgClaim', claimOf(kind, ADA))).toEqual({ amount: '90' });
    expect(accruals(kind)).toMatchObject([{ total_paid: '160', module_held: '0', sum_claimable: '0' }]);
  });

  it('touches both bases at each of its events', () => {
    const kind = kindOf([ADA, '2'], [BEN, '1']);
    const { context } = kind.modules;
    distribute(kind, '1');
    lock(context, kind.assetId, 0, ADA, 'encumbrance/7', 1n);
    startRoute(context, {
      id: 7n,
      assetId: kind.assetId,
      kindId: 0,
      holder: ADA,
      units: 1n,
      beneficiary: CLEO,
    });
    unlock(context, kind.assetId, 0, ADA, 'encumbrance/7', 1n);
    endRoute(context, 7n);
    distribute(kind, '1');
    // untouched she would have 1
    expect(claimable(kind, ADA)).toEqual([]);
    // what came before the pledge is not its beneficiary's
    expect(claimable(kind, CLEO)).toEqual([]);
  });

  it('is refused beyond the units that have their own income, and where there is none', () => {
    const kind = pledged();
    const { context } = kind.modules;
    const route = { id: 8n, assetId: kind.assetId, kindId: 0, holder: ADA, units: 5n, beneficiary: CLEO };
    expect(context.refusal(() => startRoute(context, route))).toBe(
      `payout/61: 5 units to route, 4 of ${ADA} have their own income`,
    );
    expect(context.refusal(() => changeRoute(context, 7n, 7n))).toBe(
      'payout/61: 7 units remain of 6 routed by encumbrance/7',
    );
    expect(context.refusal(() => endRoute(context, 9n))).toBe(
      'payout/60: no income is routed under encumbrance/9',
    );
  });
});

it('sweeps the income of an account to another one, and nothing when there is none', () => {
  const kind = kindOf([ADA, '4'], [BEN, '1']);
  const { context } = kind.modules;
  distribute(kind, '100');
  expect(sweep(context, kind.assetId, 0, 'uusd', ADA, ISSUER)).toBe(80n);
  expect(balance(context.state, ISSUER, 'uusd')).toBe(80n);
  const before = kind.modules.query('payout.Export', {});
  expect(sweep(context, kind.assetId, 0, 'uusd', ADA, ISSUER)).toBe(0n);
  expect(sweep(context, kind.assetId, 0, 'uatom', ADA, ISSUER)).toBe(0n);
  expect(kind.modules.query('payout.Export', {})).toEqual(before);
  expect(context.take()).toEqual([]);
  expect(kind.modules.invariants()).toEqual([]);
});

describe('payout refuses', () => {
  const refused = (kind: Kind, change: Record<string, Json>) =>
    kind.modules.refused('payout.MsgDistribute', {
      payer: PAYER,
      asset_id: kind.assetId,
      kind_id: 0,
      amount: { denom: 'uusd', amount: '1' },
      ...change,
    });

  it('a distribution without units, of a denom that is not on the list, or of nothing', () => {
    const empty = kindOf();
    expect(refused(empty, {})).toBe(`payout/5: kind 0 of asset ${empty.assetId} has no units`);
    const kind = kindOf([ADA, '1']);
    expect(refused(kind, { amount: { denom: 'other', amount: '1' } })).toBe(
      `payout/4: other may not be distributed by asset ${kind.assetId}`,
    );
    expect(refused(kind, { amount: { denom: 'uusd', amount: '0' } })).toMatch(/^payout\/2: /);
    expect(refused(kind, { amount: { denom: 'uusd', amount: String(1n << 255n) } })).toMatch(/^payout\/2: /);
    expect(refused(kind, { payer: BEN })).toBe(`payout/8: ${BEN} has 0uusd, not 1uusd`);
  });

  it('an unknown asset or kind, under its own codespace', () => {
    const kind = kindOf([ADA, '1']);
    const nobody = 'ab'.repeat(32);
    expect(refused(kind, { asset_id: nobody })).toBe(`payout/20: unknown asset ${nobody}`);
    expect(refused(kind, { kind_id: 1 })).toBe(`payout/21: asset ${kind.assetId} has no kind 1`);
  });

  it('a distribution to an asset in liquidation; what was earned is paid', () => {
    const kind = kindOf([ADA, '1']);
    distribute(kind, '5');
    for (const status of ['ASSET_STATUS_LIQUIDATING', 'ASSET_STATUS_LIQUIDATED'] as const) {
      setStatus(kind.modules.context, kind.assetId, status);
      expect(refused(kind, {})).toBe(`payout/22: Distribute is refused: asset ${kind.assetId} is ${status}`);
    }
    expect(kind.modules.send('payout.MsgClaim', claimOf(kind, ADA))).toEqual({ amount: '5' });
  });

  it('a total of 2^255', () => {
    const kind = kindOf([ADA, '1']);
    const most = (1n << 255n) - 1n;
    kind.modules.fund(PAYER, most, 'uusd');
    distribute(kind, String(most));
    expect(refused(kind, {})).toBe('payout/7: what is distributed of uusd would reach 2^255');
  });

  it('a 65th denom of a kind', () => {
    const kind = kindOf([ADA, '1']);
    for (let i = 0; i < 65; i++) {
      const denom = `denom${i}`;
      kind.modules.fund(PAYER, 1n, denom);
      kind.modules.send('asset.MsgUpdateAsset', {
        issuer: ISSUER,
        asset_id: kind.assetId,
        distribution_denoms: [denom],
      });
      if (i < 64) distribute(kind, '1', denom);
    }
    expect(refused(kind, { amount: { denom: 'denom64', amount: '1' } })).toBe(
      `payout/4: kind 0 of asset ${kind.assetId} has paid in 64 denoms already`,
    );
  });

  it('a claim of a route by anybody but its beneficiary, of an unknown route, of nothing', () => {
    const kind = kindOf([ADA, '10'], [BEN, '1']);
    const { context } = kind.modules;
    lock(context, kind.assetId, 0, ADA, 'encumbrance/7', 6n);
    startRoute(context, {
      id: 7n,
      assetId: kind.assetId,
      kindId: 0,
      holder: ADA,
      units: 6n,
      beneficiary: BEN,
    });
    const claim = (claimant: string, ref: string) =>
      kind.modules.refused('payout.MsgClaim', claimOf(kind, claimant, ref));
    expect(claim(BEN, '')).toMatch(/^payout\/6: /);
    expect(claim(BEN, 'encumbrance/7')).toMatch(/^payout\/6: /);
    distribute(kind, '11');
    expect(claim(ADA, 'encumbrance/7')).toBe(`payout/3: ${ADA} is not the beneficiary of encumbrance/7`);
    expect(claim(BEN, 'encumbrance/8')).toBe(
      `payout/60: no income of asset ${kind.assetId} kind 0 is routed under encumbrance/8`,
    );
  });
});
