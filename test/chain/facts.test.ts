import protobuf from 'protobufjs';
import { StrataError } from 'strata-kit/errors';
import { describe, expect, it } from 'vitest';
import { openCapture } from '../../src/chain/capture/reader.ts';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { askChainFacts } from '../../src/chain/facts.ts';
import { silentLog } from '../../src/chain/log.ts';
import { checkSource } from '../../src/chain/preflight.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import { FIXTURE } from './fixture.ts';

/** As cosmos/evm 0.6 publishes them; ethermint and Injective have the same numbers. */
const EVM = protobuf.parse(
  `syntax = "proto3";
  message ExtendedDenomOptions { string extended_denom = 1; }
  message Params { string evm_denom = 1; ExtendedDenomOptions extended_denom_options = 11; }
  message ParamsResponse { Params params = 1; }
  message ChainConfig { uint64 chain_id = 24; string denom = 25; uint64 decimals = 26; }
  message ConfigResponse { ChainConfig config = 1; }`,
  { keepCase: true },
).root;

function params(evm_denom: string, extended_denom?: string): Uint8Array {
  const extended = extended_denom === undefined ? {} : { extended_denom_options: { extended_denom } };
  return EVM.lookupType('ParamsResponse')
    .encode({ params: { evm_denom, ...extended } })
    .finish();
}

function config(denom: string, decimals: number): Uint8Array {
  return EVM.lookupType('ConfigResponse')
    .encode({ config: { chain_id: 7777, denom, decimals } })
    .finish();
}

const recordedSource = async (): Promise<BlockSource> => createCaptureSource(await openCapture(FIXTURE));

describe('askChainFacts', () => {
  it('reads what the recorded chain tells of itself', async () => {
    const facts = await askChainFacts(await recordedSource(), silentLog);
    expect(facts).toMatchObject({
      chainId: '9001',
      appVersion: '0',
      softwareVersion: 'v0.6.0',
      hrp: 'cosmos',
      // its parameters name an extended denom, aatom, which does not count with 18 decimals
      evmDenom: 'atest',
      evmBankDenom: 'atest',
      evmChainId: 262144,
      nodeMinGasPrices: undefined,
    });
    expect(facts.descriptorSet?.length).toBe(764_043);
    expect(facts.moduleAccounts).toHaveLength(11);
    // the fee collector and the gov module
    expect(facts.moduleAccounts).toContain('cosmos17xpfvakm2amg962yls6f84z3kell8c5lserqta');
    expect(facts.moduleAccounts).toContain('cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn');
  });

  it('leaves out what a chain does not answer, and says so in one line', async () => {
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
    // and one of the broken prefix
    expect(logged).toHaveLength(2);
    expect(JSON.parse(logged[1] ?? '')).toMatchObject({
      paths: expect.arrayContaining([
        '/cosmos.evm.vm.v1.Query/Config',
        '/ethermint.evm.v1.Query/Config',
        '/cosmos.base.node.v1beta1.Service/Config',
      ]),
    });
  });

  it.each([
    {
      chain: 'cosmos/evm with 6 decimals in the bank',
      answers: {
        '/cosmos.evm.vm.v1.Query/Params': params('uphoton', 'aphoton'),
        '/cosmos.evm.vm.v1.Query/Config': config('uphoton', 6),
      },
      facts: { evmDenom: 'aphoton', evmBankDenom: 'uphoton', evmChainId: 7777 },
    },
    {
      chain: 'one with 6 decimals that names no other denom',
      answers: {
        '/cosmos.evm.vm.v1.Query/Params': params('uphoton'),
        '/cosmos.evm.vm.v1.Query/Config': config('uphoton', 6),
      },
      facts: { evmDenom: undefined, evmBankDenom: 'uphoton' },
    },
    {
      chain: 'one that does not report its decimals, with two denoms',
      answers: { '/cosmos.evm.vm.v1.Query/Params': params('uphoton', 'aphoton') },
      facts: { evmDenom: undefined, evmBankDenom: 'uphoton' },
    },
    {
      chain: 'Evmos 20',
      answers: {
        '/ethermint.evm.v1.Query/Params': params(''),
        '/ethermint.evm.v1.Query/Config': config('aevmos', 18),
      },
      facts: { evmDenom: 'aevmos', evmChainId: 7777 },
    },
    {
      chain: 'Injective',
      answers: { '/injective.evm.v1.Query/Params': params('inj') },
      facts: { evmDenom: 'inj' },
    },
    { chain: 'a chain without an EVM', answers: {}, facts: { evmDenom: undefined, evmBankDenom: undefined } },
  ])('names the denom of 18-decimals amounts: $chain', async ({ answers, facts }) => {
    const answered = new Map<string, Uint8Array>(Object.entries(answers));
    const source: BlockSource = {
      ...(await recordedSource()),
      abciQuery: async (path) => {
        const value = answered.get(path);
        return value === undefined
          ? { code: 6, log: 'unknown query path', height: 0, value: new Uint8Array() }
          : { code: 0, log: '', height: 5, value };
      },
    };
    expect(await askChainFacts(source, silentLog)).toMatchObject(facts);
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
