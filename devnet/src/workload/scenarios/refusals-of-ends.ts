import { BRIDGE_CODES } from '../../modules/bridge/codes.ts';
import { escrowAddress } from '../../modules/escrow.ts';
import { RIGHTS_CODES } from '../../modules/rights/codes.ts';
import { WATERFALL_CODES } from '../../modules/waterfall/codes.ts';
import type { Account } from '../accounts.ts';
import * as m from '../messages.ts';
import { type Scenario, scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { NotNow, type Refusal, refused, send } from '../step.ts';
import { aRoute, messageId } from './bridging.ts';
import { aHolder, anAsset, ECONOMIC, free, launch, stable, UNIT, VOTE } from './parts.ts';
import { attempt, UNKNOWN_ASSET } from './refusals.ts';

/** What waterfall and bridge refuse. */

const waterfall = (code: keyof typeof WATERFALL_CODES): Refusal => ['waterfall', WATERFALL_CODES[code]];
const bridge = (code: keyof typeof BRIDGE_CODES): Refusal => ['bridge', BRIDGE_CODES[code]];

const REMOTE = m.remoteAddress(77);

const ofWaterfalls: readonly Scenario[] = [
  attempt('a waterfall of another', (stage) => {
    const other = stage.take('holder');
    const tiers = [{ tier: 1, kind: 0, cap: 0n }];
    return [other, waterfall('unauthorized'), m.setWaterfall(other, anAsset(stage).id, tiers)];
  }),
  attempt('a waterfall with a number twice', (stage) => {
    const { id, issuer } = anAsset(stage);
    const tiers = [0, 1].map((kind) => ({ tier: 1, kind, cap: 0n }));
    return [stage.takeThis(issuer), waterfall('invalid'), m.setWaterfall(issuer, id, tiers)];
  }),
  attempt('a waterfall of an asset that is not there', (stage) => {
    const issuer = stage.take('issuer');
    const tiers = [{ tier: 1, kind: 0, cap: 0n }];
    return [issuer, waterfall('unknownAsset'), m.setWaterfall(issuer, UNKNOWN_ASSET, tiers)];
  }),
  attempt('funds for an asset that goes on', (stage) => {
    const payer = stage.take('liquidator');
    return [payer, waterfall('notLiquidating'), m.fund(payer, anAsset(stage).id, stable(stage, 5n))];
  }),
  attempt('a pool that is not there', (stage) => {
    const shared = anAsset(stage);
    const holder = aHolder(stage, shared, [ECONOMIC]);
    return [holder, waterfall('noPool'), m.redeemPool(holder, shared.id, ECONOMIC, 1n)];
  }),
  scenario('refused: steps of a liquidation', 2, function* (stage) {
    const [issuer, holder] = [stage.take('issuer'), stage.take('liquidator')];
    const asset = yield* launch(stage, {
      issuer,
      holders: [holder],
      kinds: [{ class: 'ECONOMIC' }, { class: 'VOTE' }],
    });
    const { id } = asset;
    const { stableDenom, gasDenom } = stage.parameters;
    const begin = m.beginLiquidation(issuer, id, stableDenom);
    yield* refused(issuer, waterfall('nothingToPay'), begin);
    yield* send(issuer, m.setWaterfall(issuer, id, [{ tier: 1, kind: 0, cap: 0n }]));
    yield* refused(holder, waterfall('unauthorized'), m.beginLiquidation(holder, id, stableDenom));
    yield* send(issuer, begin);
    yield* refused(
      issuer,
      waterfall('assetNotActive'),
      m.setWaterfall(issuer, id, [{ tier: 2, kind: 1, cap: 0n }]),
    );
    yield* refused(holder, waterfall('wrongDenom'), m.fund(holder, id, m.coin(gasDenom, 5n)));
    yield* refused(holder, waterfall('insufficientCoins'), m.fund(holder, id, stable(stage, 10n ** 30n)));
    yield* send(holder, m.fund(holder, id, stable(stage, 1_000n)));
    yield* refused(holder, waterfall('insufficientUnits'), m.redeemPool(holder, id, 0, 10n ** 30n));
    yield* send(issuer, m.closeLiquidation(issuer, id));
  }),
];

const ofBridges: readonly Scenario[] = [
  attempt('a route by another', (stage) => {
    const other = stage.take('operator');
    const fields = { id: 'theirs', direction: 'NATIVE_OUT', denom: stage.parameters.stableDenom } as const;
    return [other, bridge('unauthorized'), m.createRoute(other, fields)];
  }),
  attempt('a route without a good name', (stage) => {
    const authority = stage.service('bridge-authority');
    const fields = { id: 'not good', direction: 'NATIVE_OUT', denom: stage.parameters.stableDenom } as const;
    return [authority, bridge('invalid'), m.createRoute(authority, fields)];
  }),
  attempt('a route that is there', (stage) => {
    const authority = stage.service('bridge-authority');
    const { id } = aRoute(stage, 'native');
    const fields = { id, direction: 'NATIVE_OUT', denom: stage.parameters.stableDenom } as const;
    return [authority, bridge('taken'), m.createRoute(authority, fields)];
  }),
  attempt('a route of an asset that is not there', (stage) => {
    const authority = stage.service('bridge-authority');
    const id = stage.unique('nowhere');
    const fields = { id, direction: 'RIGHT_OUT', assetId: UNKNOWN_ASSET, kindId: 0 } as const;
    return [authority, bridge('unknownAsset'), m.createRoute(authority, fields)];
  }),
  attempt('out over no route', (stage) => {
    const user = stage.take('bridge user');
    return [user, bridge('notFound'), m.transferOut(user, 'no-such-route', REMOTE, 5n)];
  }),
  attempt('more coins out than there are', (stage) => {
    const user = stage.take('bridge user');
    const { id } = aRoute(stage, 'native');
    return [user, bridge('insufficientCoins'), m.transferOut(user, id, REMOTE, 10n ** 30n)];
  }),
  attempt('more in than went out', (stage) => {
    const relayer = stage.service('relayer');
    const { address } = stage.anyone('bridge user');
    const { id } = aRoute(stage, 'native');
    const message = m.receiveIn(relayer, id, REMOTE, address, 10n ** 30n, messageId(stage));
    return [relayer, bridge('notOutside'), message];
  }),
  attempt('in by another than the relayer', (stage) => {
    const other = stage.take('operator');
    const { id } = aRoute(stage, 'synthetic');
    const message = m.receiveIn(other, id, REMOTE, other.address, 5n, messageId(stage));
    return [other, bridge('unauthorized'), message];
  }),
  attempt('in to an escrow', (stage) => {
    const relayer = stage.service('relayer');
    const { id } = aRoute(stage, 'synthetic');
    const escrow = escrowAddress(stage.parameters.hrp, aRoute(stage, 'native').id);
    return [relayer, bridge('escrow'), m.receiveIn(relayer, id, REMOTE, escrow, 5n, messageId(stage))];
  }),
  scenario('refused: a message that was delivered', 2, function* (stage) {
    const relayer = stage.service('relayer');
    const { id } = aRoute(stage, 'synthetic');
    const message = m.receiveIn(relayer, id, REMOTE, stage.anyone('holder').address, 5n, messageId(stage));
    yield* send(relayer, message);
    yield* refused(relayer, bridge('delivered'), message);
  }),
  attempt('units sent to an escrow', (stage) => {
    const { id, asset } = aRoute(stage, 'right');
    if (asset === undefined || !stage.assets.list().includes(asset)) throw new NotNow('retired');
    const holder = aHolder(stage, stage.use(asset), [ECONOMIC]);
    const escrow = { address: escrowAddress(stage.parameters.hrp, id) } as Account;
    return [
      holder,
      ['rights', RIGHTS_CODES.escrowRecipient],
      m.transfer(holder, asset.id, ECONOMIC, escrow, 1n),
    ];
  }),
];

/** A right's route while its asset changes. */
function* refusedRights(stage: Stage) {
  const authority = stage.service('bridge-authority');
  const [issuer, holder] = [stage.take('issuer'), stage.take('bridge user')];
  const kinds: readonly m.KindSpec[] = [{ class: 'ECONOMIC' }, { class: 'VOTE' }];
  const asset = yield* launch(stage, { issuer, holders: [holder], kinds });
  const assetId = asset.id;
  const id = stage.unique(`own-${stage.height}`);
  yield* send(authority, m.createRoute(authority, { id, direction: 'RIGHT_OUT', assetId, kindId: 0 }));
  const out = m.transferOut(holder, id, REMOTE, UNIT);
  const update = (transferable: boolean, bridgeable: boolean) =>
    m.updateKind(issuer, assetId, 0, { transferable, bridgeable, multiplier: 1n });
  yield* refused(holder, bridge('notBridgeable'), out);
  yield* send(issuer, update(false, true));
  yield* refused(holder, bridge('notTransferable'), out);
  yield* send(issuer, update(true, true), m.setPolicy(issuer, assetId, m.policy('CLOSED'), 0));
  yield* refused(holder, bridge('policyDenied'), out);
  yield* send(issuer, m.setPolicy(issuer, assetId, m.policy('OPEN'), 0));
  const tooMany = free(stage, asset, ECONOMIC, holder) + 1n;
  yield* refused(holder, bridge('insufficientUnits'), m.transferOut(holder, id, REMOTE, tooMany));
  yield* send(holder, out);
  yield* send(
    issuer,
    m.setWaterfall(issuer, assetId, [{ tier: 1, kind: VOTE - 1, cap: 0n }]),
    m.beginLiquidation(issuer, assetId, stage.parameters.stableDenom),
  );
  yield* refused(holder, bridge('assetNotActive'), out);
  // what is outside may always come back
  const relayer = stage.service('relayer');
  yield* send(relayer, m.receiveIn(relayer, id, REMOTE, holder.address, UNIT, messageId(stage)));
}

export const REFUSALS_OF_ENDS: readonly Scenario[] = [
  ...ofWaterfalls,
  ...ofBridges,
  scenario('refused: a right over the bridge', 2, refusedRights),
];
