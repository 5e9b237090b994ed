import type { JsonObject } from 'strata-kit/proto-json';
import { describe, expect, it } from 'vitest';
import { getAsset, setStatus } from '../../src/modules/asset/keeper.ts';
import { moduleAddress } from '../../src/modules/bank/keeper.ts';
import { registerEscrow } from '../../src/modules/escrow.ts';
import {
  burn,
  holders,
  issue,
  lock,
  move,
  position,
  transferable,
  transferBundle,
  unlock,
  wholeUnits,
} from '../../src/modules/rights/keeper.ts';
import { address, PARAMETERS } from '../support/context.ts';
import { createAsset, createModules, kind, type Modules } from '../support/modules.ts';

const ISSUER = address(0x11);
const ADA = address(1);
const BEN = address(2);
const ESCROW = address(0xe5, 32);
/** The first 20 bytes of sha256('payout'). */
const MODULE = moduleAddress(PARAMETERS, 'payout');
const ID = '472937304b8fe0f9b158105de5a16c5a36f7e42c39dc03b3c0eef0e90960a38a';
const MOST = (1n << 255n) - 1n;

/** Kind 0 ECONOMIC and kind 1 REDEMPTION in the bundle, kind 2 not transferable and not. */
function chain(): Modules {
  const modules = createModules();
  const kinds = [
    kind(),
    kind({ class: 'KIND_CLASS_REDEMPTION' }),
    kind({ bundle: false, transferable: false }),
  ];
  createAsset(modules, ISSUER, { kinds });
  modules.events();
  return modules;
}

const ISSUE = { issuer: ISSUER, asset_id: ID, kind_id: 0, recipient: ADA, units: '10' };
const TRANSFER = { from: ADA, asset_id: ID, kind_id: 0, to: BEN, units: '4' };
const REDEEM = { holder: ADA, asset_id: ID, kind_id: 1, units: '3' };

it('says each movement once, with what is there after it', () => {
  const modules = chain();
  modules.send('rights.MsgIssue', ISSUE);
  modules.send('rights.MsgTransfer', TRANSFER);
  modules.send('rights.MsgIssue', { ...ISSUE, kind_id: 1, units: '5' });
  modules.send('rights.MsgRedeem', REDEEM);
  const right = { asset_id: ID, kind_id: 0 };
  expect(modules.events()).toEqual([
    {
      type: 'rights.EventIssued',
      fields: { ...right, recipient: ADA, units: '10', supply_after: '10', recipient_units_after: '10' },
    },
    {
      type: 'rights.EventTransferred',
      fields: { ...right, from: ADA, to: BEN, units: '4', from_units_after: '6', to_units_after: '4' },
    },
    {
      type: 'rights.EventIssued',
      fields: {
        ...right,
        kind_id: 1,
        recipient: ADA,
        units: '5',
        supply_after: '5',
        recipient_units_after: '5',
      },
    },
    {
      type: 'rights.EventRedeemed',
      fields: { ...right, kind_id: 1, holder: ADA, units: '3', supply_after: '2', holder_units_after: '2' },
    },
  ]);
  expect(modules.query('rights.Totals', right)).toEqual({ supply: '10', positions: '10', encumbered: '0' });
});

