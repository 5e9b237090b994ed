import { encodeBech32 } from 'strata-kit/address';
import { bundleAddressOf } from 'strata-kit/client/asset-ids';
import { transferable } from '../../../modules/rights/keeper.ts';
import type { AbiValue } from '../../abi.ts';
import * as m from '../../messages.ts';
import { type Scenario, scenario } from '../../scenario.ts';
import { attribute, type Steps, send } from '../../step.ts';
import { does, pairOf } from '../calls.ts';
import { ECONOMIC, launch, UNIT } from '../parts.ts';
import { EIGHTEEN, WHOLE } from './decimals.ts';

/**
 * Pools without a price: before anybody has paid in, with one side alone, and when what a pool holds is locked. A lien on
 * one kind of a pool's shares leaves it no whole share, so that its Sync has a reserve of zero.
 */

const BLOCKS = 12;
const CREATION_GAS = { gasLimit: 4_000_000n };

/** `refilled`: the lien is released in part and expires. `empty`: it is exercised, and the pool stays without shares. */
function dry(end: 'refilled' | 'empty'): Scenario {
  return scenario(`a pool runs dry, ${end}`, 1, function* (stage) {
    const [issuer, operator] = [stage.take('issuer'), stage.take('operator')];
    const [releaser, trader] = [stage.take('releaser'), stage.take('trader')];
    const [factory, coin] = [stage.contract('factory'), stage.contract('stable')];
    const { namespace, hrp } = stage.parameters;
    const { id } = yield* launch(stage, {
      issuer,
      operator,
      releaser,
      holders: [trader],
      kinds: EIGHTEEN,
      liensAllowed: true,
      units: 1_000n * WHOLE,
    });
    const bundle = bundleAddressOf(namespace, id);
    const pair = pairOf(factory, bundle, coin);
    const holder = { address: encodeBech32(hrp, pair) };
    const on = (
      to: Uint8Array,
      signature: string,
      values: readonly AbiValue[],
      options = {},
    ): Steps<unknown> => does(stage, trader, to, signature, values, options);

    yield* on(factory, 'createPair(address,address)', [bundle, coin], CREATION_GAS);
    yield* on(pair, 'sync()', []);
    yield* on(coin, 'transfer(address,uint256)', [pair, 1_000n]);
    yield* on(pair, 'sync()', []);
    yield* on(bundle, 'transfer(address,uint256)', [pair, 100n * WHOLE]);
    yield* on(coin, 'transfer(address,uint256)', [pair, 250n * UNIT]);
    yield* on(pair, 'mint(address)', [trader.bytes]);
    stage.pools.add(id);

    const units = transferable(stage.reader, id, ECONOMIC, holder.address);
    const untilNs = stage.laterNs(BLOCKS, 2);
    const made = yield* send(
      operator,
      m.encumber(operator, {
        kind: 'LIEN',
        assetId: id,
        kindId: ECONOMIC,
        holder,
        beneficiary: operator,
        units,
        exercisable: true,
        evidence: stage.random.bytes(32),
        ...(end === 'empty' ? {} : { expiry: stage.later(BLOCKS, 2) }),
      }),
    );
    const lien = attribute(made, 'encumbrance.v1.EventCreated', 'id');
    yield* on(pair, 'sync()', []);
    if (end === 'empty') {
      yield* send(operator, m.exercise(operator, lien));
      yield* on(pair, 'sync()', []);
      return;
    }
    yield* send(releaser, m.release(releaser, lien, units / 3n));
    yield* on(pair, 'sync()', []);
    yield { kind: 'until', timeNs: untilNs };
    yield* on(pair, 'sync()', []);
  });
}

export const POOLS: readonly Scenario[] = [dry('refilled'), dry('empty')];
