import { hexToBytes } from 'strata-kit/bytes';
import { encodeCall } from '../../abi.ts';
import { type Scenario, scenario } from '../../scenario.ts';
import { type EthereumPlan, expectSuccess, type Steps, Surprise, sendAny } from '../../step.ts';
import { call, failureOf } from '../calls.ts';

/** Several Ethereum txs in one tx of the chain. */

const NOTHING = new Uint8Array();
/** Puts one byte of code in place. */
const CREATING = hexToBytes('600160005360016000f3') ?? NOTHING;

function* sendBatch(...txs: readonly EthereumPlan[]): Steps<string | undefined> {
  const outcome = yield* sendAny({ kind: 'ethereum batch', txs });
  expectSuccess(outcome);
  return failureOf(outcome);
}

const payments = scenario('several Ethereum messages in a tx', 2, function* (stage) {
  const trader = stage.take('trader');
  const coin = stage.contract('stable');
  const pay = (amount: bigint) =>
    call(
      stage,
      trader,
      coin,
      encodeCall('transfer(address,uint256)', [stage.anyone('holder').bytes, amount]),
    );
  const plain = call(stage, trader, stage.anyone('holder').bytes, NOTHING, { value: 9n, gasLimit: 21_000n });
  const failed = yield* sendBatch(pay(1n), plain, pay(2n));
  if (failed !== undefined) throw new Surprise(failed);
});

/** Of two senders: one of them fails, a contract is created, and calls come after it. */
const mixed = scenario('Ethereum messages of two senders in a tx', 2, function* (stage) {
  const [one, two] = [stage.take('trader'), stage.take('trader')];
  const coin = stage.contract('stable');
  const pay = (amount: bigint) => encodeCall('transfer(address,uint256)', [two.bytes, amount]);
  const failed = yield* sendBatch(
    call(stage, one, coin, pay(3n)),
    call(stage, two, stage.contract('wrappedNative'), encodeCall('deposit()', []), { value: 1_000n }),
    call(stage, one, coin, pay(10n ** 40n)),
    call(stage, one, undefined, CREATING),
    call(stage, one, coin, pay(4n)),
  );
  if (failed === undefined) throw new Surprise('a payment beyond the balance did not fail');
});

export const BATCHES: readonly Scenario[] = [payments, mixed];