it('locks by ref, and says each change of a lock once', () => {
  const modules = chain();
  const { context } = modules;
  modules.send('rights.MsgIssue', ISSUE);
  modules.events();
  lock(context, ID, 0, ADA, 'settlement/2', 3n);
  lock(context, ID, 0, ADA, 'encumbrance/1', 2n);
  lock(context, ID, 0, ADA, 'settlement/2', 1n);
  unlock(context, ID, 0, ADA, 'settlement/2', 3n);
  const said = (units: string, after: string, ref = 'settlement/2') => ({
    asset_id: ID,
    kind_id: 0,
    holder: ADA,
    ref,
    units,
    locked_after: after,
  });
  expect(modules.events()).toEqual([
    { type: 'rights.EventLocked', fields: said('3', '3') },
    { type: 'rights.EventLocked', fields: said('2', '2', 'encumbrance/1') },
    { type: 'rights.EventLocked', fields: said('1', '4') },
    { type: 'rights.EventUnlocked', fields: said('3', '1') },
  ]);
  expect(position(context.state, ID, 0, ADA)).toEqual({
    units: 10n,
    encumbered: 3n,
    locks: [
      { ref: 'encumbrance/1', units: 2n },
      { ref: 'settlement/2', units: 1n },
    ],
  });
  expect(transferable(context.state, ID, 0, ADA)).toBe(7n);
  expect(modules.refused('rights.MsgTransfer', { ...TRANSFER, units: '8' })).toBe(
    `rights/42: ${ADA} has 7 transferable units of kind 0 of asset ${ID}, 8 are needed`,
  );
  modules.send('rights.MsgTransfer', { ...TRANSFER, units: '7' });
  expect(modules.query('rights.Totals', { asset_id: ID, kind_id: 0 })).toEqual({
    supply: '10',
    positions: '10',
    encumbered: '3',
  });
  expect(modules.query('rights.Position', { asset_id: ID, kind_id: 0, holder: ADA }).position).toMatchObject({
    units: '3',
    locks: [
      { ref: 'encumbrance/1', units: '2' },
      { ref: 'settlement/2', units: '1' },
    ],
  });
  unlock(context, ID, 0, ADA, 'settlement/2', 1n);
  unlock(context, ID, 0, ADA, 'encumbrance/1', 2n);
  expect(position(context.state, ID, 0, ADA)).toEqual({ units: 3n, encumbered: 0n, locks: [] });
});

it('moves as docs/devnet.md tells it', () => {
  const modules = chain();
  const { context } = modules;
  const afterOf = (step: () => void) => {
    step();
    return modules
      .events()
      .map(({ type, fields }) => [type, ...Object.entries(fields).filter(([key]) => key.endsWith('_after'))]);
  };
  const redeemable = { kind_id: 1 };
  const give = (units: string) => ({ ...TRANSFER, ...redeemable, units });
  expect(afterOf(() => modules.send('rights.MsgIssue', { ...ISSUE, ...redeemable }))).toEqual([
    ['rights.EventIssued', ['recipient_units_after', '10'], ['supply_after', '10']],
  ]);
  expect(afterOf(() => lock(context, ID, 1, ADA, 'settlement/2', 3n))).toEqual([
    ['rights.EventLocked', ['locked_after', '3']],
  ]);
  expect(modules.refused('rights.MsgTransfer', give('8'))).toMatch(/^rights\/42: .* has 7 transferable/);
  expect(afterOf(() => modules.send('rights.MsgTransfer', give('7')))).toEqual([
    ['rights.EventTransferred', ['from_units_after', '3'], ['to_units_after', '7']],
  ]);
  expect(afterOf(() => unlock(context, ID, 1, ADA, 'settlement/2', 1n))).toEqual([
    ['rights.EventUnlocked', ['locked_after', '2']],
  ]);
  expect(afterOf(() => modules.send('rights.MsgRedeem', { ...REDEEM, holder: BEN, units: '5' }))).toEqual([
    ['rights.EventRedeemed', ['holder_units_after', '2'], ['supply_after', '5']],
  ]);
});

it('has holders while they have units, and bundles by the least of their kinds', () => {
  const modules = chain();
  const { context } = modules;
  issue(context, { assetId: ID, kindId: 0, recipient: ADA, units: 10n });
  const asset = getAsset(context.state, ID);
  if (asset === undefined) throw new Error('no asset');
  expect(wholeUnits(context.state, asset, ADA)).toBe(0n);
  issue(context, { assetId: ID, kindId: 1, recipient: ADA, units: 4n });
  expect(wholeUnits(context.state, asset, ADA)).toBe(4n);
  lock(context, ID, 0, ADA, 'delegation/1', 8n);
  expect(wholeUnits(context.state, asset, ADA)).toBe(2n);
  expect(wholeUnits(context.state, { ...asset, kinds: [] }, ADA)).toBe(0n);
  unlock(context, ID, 0, ADA, 'delegation/1', 8n);
  move(context, { assetId: ID, kindId: 0, from: ADA, to: BEN, units: 10n });
  expect([...holders(context.state, ID, 0)]).toEqual([{ holder: BEN, units: 10n, encumbered: 0n }]);
  context.take();
  expect(burn(context, { assetId: ID, kindId: 0, holder: BEN, units: 10n })).toEqual({
    supplyAfter: 0n,
    holderUnitsAfter: 0n,
  });
  expect(context.take()).toEqual([]);
  expect(modules.query('rights.Holders', { asset_id: ID, kind_id: 0 })).toEqual({ positions: [] });
});

