import type { Node } from 'strata-kit/client/node';
import { openCodec } from 'strata-kit/codec/codec';
import { expect, it } from 'vitest';
import { NO_PARAMETERS } from '../../../test/support/indexing.ts';
import { chainJson } from '../../src/access/chain-json.ts';
import { openChain } from '../../src/chain.ts';

const unasked = async (): Promise<never> => {
  throw new Error('asked');
};

const NO_KEYS = { evmRpcUrl: undefined, faucetKey: undefined, deskKey: undefined };

/** A node of another chain, which answers none of the app's questions. */
const silent: Node = {
  status: async () => ({ chainId: 'other-1', height: 1, timeNs: 0n }),
  query: async () => ({ codespace: 'sdk', code: 6, log: 'unknown', height: 0, value: new Uint8Array() }),
  blockTxs: unasked,
  broadcast: unasked,
  tx: unasked,
};

it('an app shows amounts of the gas denom with the decimals that the chain reports', async () => {
  const codec = openCodec({ namespace: 'aeva' });
  const answer = { config: { chain_id: '7777', denom: 'uphoton', decimals: '6' } };
  const value = codec.encode('/cosmos.evm.vm.v1.QueryConfigResponse', answer);
  const node: Node = {
    ...silent,
    query: async (path, data) =>
      path === '/cosmos.evm.vm.v1.Query/Config'
        ? { codespace: '', code: 0, log: '', height: 1, value }
        : silent.query(path, data),
  };
  const chainOf = async (gasDenom: string | undefined) =>
    chainJson(
      (
        await openChain(node, {
          chain: { ...NO_PARAMETERS, hrp: 'cosmos', gasDenom },
          ...NO_KEYS,
        })
      ).facts,
    );
  expect(await chainOf(undefined)).toMatchObject({ gas_denom: 'uphoton', gas_decimals: 6 });
  expect(await chainOf('aother')).toMatchObject({ gas_denom: 'aother', gas_decimals: 18 });
});

it('an app takes no prefix and no denom that neither its node nor its configuration names', async () => {
  const open = (chain: object) => openChain(silent, { chain: { ...NO_PARAMETERS, ...chain }, ...NO_KEYS });
  await expect(open({ gasDenom: 'uatom' })).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining('Add the line "hrp: <prefix>"'),
  });
  await expect(open({ hrp: 'cosmos' })).rejects.toMatchObject({
    code: 'config_invalid',
    message: expect.stringContaining('Add the line "gas_denom: <denom>"'),
  });
  const { facts } = await open({ hrp: 'cosmos', gasDenom: 'uatom' });
  expect([facts.hrp, facts.gasDenom]).toEqual(['cosmos', 'uatom']);
});
