import { SDK } from 'strata-kit/chain-error';
import * as m from '../messages.ts';
import { type Scenario, scenario } from '../scenario.ts';
import { type AnteFault, expectRefusal, type Refusal, Surprise, sendAny } from '../step.ts';
import { another, stable } from './parts.ts';

/** Txs that fail before their messages run, and such as use up their gas. */

const FAULTS: Readonly<Record<AnteFault, keyof typeof SDK>> = {
  'sequence ahead': 'wrongSequence',
  'sequence behind': 'wrongSequence',
  'fee too small': 'insufficientFee',
  'no fee': 'insufficientFee',
  'bad signature': 'unauthorized',
  'another chain': 'unauthorized',
  'timed out': 'txTimeoutHeight',
  'memo too long': 'memoTooLarge',
  'fee beyond the balance': 'insufficientFunds',
};

const sdk = (code: keyof typeof SDK): Refusal => ['sdk', SDK[code]];

function faulty(fault: AnteFault): Scenario {
  return scenario(`ante: ${fault}`, 1, function* (stage) {
    const from = stage.take('holder');
    const message = m.bankSend(from, another(stage, from).address, stable(stage, 1n));
    if (fault === 'sequence behind') {
      yield* sendAny({ kind: 'cosmos', signers: [from], messages: [message] });
    }
    const outcome = yield* sendAny({ kind: 'cosmos', signers: [from], messages: [message], fault });
    expectRefusal(outcome, sdk(FAULTS[fault]));
  });
}

const outOfGas = scenario('out of gas', 3, function* (stage) {
  const from = stage.take('holder');
  const messages = Array.from({ length: 6 }, () =>
    m.bankSend(from, another(stage, from).address, stable(stage, 1n)),
  );
  // enough for the ante, not for what follows
  const outcome = yield* sendAny({ kind: 'cosmos', signers: [from], messages, gasLimit: 60_000n });
  expectRefusal(outcome, sdk('outOfGas'));
});

const overdrawn = scenario('refused: more coins than there are', 3, function* (stage) {
  const from = stage.take('holder');
  const message = m.bankSend(from, another(stage, from).address, stable(stage, 10n ** 30n));
  expectRefusal(
    yield* sendAny({ kind: 'cosmos', signers: [from], messages: [message] }),
    sdk('insufficientFunds'),
  );
});

function wrongNonce(offset: bigint): Scenario {
  return scenario(`ante: nonce ${offset > 0n ? 'ahead' : 'behind'}`, 1, function* (stage) {
    const from = stage.take('trader');
    const to = stage.anyone('holder').bytes;
    if (offset < 0n) yield* sendAny({ kind: 'ethereum', from, to, value: 1n });
    const outcome = yield* sendAny({ kind: 'ethereum', from, to, value: 1n, nonceOffset: offset });
    if (outcome.code === 0) throw new Surprise('a wrong nonce went through');
  });
}

export const ANTE: readonly Scenario[] = [
  ...(Object.keys(FAULTS) as AnteFault[]).map(faulty),
  outOfGas,
  overdrawn,
  wrongNonce(2n),
  wrongNonce(-1n),
];
