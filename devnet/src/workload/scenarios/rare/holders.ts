import * as m from '../../messages.ts';
import { type Scenario, scenario } from '../../scenario.ts';
import { send } from '../../step.ts';
import { aHolder, anAsset, ECONOMIC, gas, INCOME, launch, stable, UNIT, VOTE } from '../parts.ts';
import { SHORT_BLOCKS } from '../settling.ts';
import { keyless } from './keyless.ts';

/** Many holders, holders with addresses of 32 bytes, and income in three denoms. */

/** Messages of a tx: what its gas allows. */
const AT_ONCE = 30;

/** Played once: it makes 120 accounts. */
const crowd = scenario('more than a hundred holders', 0, function* (stage) {
  const issuer = stage.take('issuer');
  const holder = stage.take('holder');
  const people = stage.random.shuffle([...keyless(stage, 90, 20), ...keyless(stage, 30, 32)]);
  const asset = yield* launch(stage, {
    issuer,
    holders: [holder],
    kinds: [{ class: 'INCOME' }, { class: 'VOTE' }],
  });
  const { id } = asset;
  for (let i = 0; i < people.length; i += AT_ONCE) {
    const some = people.slice(i, i + AT_ONCE);
    // some have the same number of units, so that only their addresses tell them apart
    yield* send(issuer, ...some.map((who, at) => m.issue(issuer, id, 0, who, BigInt(1 + (at % 20)) * UNIT)));
    yield* send(issuer, m.distribute(issuer, id, 0, stable(stage, 1_000_003n)));
  }
  yield* send(holder, ...people.slice(0, AT_ONCE).map((who) => m.transfer(holder, id, 0, who, 7n)));
  yield* send(issuer, m.distribute(issuer, id, 0, gas(stage, 10n ** 15n)));
  yield* send(holder, m.claim(holder, id, 0, stage.parameters.stableDenom));
});

/** The third denom comes over a bridge. Units change hands between the payments. */
const threeDenoms = scenario('income in three denoms', 1, function* (stage) {
  const authority = stage.service('bridge-authority');
  const relayer = stage.service('relayer');
  const issuer = stage.take('issuer');
  const [one, two] = [stage.take('holder'), stage.take('trader')];
  const routeId = stage.unique(`third-${stage.height}`);
  const denom = `bridged/${routeId}`;
  yield* send(
    authority,
    m.createRoute(authority, { id: routeId, direction: 'SYNTHETIC_IN', denom, inboundLimit: 0n }),
  );
  const messageId = `0x${Buffer.from(stage.random.bytes(32)).toString('hex')}`;
  yield* send(
    relayer,
    m.receiveIn(relayer, routeId, m.remoteAddress(77), issuer.address, 10n ** 12n, messageId),
  );
  const { gasDenom, stableDenom } = stage.parameters;
  const { id } = yield* launch(stage, {
    issuer,
    holders: [one, two],
    distributionDenoms: [gasDenom, denom],
    units: 333n,
  });
  const payments = [stable(stage, 1_000n), gas(stage, 10n ** 17n + 1n), m.coin(denom, 999_999_999n)];
  for (const payment of payments) yield* send(issuer, m.distribute(issuer, id, INCOME, payment));
  yield* send(one, m.transfer(one, id, INCOME, two, 100n));
  yield* send(issuer, ...payments.map((payment) => m.distribute(issuer, id, INCOME, payment)));
  for (const taken of [denom, stableDenom, gasDenom]) yield* send(two, m.claim(two, id, INCOME, taken));
  yield* send(one, m.claim(one, id, INCOME, denom));
});

/** A group of 32 bytes as holder, beneficiary, delegate, counterparty and subject. */
const group = scenario('a group of 32 bytes', 2, function* (stage) {
  const asset = anAsset(stage);
  const { id } = asset;
  const holder = aHolder(stage, asset, [ECONOMIC, INCOME, VOTE], 20n * UNIT);
  const attester = stage.take('attester');
  const [who] = keyless(stage, 1, 32);
  if (who === undefined) return;
  const until = stage.later(500, 86_400);
  yield* send(
    holder,
    ...[ECONOMIC, INCOME, VOTE].map((kind) => m.transfer(holder, id, kind, who, 3n * UNIT)),
    m.bankSend(holder, who.address, gas(stage, 10n ** 12n), stable(stage, 1_000n)),
  );
  yield* send(
    holder,
    m.encumber(holder, {
      kind: 'PLEDGE',
      assetId: id,
      kindId: INCOME,
      holder,
      beneficiary: who,
      units: 5n * UNIT,
      income: true,
      expiry: until,
    }),
    m.delegate(holder, id, VOTE, 4n * UNIT, who, until, ['VOTE', 'INCOME'], true),
  );
  yield* send(attester, m.attest(attester, who, 'kyc', until, stage.random.bytes(32)));
  const payer = stage.take('liquidator');
  yield* send(
    payer,
    ...[ECONOMIC, INCOME].map((kind) => m.distribute(payer, id, kind, stable(stage, 5_555_555n))),
  );
  const untilNs = stage.laterNs(SHORT_BLOCKS, 2);
  const legs = [{ out: true, right: { assetId: id, kindId: ECONOMIC, units: UNIT } }];
  yield* send(holder, m.propose(holder, who, legs, stage.later(SHORT_BLOCKS, 2)));
  yield { kind: 'until', timeNs: untilNs };
});

export const HOLDERS: readonly Scenario[] = [crowd, threeDenoms, group];
