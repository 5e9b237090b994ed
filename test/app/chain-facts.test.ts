import { expect, it } from 'vitest';
import { openChain } from '../../src/app/chain.ts';
import type { Node } from '../../src/devnet/client/node.ts';
import { NO_PARAMETERS } from '../support/indexing.ts';

const unasked = async (): Promise<never> => {
  throw new Error('asked');
};

/** A node of another chain, which answers none of the app's questions. */
const silent: Node = {
  status: async () => ({ chainId: 'other-1', height: 1, timeNs: 0n }),
  query: async () => ({ codespace: 'sdk', code: 6, log: 'unknown', height: 0, value: new Uint8Array() }),
  blockTxs: unasked,
  broadcast: unasked,
  tx: unasked,
};

it('an app takes no prefix and no denom that neither its node nor its configuration names', async () => {
  const open = (chain: object) =>
    openChain(silent, {
      chain: { ...NO_PARAMETERS, ...chain },
      evmRpcUrl: undefined,
      faucetKey: undefined,
      deskKey: undefined,
    });
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