it('transfers bundles kind by kind, and none where no kind is in the bundle', () => {
  const modules = chain();
  const { context } = modules;
  for (const kindId of [0, 1, 2]) issue(context, { assetId: ID, kindId, recipient: ADA, units: 10n });
  modules.events();
  const bundle = { assetId: ID, from: ADA, to: BEN, units: 4n };
  transferBundle(context, bundle);
  expect(modules.events().map(({ type, fields }) => [type, fields.kind_id, fields.units])).toEqual([
    ['rights.EventTransferred', 0, '4'],
    ['rights.EventTransferred', 1, '4'],
  ]);
  lock(context, ID, 1, ADA, 'delegation/1', 5n);
  const before = modules.query('rights.Export', {});
  expect(context.refusal(() => transferBundle(context, { ...bundle, units: 2n }))).toMatch(
    /^rights\/42: .* has 1 transferable units of kind 1/,
  );
  expect(modules.query('rights.Export', {})).toEqual(before);
  const assetId = createAsset(modules, ISSUER, { kinds: [kind({ bundle: false })] });
  issue(context, { assetId, kindId: 0, recipient: ADA, units: 10n });
  expect(context.refusal(() => transferBundle(context, { ...bundle, assetId }))).toBe(
    `rights/42: asset ${assetId} has no bundle kinds`,
  );
});

it('keeps raw units whatever the multiplier', () => {
  const modules = chain();
  modules.send('rights.MsgIssue', ISSUE);
  const before = modules.query('rights.Export', {});
  modules.send('asset.MsgUpdateKind', {
    issuer: ISSUER,
    asset_id: ID,
    kind_id: 0,
    transferable: true,
    multiplier: '100',
  });
  expect(modules.query('rights.Export', {})).toEqual(before);
  modules.events();
  modules.send('rights.MsgTransfer', { ...TRANSFER, units: '1' });
  expect(modules.events()[0]?.fields).toMatchObject({ units: '1', from_units_after: '9' });
});

