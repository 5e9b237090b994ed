import { openCodec } from 'strata-kit/codec/codec';
import type { JsonObject } from 'strata-kit/proto-json';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import type { Plan } from '../../src/app/plans.ts';
import { createGenesis, readGenesis } from '../../src/genesis.ts';
import { getAsset } from '../../src/modules/asset/keeper.ts';
import { devnetModules } from '../../src/modules.ts';
import { createState } from '../../src/state/state.ts';
import { createAsset, issue, setRoles } from '../../src/workload/messages.ts';
import { treasuryOf } from '../../src/workload/treasury.ts';
import { PARAMETERS } from '../support/context.ts';

/** What a chain does by itself at a height. */

const codec = openCodec(PARAMETERS);
const treasury = treasuryOf(PARAMETERS);
const { assetId } = treasury;
const creation = createAsset(treasury, { kinds: [{ class: 'VOTE' }], settlementDenom: 'uusd' });
const units = (amount: bigint) => issue(treasury, assetId, 0, treasury, amount);

async function chainWith(...plans: readonly Plan[]) {
  const app = createApp({
    parameters: PARAMETERS,
    codec,
    modules: devnetModules(),
    state: createState(),
    maxGas: 40_000_000n,
    maxTxBytes: 1_000_000,
    plans,
  });
  await app.initGenesis({}, 0n);
  /** Of the block, as type and mode. */
  const block = async (height: number) => {
    const { events } = await app.finalizeBlock({
      height,
      timeNs: BigInt(height) * 1_000_000_000n,
      blockHash: new Uint8Array(32),
      proposer: new Uint8Array(20),
      txs: [],
    });
    return events
      .filter(({ type }) => type !== 'block_bloom')
      .map(({ type, attributes }) => [type, attributes.find(([key]) => key === 'mode')?.[1]]);
  };
  return { app, block };
}

describe('a plan of the chain', () => {
  it('runs at its height, in its phase: before the modules, at the begin or the end of the block', async () => {
    const { app, block } = await chainWith(
      { height: 2, phase: 'EndBlock', messages: [units(3n)] },
      { height: 2, phase: 'PreBlock', messages: [creation] },
      { height: 2, phase: 'BeginBlock', messages: [units(1n), units(2n)] },
    );
    expect(await block(1)).toEqual([]);
    expect(await block(2)).toEqual([
      // those that come first carry no mode (chain.md, section 1)
      ['aeva.asset.v1.EventAssetCreated', undefined],
      ['aeva.rights.v1.EventIssued', 'BeginBlock'],
      ['aeva.rights.v1.EventIssued', 'BeginBlock'],
      ['aeva.rights.v1.EventIssued', 'EndBlock'],
    ]);
    expect(await block(3)).toEqual([]);
    expect(getAsset(app.state, assetId)?.issuer).toBe(treasury.address);
    expect(app.invariants()).toEqual([]);
  });

  it('leaves nothing when one of its messages is refused, and the others go on', async () => {
    const { app, block } = await chainWith(
      { height: 1, phase: 'BeginBlock', messages: [creation, units(0n)] },
      { height: 1, phase: 'BeginBlock', messages: [creation] },
    );
    expect(await block(1)).toEqual([
      ['plan_refused', 'BeginBlock'],
      ['aeva.asset.v1.EventAssetCreated', 'BeginBlock'],
    ]);
    expect(app.unforeseen).toEqual([]);
  });

  it('has messages of the modules alone', async () => {
    const plan = (type: string): Plan => ({ height: 4, phase: 'EndBlock', messages: [{ '@type': type }] });
    await expect(chainWith(plan('/cosmos.evm.vm.v1.MsgEthereumTx'))).rejects.toThrow(
      'a plan of height 4 has /cosmos.evm.vm.v1.MsgEthereumTx, which no plan can run',
    );
    await expect(chainWith(plan('/<ns>.asset.v1.MsgNothing'))).rejects.toThrow(
      '/aeva.asset.v1.MsgNothing, which no plan can run',
    );
  });

  it('is part of the genesis document', () => {
    const plans: readonly Plan[] = [
      { height: 7, phase: 'EndBlock', messages: [setRoles(treasury, assetId)] },
      { height: 5, phase: 'PreBlock', messages: [creation] },
    ];
    const validator = { address: 'AA', publicKey: new Uint8Array(32), power: 1 };
    const genesis = createGenesis({ parameters: PARAMETERS, timeNs: 0n, validator, accounts: [], plans });
    expect(readGenesis(JSON.parse(JSON.stringify(genesis)) as JsonObject).plans).toEqual(plans);
    const wrong = {
      ...genesis,
      app_state: { ...(genesis.app_state as JsonObject), upgrade: { plans: [{}] } },
    };
    expect(() => readGenesis(wrong)).toThrow('a plan has a height, a phase');
  });
});
