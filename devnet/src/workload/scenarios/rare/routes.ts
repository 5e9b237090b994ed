import { BRIDGE_CODES } from '../../../modules/bridge/codes.ts';
import * as m from '../../messages.ts';
import { type Scenario, scenario } from '../../scenario.ts';
import { refused, send } from '../../step.ts';
import { messageId } from '../bridging.ts';

/** Routes that begin paused, and windows that pass. */

const WINDOW_SECONDS = 60n;
const NS_PER_SECOND = 1_000_000_000n;

const createdPaused = scenario('a route is created paused', 1, function* (stage) {
  const authority = stage.service('bridge-authority');
  const relayer = stage.service('relayer');
  const user = stage.take('bridge user');
  const id = stage.unique(`paused-${stage.height}`);
  const out = (amount: bigint) => m.transferOut(user, id, m.remoteAddress(9), amount);
  yield* send(
    authority,
    m.createRoute(authority, {
      id,
      direction: 'NATIVE_OUT',
      denom: stage.parameters.stableDenom,
      status: 'PAUSED',
      windowSeconds: WINDOW_SECONDS,
      outboundLimit: 100n,
      inboundLimit: 50n,
    }),
  );
  yield* refused(user, ['bridge', BRIDGE_CODES.paused], out(60n));
  yield* send(authority, m.setRouteStatus(authority, id, 'ACTIVE'));
  yield* send(user, out(60n));
  // as much again fits into the next window alone
  const windowNs = WINDOW_SECONDS * NS_PER_SECOND;
  yield { kind: 'until', timeNs: (stage.nowNs / windowNs + 1n) * windowNs };
  yield* send(user, out(100n));
  yield* send(relayer, m.receiveIn(relayer, id, m.remoteAddress(9), user.address, 50n, messageId(stage)));
});

export const ROUTES: readonly Scenario[] = [createdPaused];
