import { hexToBytes } from 'strata-kit/bytes';
import { bundleAddressOf, rightAddressOf } from 'strata-kit/client/asset-ids';
import { type AbiValue, encodeCall } from '../abi.ts';
import * as m from '../messages.ts';
import { type Scenario, scenario } from '../scenario.ts';
import type { Stage } from '../stage.ts';
import { type Steps, Surprise, send, sendAny } from '../step.ts';
import { call, does, failureOf, NO_DEADLINE, reverts } from './calls.ts';
import { launch, UNIT } from './parts.ts';

/** Contracts are made, and calls fail in every way in which they can. */

const bytes = (hex: string): Uint8Array => hexToBytes(hex) ?? new Uint8Array();

/** Ten bytes that answer 42, and twelve that put them in place. */
const ANSWERING = bytes('600a600c600039600a6000f3602a60005260206000f3');
const INVALID = bytes('fe');
/** PUSH1 0, PUSH1 0, REVERT. */
const REVERTING = bytes('60006000fd');

const create = scenario('create a contract', 6, function* (stage) {
  const trader = stage.take('trader');
  const outcome = yield* sendAny(call(stage, trader, undefined, ANSWERING));
  if (outcome.code !== 0 || failureOf(outcome) !== undefined)
    throw new Surprise(`not created: ${outcome.log}`);
  const maker = stage.contract('maker');
  yield* does(stage, trader, maker, 'make(uint256)', [7n], { value: 1n });
  const salt = stage.random.bytes(32);
  yield* does(stage, trader, maker, 'makeAt(bytes32,uint256)', [salt, 8n]);
});

/** By name, what the contract Reverter does when it is called so. */
const KINDS: readonly (readonly [name: string, signature: string, values: readonly AbiValue[]])[] = [
  ['reason', 'withReason(string)', ['Reverter: of course']],
  ['custom error', 'withCustomError(uint256)', [12n]],
  ['panic', 'withPanic(uint256)', [1n]],
  ['division by zero', 'withDivision(uint256)', [5n]],
  ['nothing', 'withNothing()', []],
  ['invalid opcode', 'withInvalid()', []],
  ['out of gas', 'withoutGas()', []],
  ['reason after a log', 'afterNote(uint256)', [3n]],
];

function revert([name, signature, values]: (typeof KINDS)[number]): Scenario {
  return scenario(`revert: ${name}`, 2, function* (stage) {
    const trader = stage.take('trader');
    const data = encodeCall(signature, values);
    yield* reverts(call(stage, trader, stage.contract('reverter'), data, { gasLimit: 120_000n }));
  });
}

const caught = scenario('a revert that is caught', 2, function* (stage) {
  const trader = stage.take('trader');
  yield* does(stage, trader, stage.contract('reverter'), 'caught(uint256)', [4n]);
  yield* does(stage, trader, stage.contract('reverter'), 'note(uint256)', [5n], { value: 3n });
});

const notCreated = scenario('a creation fails', 2, function* (stage) {
  const trader = stage.take('trader');
  yield* reverts(call(stage, trader, undefined, REVERTING));
  yield* reverts(call(stage, trader, undefined, INVALID));
});

/** The DEX's own refusals, and the lending market's. */
const refusedByContracts = scenario('refused by contracts', 3, function* (stage) {
  const trader = stage.take('trader');
  const [router, native] = [stage.contract('router'), stage.contract('wrappedNative')];
  const swap = encodeCall('swapExactETHForTokens(uint256,address[],address,uint256)', [
    0n,
    [native, stage.contract('stable')],
    trader.bytes,
    1n,
  ]);
  // expired at its first second
  yield* reverts(call(stage, trader, router, swap, { value: 10n }));
  const borrow = encodeCall('borrow(uint256)', [10n ** 30n]);
  yield* reverts(call(stage, trader, stage.contract('lendingMarket'), borrow));
  yield* reverts(call(stage, trader, router, encodeCall('nothingOfTheKind(uint256)', [NO_DEADLINE])));
});

/** The precompiles refuse as the messages do, with a text that names the rule. */
const denied = scenario('policy denied in the EVM', 4, function* (stage: Stage): Steps {
  const issuer = stage.take('issuer');
  const trader = stage.take('trader');
  const asset = yield* launch(stage, { issuer, holders: [trader] });
  const { namespace } = stage.parameters;
  const right = rightAddressOf(namespace, asset.id, 0);
  const bundle = bundleAddressOf(namespace, asset.id);
  const data = encodeCall('transfer(address,uint256)', [stage.anyone('holder').bytes, UNIT]);
  yield* reverts(
    call(stage, trader, right, encodeCall('transfer(address,uint256)', [issuer.bytes, 10n ** 20n])),
  );
  yield* send(issuer, m.setPolicy(issuer, asset.id, m.policy('CLOSED')));
  yield* reverts(call(stage, trader, right, data));
  yield* reverts(call(stage, trader, bundle, data));
  const kyc = stage.unique('kyc');
  yield* send(
    issuer,
    m.setPolicy(issuer, asset.id, m.policy('ATTESTED', [kyc], [stage.anyone('attester')]), 0),
  );
  yield* reverts(call(stage, trader, right, data));
  yield* send(
    issuer,
    m.updateKind(issuer, asset.id, 0, { transferable: false, multiplier: 1n, bridgeable: false }),
  );
  yield* reverts(call(stage, trader, right, data));
});

export const REVERTING_CALLS: readonly Scenario[] = [
  create,
  ...KINDS.map(revert),
  caught,
  notCreated,
  refusedByContracts,
  denied,
];