describe('rights refuse', () => {
  const ready = () => {
    const modules = chain();
    registerEscrow(modules.context.state, ESCROW, 'route');
    for (const kind_id of [0, 1, 2]) modules.send('rights.MsgIssue', { ...ISSUE, kind_id });
    return modules;
  };
  const unknown = 'ab'.repeat(32);

  it.each<readonly [string, string, JsonObject, string]>([
    ['an issue by another', 'MsgIssue', { issuer: ADA }, `rights/3: ${ADA} is not the issuer of asset ${ID}`],
    ['an issue of nothing', 'MsgIssue', { units: '0' }, 'rights/40: units must be in 1 to 2^255 - 1: 0'],
    ['units of 2^255', 'MsgIssue', { units: String(MOST + 1n) }, 'rights/40: units must be in 1 to 2^255'],
    ['negative units', 'MsgIssue', { units: '-1' }, 'rights/40: units must be in 1 to 2^255 - 1: -1'],
    ['units that are no number', 'MsgIssue', { units: '' }, 'rights/40: units must be in 1 to 2^255'],
    ['a supply of 2^255', 'MsgIssue', { units: String(MOST) }, 'rights/43: the supply would reach 2^255'],
    [
      'an issue to an escrow',
      'MsgIssue',
      { recipient: ESCROW },
      `rights/45: ${ESCROW} is an account of the chain's own`,
    ],
    ['an issue to a module', 'MsgIssue', { recipient: MODULE }, `rights/45: ${MODULE} is an account of the`],
    ['an issue to nobody', 'MsgIssue', { recipient: '' }, 'rights/2: recipient: not an address of aeva'],
    ['an unknown asset', 'MsgIssue', { asset_id: unknown }, `rights/20: unknown asset ${unknown}`],
    ['an unknown kind', 'MsgIssue', { kind_id: 3 }, `rights/21: asset ${ID} has no kind 3`],
    ['a transfer of nothing', 'MsgTransfer', { units: '0' }, 'rights/40: '],
    ['a transfer to oneself', 'MsgTransfer', { to: ADA }, `rights/41: sender and recipient are both ${ADA}`],
    ['a transfer of too much', 'MsgTransfer', { units: '11' }, `rights/42: ${ADA} has 10 transferable units`],
    [
      'a transfer by who has none',
      'MsgTransfer',
      { from: BEN, to: ADA },
      `rights/42: ${BEN} has 0 transferable`,
    ],
    [
      'a transfer to an escrow',
      'MsgTransfer',
      { to: ESCROW },
      `rights/45: ${ESCROW} is an account of the chain's own`,
    ],
    ['a kind that does not move', 'MsgTransfer', { kind_id: 2 }, `rights/24: kind 2 of asset ${ID} is not`],
    ['an unknown kind', 'MsgTransfer', { kind_id: 3 }, `rights/21: asset ${ID} has no kind 3`],
    [
      'a redemption of another class',
      'MsgRedeem',
      { kind_id: 0 },
      `rights/5: kind 0 of asset ${ID} is KIND_CLASS_ECONOMIC`,
    ],
    ['a redemption of too much', 'MsgRedeem', { units: '11' }, `rights/42: ${ADA} has 10 transferable units`],
    ['a redemption of nothing', 'MsgRedeem', { units: '0' }, 'rights/40: '],
  ])('%s', (_, message, change, text) => {
    const modules = ready();
    const sound = { MsgIssue: ISSUE, MsgTransfer: TRANSFER, MsgRedeem: REDEEM }[message];
    const before = modules.query('rights.Export', {});
    expect(modules.refused(`rights.${message}`, { ...sound, ...change })).toContain(text);
    expect(modules.query('rights.Export', {})).toEqual(before);
  });

  it('an issue once it is locked, but nothing else', () => {
    const modules = ready();
    modules.send('asset.MsgLockIssuance', { issuer: ISSUER, asset_id: ID });
    expect(modules.refused('rights.MsgIssue', ISSUE)).toBe(`rights/4: issuance of asset ${ID} is locked`);
    modules.send('rights.MsgTransfer', TRANSFER);
    modules.send('rights.MsgRedeem', REDEEM);
  });

  it.each(['ASSET_STATUS_LIQUIDATING', 'ASSET_STATUS_LIQUIDATED'] as const)(
    'all three while %s',
    (status) => {
      const modules = ready();
      setStatus(modules.context, ID, status);
      const refused = (message: string, sound: JsonObject) => modules.refused(`rights.${message}`, sound);
      expect([
        refused('MsgIssue', ISSUE),
        refused('MsgTransfer', TRANSFER),
        refused('MsgRedeem', REDEEM),
      ]).toEqual([
        `rights/22: Issue is refused: asset ${ID} is ${status}`,
        `rights/22: Transfer is refused: asset ${ID} is ${status}`,
        `rights/22: Redeem is refused: asset ${ID} is ${status}`,
      ]);
    },
  );

  it('what the policy denies to a transfer, in its words; an issue and a redemption are not asked', () => {
    const modules = chain();
    modules.send('asset.MsgSetPolicy', {
      issuer: ISSUER,
      asset_id: ID,
      policy: { mode: 'POLICY_MODE_CLOSED' },
    });
    modules.send('rights.MsgIssue', ISSUE);
    modules.send('rights.MsgIssue', { ...ISSUE, kind_id: 1 });
    expect(modules.refused('rights.MsgTransfer', TRANSFER)).toBe(
      `rights/23: policy denied: asset/${ID}/kind/0/CLOSED/sender`,
    );
    modules.send('rights.MsgRedeem', REDEEM);
  });

  it('an unlock of more than is locked', () => {
    const { context } = ready();
    lock(context, ID, 0, ADA, 'settlement/1', 2n);
    expect(context.refusal(() => unlock(context, ID, 0, ADA, 'settlement/1', 3n))).toBe(
      `rights/44: 3 units to unlock, 2 are locked under settlement/1 of ${ADA}`,
    );
    expect(context.refusal(() => unlock(context, ID, 0, ADA, 'settlement/1', 0n))).toMatch(/^rights\/40: /);
    expect(context.refusal(() => lock(context, ID, 0, ADA, 'settlement/1', 9n))).toMatch(/^rights\/42: /);
  });
});
