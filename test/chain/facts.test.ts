import { describe, expect, it } from 'vitest';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { askChainFacts } from '../../src/chain/facts.ts';
import { silentLog } from '../../src/chain/log.ts';
import { checkSource } from '../../src/chain/preflight.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import { StrataError } from '../../src/core/errors.ts';
import { FIXTURE } from './fixture.ts';

const recordedSource = async (): Promise<BlockSource> => createCaptureSource(await openCapture(FIXTURE));

describe('askChainFacts', () => {
  it('reads what the recorded chain tells of itself', async () => {
    const facts = await askChainFacts(await recordedSource(), silentLog);
    expect(facts).toMatchObject({
      chainId: '9001',
      appVersion: '0',
      softwareVersion: 'v0.6.0',
      hrp: 'cosmos',
      evmDenom: 'atest',
      evmChainId: 262144,
      nodeMinGasPrices: undefined,
    });
    expect(facts.descriptorSet?.length).toBe(764_043);
    expect(facts.moduleAccounts).toHaveLength(11);
    // the fee collector and the gov module
    expect(facts.moduleAccounts).toContain('cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta');
    expect(facts.moduleAccounts).toContain('cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn');
  });

  it('leaves out what a chain does not answer, and says so once a query', async () => {
    const source: BlockSource = {
      ...(await recordedSource()),
      head: async () => ({ chainId: 'evmos_9001-2', earliestHeight: 1, latestHeight: 5, appVersion: '0' }),
      abciQuery: async (path) => {
        if (path === '/ethermint.evm.v1.Query/Params') {
          return { code: 0, log: '', height: 5, value: Buffer.from('0a080a066161746f6d73', 'hex') };
        }
        if (path.endsWith('Bech32Prefix'))
          return { code: 0, log: '', height: 5, value: Buffer.from('0aff', 'hex') };
        return { code: 6, log: 'unknown query path: unknown request', height: 0, value: new Uint8Array() };
      },
    };
    const logged: string[] = [];
    const log = {
      info: (facts: object) => logged.push(JSON.stringify(facts)),
      warn: (facts: object) => logged.push(JSON.stringify(facts)),
    };
    const facts = await askChainFacts(source, log);
    expect(facts).toMatchObject({
      hrp: undefined,
      moduleAccounts: [],
      evmDenom: 'aatoms',
      evmChainId: 9001,
      descriptorSet: undefined,
    });
    expect(new Set(logged).size).toBe(logged.length);
    expect(logged).toHaveLength(6);
  });

  it('fails when the source cannot be asked', async () => {
    const down = new StrataError('node_unreachable', 'all nodes are down');
    const source: BlockSource = { ...(await recordedSource()), abciQuery: () => Promise.reject(down) };
    await expect(askChainFacts(source, silentLog)).rejects.toBe(down);
  });
});

describe('checkSource', () => {
  const head = { chainId: '9001', earliestHeight: 300, latestHeight: 501, appVersion: '0' };

  it('accepts the chain and a height that it has', () => {
    expect(() => checkSource(head, { chainId: '9001', startHeight: 300 })).not.toThrow();
    expect(() => checkSource(head, {})).not.toThrow();
  });

  it('names the chain that is served, and the height to use', () => {
    expect(() => checkSource(head, { chainId: '7' })).toThrowError(
      expect.objectContaining({ code: 'chain_id_mismatch', message: 'the source serves chain 9001, not 7' }),
    );
    expect(() => checkSource(head, { startHeight: 1 })).toThrowError(
      expect.objectContaining({
        code: 'height_pruned',
        lowestHeight: 300,
        message: expect.stringContaining('start at 300'),
      }),
    );
  });
});
