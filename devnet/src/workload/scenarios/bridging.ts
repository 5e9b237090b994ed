import { bytesToHex, utf8ToBytes } from 'strata-kit/bytes';
import { sha256 } from 'strata-kit/hash';
import { BRIDGE_CODES } from '../../modules/bridge/codes.ts';
import { PAYOUT_CODES } from '../../modules/payout/codes.ts';
import type { Asset } from '../assets.ts';
import * as m from '../messages.ts';
import type { Route, RouteName } from '../routes.ts';
import { type Scenario, scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { NotNow, refused, type Steps, send } from '../step.ts';
import { aHolder, anAsset, ECONOMIC, INCOME, launch, UNIT, VOTE } from './parts.ts';

/** Routes in three directions, what goes out and comes in, and the refusals of a paused route and a full window. */

const DAY_SECONDS = 86_400n;
const AMPLE = 10n ** 40n;

export function routesOf(stage: Stage, name: RouteName): readonly Route[] {
  return stage.routes.filter((route) => route.name === name);
}

export function aRoute(stage: Stage, name: RouteName): Route {
  const routes = routesOf(stage, name);
  if (routes.length === 0) throw new NotNow(`no ${name} route`);
  return stage.random.pick(routes);
}

/** Asset of a right's route that has not been retired. */
function aRightRoute(stage: Stage, name: 'right' | 'bundle'): Route & { readonly asset: Asset } {
  const { asset, ...route } = aRoute(stage, name);
  if (asset === undefined || !stage.assets.list().includes(asset)) throw new NotNow('retired');
  return { ...route, asset: stage.use(asset) };
}

/** 0x bytes32, never the same again. */
export function messageId(stage: Stage): string {
  return `0x${bytesToHex(sha256(utf8ToBytes(stage.unique(`message/${stage.height}`))))}`;
}

const remote = (stage: Stage): string => m.remoteAddress(1_000 + stage.random.below(50));

function opens(name: 'native' | 'synthetic' | 'tested'): Scenario {
  return scenario(`open the ${name} route`, 1, function* (stage) {
    if (routesOf(stage, name).length > 0) throw new NotNow('it is there');
    const authority = stage.service('bridge-authority');
    // a chain that goes on has routes of these names already
    const id = `${name}-${stage.height}`;
    const denom =
      name === 'synthetic'
        ? `bridged/eth-${stage.height}`
        : name === 'native'
          ? stage.parameters.stableDenom
          : stage.parameters.gasDenom;
    yield* send(
      authority,
      m.createRoute(authority, {
        id,
        direction: name === 'synthetic' ? 'SYNTHETIC_IN' : 'NATIVE_OUT',
        denom,
        windowSeconds: DAY_SECONDS,
        outboundLimit: AMPLE,
        inboundLimit: AMPLE,
      }),
    );
    stage.routes.push({ name, id, denom, asset: undefined });
  });
}

/** One kind's route and the bundle's, for a shared asset that has none. */
const openRight = scenario('open right routes', 2, function* (stage) {
  const asset = anAsset(stage);
  if (stage.routes.some((route) => route.asset === asset)) throw new NotNow('it has routes');
  const authority = stage.service('bridge-authority');
  const fields = { direction: 'RIGHT_OUT', assetId: asset.id, windowSeconds: 0n } as const;
  const [right, bundle] = [stage.unique(`right-${stage.height}`), stage.unique(`bundle-${stage.height}`)];
  yield* send(
    authority,
    m.createRoute(authority, { ...fields, id: right, kindId: ECONOMIC }),
    m.createRoute(authority, { ...fields, id: bundle, bundle: true }),
  );
  forgetRetired(stage);
  stage.routes.push(
    { name: 'right', id: right, denom: '', asset },
    { name: 'bundle', id: bundle, denom: '', asset },
  );
});

/** Routes of assets that nobody uses any more, which would add up. */
function forgetRetired({ routes, assets }: Stage): void {
  const kept = routes.filter(({ asset }) => asset === undefined || assets.list().includes(asset));
  routes.splice(0, routes.length, ...kept);
}

const nativeOut = scenario('coins out', 20, function* (stage) {
  const route = aRoute(stage, 'native');
  const user = stage.take('bridge user');
  yield* send(
    user,
    m.transferOut(user, route.id, remote(stage), BigInt(stage.random.between(1_000, 900_000))),
  );
});

/** Comes back less than went out before, in the same scenario: the escrow always has it. */
const nativeIn = scenario('coins out and in', 8, function* (stage) {
  const route = aRoute(stage, 'native');
  const user = stage.take('bridge user');
  yield* send(user, m.transferOut(user, route.id, remote(stage), 5_000n));
  const relayer = stage.service('relayer');
  const to = stage.anyone('bridge user').address;
  yield* send(relayer, m.receiveIn(relayer, route.id, remote(stage), to, 4_999n, messageId(stage)));
});

const synthetic = scenario('synthetic in and out', 10, function* (stage) {
  const route = aRoute(stage, 'synthetic');
  const user = stage.take('bridge user');
  const relayer = stage.service('relayer');
  const amount = BigInt(stage.random.between(2, 10_000_000));
  yield* send(relayer, m.receiveIn(relayer, route.id, remote(stage), user.address, amount, messageId(stage)));
  yield* send(user, m.transferOut(user, route.id, remote(stage), amount / 2n));
});

function* rightOut(stage: Stage, name: 'right' | 'bundle', back: boolean): Steps {
  const route = aRightRoute(stage, name);
  const kinds = name === 'right' ? [ECONOMIC] : [ECONOMIC, INCOME, VOTE];
  const holder = aHolder(stage, route.asset, kinds, 3n * UNIT);
  yield* send(holder, m.transferOut(holder, route.id, remote(stage), 2n * UNIT));
  if (!back) return;
  const relayer = stage.service('relayer');
  const to = stage.anyone('bridge user').address;
  yield* send(relayer, m.receiveIn(relayer, route.id, remote(stage), to, UNIT, messageId(stage)));
}

/** On a route of its own, which only the authority's turn uses. */
const paused = scenario('route paused', 3, function* (stage) {
  const route = aRoute(stage, 'tested');
  const authority = stage.service('bridge-authority');
  const user = stage.take('bridge user');
  yield* send(authority, m.setRouteStatus(authority, route.id, 'PAUSED'));
  yield* refused(user, ['bridge', BRIDGE_CODES.paused], m.transferOut(user, route.id, remote(stage), 1_000n));
  yield* send(authority, m.setRouteStatus(authority, route.id, 'ACTIVE'));
  yield* send(user, m.transferOut(user, route.id, remote(stage), 1_000n));
});

const capped = scenario('route capped', 3, function* (stage) {
  const route = aRoute(stage, 'tested');
  const authority = stage.service('bridge-authority');
  const relayer = stage.service('relayer');
  const user = stage.take('bridge user');
  const full = ['bridge', BRIDGE_CODES.capExceeded] as const;
  yield* send(authority, m.setLimits(authority, route.id, 100n, 50n, 3_600n));
  yield* send(user, m.transferOut(user, route.id, remote(stage), 60n));
  yield* refused(user, full, m.transferOut(user, route.id, remote(stage), 101n));
  const incoming = m.receiveIn(relayer, route.id, remote(stage), user.address, 51n, messageId(stage));
  yield* refused(relayer, full, incoming);
  // a limit of 0 lets nothing pass
  yield* send(authority, m.setLimits(authority, route.id, 0n, 0n, 60n));
  yield* refused(user, full, m.transferOut(user, route.id, remote(stage), 1n));
  yield* send(authority, m.setLimits(authority, route.id, AMPLE, AMPLE, DAY_SECONDS));
});

/** A synthetic coin in the greatest amount there is, distributed, claimed, and refused when it is to be distributed again. */
const greatest = scenario('the greatest amount', 1, function* (stage) {
  const authority = stage.service('bridge-authority');
  const relayer = stage.service('relayer');
  const issuer = stage.take('issuer');
  const all = 2n ** 255n - 1n;
  const id = stage.unique(`greatest-${stage.height}`);
  const denom = `bridged/${id}`;
  const fields = { id, direction: 'SYNTHETIC_IN', denom, inboundLimit: all } as const;
  yield* send(authority, m.createRoute(authority, fields));
  yield* send(relayer, m.receiveIn(relayer, id, remote(stage), issuer.address, all, messageId(stage)));
  const asset = yield* launch(stage, {
    issuer,
    holders: [issuer],
    kinds: [{ class: 'INCOME' }],
    units: 1n,
    distributionDenoms: [denom],
  });
  const pay = m.distribute(issuer, asset.id, 0, m.coin(denom, all));
  yield* send(issuer, pay);
  yield* send(issuer, m.claim(issuer, asset.id, 0, denom));
  yield* refused(issuer, ['payout', PAYOUT_CODES.amountTooLarge], pay);
});

export const BRIDGING: readonly Scenario[] = [
  opens('native'),
  opens('synthetic'),
  opens('tested'),
  openRight,
  nativeOut,
  nativeIn,
  synthetic,
  scenario('units out', 12, (stage) => rightOut(stage, 'right', false)),
  scenario('units out and in', 5, (stage) => rightOut(stage, 'right', true)),
  scenario('bundles out and in', 5, (stage) => rightOut(stage, 'bundle', true)),
  paused,
  capped,
  greatest,
];
