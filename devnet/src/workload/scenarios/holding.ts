import { claimables } from '../../modules/payout/keeper.ts';
import * as m from '../messages.ts';
import { type Scenario, scenario } from '../scenario.ts';
import { expectSuccess, NotNow, send, sendAny } from '../step.ts';
import { aHolder, anAsset, another, aPart, ECONOMIC, gas, REDEMPTION, stable, UNIT } from './parts.ts';

/** What holders do all day: units and coins change hands, income is paid and claimed. */

const NATIVE = 10n ** 18n;

const transferUnits = scenario('transfer units', 170, function* (stage) {
  const asset = anAsset(stage);
  const kind = stage.random.below(asset.kinds.length);
  const from = aHolder(stage, asset, [kind]);
  const units = aPart(stage, asset, kind, from);
  yield* send(from, m.transfer(from, asset.id, kind, another(stage, from), units));
});

const redeem = scenario('redeem', 15, function* (stage) {
  const asset = anAsset(stage);
  const holder = aHolder(stage, asset, [REDEMPTION]);
  yield* send(holder, m.redeem(holder, asset.id, REDEMPTION, BigInt(stage.random.between(1, 9))));
});

const sendCoins = scenario('send coins', 150, function* (stage) {
  const from = stage.take(stage.random.pick(['holder', 'trader', 'operator'] as const));
  const to = another(stage, from);
  const amount = BigInt(stage.random.between(1, 2_000_000));
  const coins = stage.random.oneIn(5)
    ? [gas(stage, amount * 10n ** 9n), stable(stage, amount)]
    : [stage.random.oneIn(2) ? stable(stage, amount) : gas(stage, amount * 10n ** 9n)];
  yield* send(from, m.bankSend(from, to.address, ...coins));
});

const memo = scenario('send with a memo', 10, function* (stage) {
  const from = stage.take('holder');
  const outcome = yield* sendAny({
    kind: 'cosmos',
    signers: [from],
    messages: [m.bankSend(from, another(stage, from).address, stable(stage, 1n))],
    memo: `${stage.unique('invoice')} — «спасибо» \n "x"`,
  });
  expectSuccess(outcome);
});

/** What the faucet gives at most, to whoever asks: enough for a day's fees and a small trade. */
export const FAUCET_LIMIT = { native: NATIVE, stable: 100n * UNIT } as const;

const faucet = scenario('faucet', 12, function* (stage) {
  const giver = stage.service('faucet');
  const to = another(stage);
  yield* send(
    giver,
    m.bankSend(giver, to.address, gas(stage, FAUCET_LIMIT.native), stable(stage, FAUCET_LIMIT.stable)),
  );
});

const distribute = scenario('distribute', 35, function* (stage) {
  const asset = anAsset(stage);
  const payer = stage.random.oneIn(3) ? stage.take('trader') : stage.takeThis(asset.issuer);
  const amount = BigInt(stage.random.between(1_000, 900_000_000));
  const paid = stage.random.oneIn(4) ? gas(stage, amount * 10n ** 6n) : stable(stage, amount);
  yield* send(payer, m.distribute(payer, asset.id, stage.random.below(asset.kinds.length), paid));
});

const claim = scenario('claim', 90, function* (stage) {
  const asset = anAsset(stage);
  const kind = stage.random.below(asset.kinds.length);
  const holder = stage.take(stage.random.pick(['holder', 'trader'] as const));
  const [entry] = claimables(stage.reader, asset.id, kind, holder.address);
  if (entry === undefined) throw new NotNow('nothing to claim');
  yield* send(holder, m.claim(holder, asset.id, kind, entry.denom, entry.ref));
});

/** A dividend from the first coin to the last: paid, and claimed by those who had units. */
const dividend = scenario('dividend', 10, function* (stage) {
  const asset = anAsset(stage);
  const holder = aHolder(stage, asset, [ECONOMIC]);
  const issuer = stage.takeThis(asset.issuer);
  yield* send(issuer, m.distribute(issuer, asset.id, ECONOMIC, stable(stage, 12_345_678n)));
  yield* send(holder, m.claim(holder, asset.id, ECONOMIC, stage.parameters.stableDenom));
});

/** One tx, two signers: both pay, the first the fee. */
const together = scenario('two signers', 10, function* (stage) {
  const [one, two] = [stage.take('holder'), stage.take('trader')];
  yield* send(
    [one, two],
    m.bankSend(one, two.address, stable(stage, 5n)),
    m.bankSend(two, one.address, gas(stage, 7n)),
  );
});

export const HOLDING: readonly Scenario[] = [
  transferUnits,
  redeem,
  sendCoins,
  memo,
  faucet,
  distribute,
  claim,
  dividend,
  together,
];
