import { encodeBech32 } from 'strata-kit/address';
import { describe, expect, it } from 'vitest';
import { createCaptureSource } from '../../src/chain/capture/source.ts';
import { askChainFacts, type ChainFacts } from '../../src/chain/facts.ts';
import { type Evidence, settleEvmDenom, settlePrefix } from '../../src/chain/identity.ts';
import { silentLog } from '../../src/chain/log.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import { NO_PARAMETERS } from '../support/indexing.ts';
import { recordedCapture } from '../support/recorded-capture.ts';

/** Where the prefix and the denom of a chain come from that does not describe itself. */

const silence = async () => ({ code: 6, log: 'unknown query path', height: 0, value: new Uint8Array() });

async function silentChain(changed: Partial<BlockSource> = {}): Promise<BlockSource> {
  return { ...createCaptureSource(await recordedCapture()), abciQuery: silence, ...changed };
}

const evidenceOf = (source: BlockSource, fromHeight = 1): Evidence => ({
  source,
  log: silentLog,
  fromHeight,
  latestHeight: 500,
});

async function knownOf(source: BlockSource, told: Partial<ChainFacts> = {}) {
  return {
    configured: NO_PARAMETERS,
    told: { ...(await askChainFacts(source, silentLog)), ...told },
    remembered: new Map<string, string>(),
  };
}

/** Blocks with one event each, of these values. */
function blocksWith(values: (height: number) => readonly string[]): Pick<BlockSource, 'fetch'> {
  const line = (height: number): string => {
    const attributes = values(height).map((value) => ({ key: 'receiver', value, index: true }));
    const events = JSON.stringify([{ type: 'coin_received', attributes }]);
    return `{"height":${height},"block":{"block_id":{"hash":""},"block":{"header":{"height":"${height}"}}},"block_results":{"height":"${height}","txs_results":null,"finalize_block_events":${events},"app_hash":""}}\n`;
  };
  return {
    fetch: async (fromHeight, toHeight) => {
      const heights = Array.from({ length: toHeight - fromHeight + 1 }, (_, i) => fromHeight + i);
      const bytes = Buffer.from(heights.map(line).join(''));
      const body = { layout: 'capture', fromHeight, toHeight, bytes } as const;
      return { fromHeight, toHeight, bodies: [body], byteLength: bytes.length, origin: 'test' };
    },
  };
}

const address = (hrp: string, byte: number) => encodeBech32(hrp, new Uint8Array(20).fill(byte));

describe('the address prefix', () => {
  it('comes from the configuration, the chain, its module accounts, the store, in this order', async () => {
    const source = await silentChain({ genesis: undefined, fetch: () => Promise.reject(new Error('asked')) });
    const known = await knownOf(source);
    const accounts = [1, 2, 3].map((byte) => address('modular', byte));
    const told = { ...known.told, hrp: 'told', moduleAccounts: accounts };
    const remembered = new Map([['hrp', 'stored']]);
    const settled = async (of: object) =>
      (await settlePrefix({ ...known, told, remembered, ...of }, evidenceOf(source))).value;
    expect([
      await settled({ configured: { ...NO_PARAMETERS, hrp: 'given' } }),
      await settled({}),
      await settled({ told: { ...told, hrp: undefined } }),
      await settled({ told: known.told }),
    ]).toEqual(['given', 'told', 'modular', 'stored']);
  });

  it('comes from the genesis of a chain that reports nothing, else from its first events', async () => {
    const source = await silentChain();
    expect(await settlePrefix(await knownOf(source), evidenceOf(source))).toMatchObject({
      value: 'cosmos',
      isInferred: true,
      origin: expect.stringMatching(/^the genesis: \d+ of \d+ addresses$/),
    });
    const bare = { ...source, genesis: undefined };
    expect(await settlePrefix(await knownOf(bare), evidenceOf(bare))).toMatchObject({
      value: 'cosmos',
      origin: expect.stringMatching(/^the events of blocks 1 to 20: \d+ of \d+ addresses$/),
    });
  });

  it('is taken from account addresses, also in base64 or under a validator’s prefix', async () => {
    const texts = [
      address('juno', 1),
      Buffer.from(address('juno', 2)).toString('base64'),
      address('junovaloper', 3),
      address('junovalcons', 4),
      `"${address('juno', 5)}"`,
      address('osmo', 6),
      `${address('osmo', 7)}x`,
      encodeBech32('pub', new Uint8Array(33)),
    ];
    const source = await silentChain({
      genesis: undefined,
      ...blocksWith((height) => (height === 3 ? texts : [])),
    });
    expect(await settlePrefix(await knownOf(source), evidenceOf(source))).toMatchObject({
      value: 'juno',
      origin: 'the events of blocks 1 to 200: 5 of 6 addresses',
    });
  });

  it.each([
    ['no address', () => []],
    ['cosmos 200, osmo 200', (height: number) => [address('cosmos', height), address('osmo', height)]],
    ['osmo 2', (height: number) => (height <= 2 ? [address('osmo', height)] : [])],
  ])('is not guessed from %s', async (seen, values) => {
    const source = await silentChain({ genesis: undefined, ...blocksWith(values) });
    await expect(settlePrefix(await knownOf(source), evidenceOf(source))).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(
        `blocks 1 to 200 do not decide it \\(${seen}\\)\\. Add the line "hrp: <prefix>" to the section "chain:"`,
      ),
    });
  });
});

describe("the denom of the EVM's amounts", () => {
  it('is not the configured name of a bank denom for which the chain has an extended one', async () => {
    const source = await silentChain();
    const known = await knownOf(source, { evmDenom: 'aphoton', evmBankDenom: 'uphoton' });
    const settled = async (configured: object) =>
      (
        await settleEvmDenom(
          { ...known, configured: { ...NO_PARAMETERS, ...configured } },
          evidenceOf(source),
        )
      ).value;
    expect([
      await settled({}),
      await settled({ gasDenom: 'uphoton' }),
      await settled({ gasDenom: 'aother' }),
      await settled({ gasDenom: 'aother', evmDenom: 'uphoton' }),
    ]).toEqual(['aphoton', 'aphoton', 'aother', 'uphoton']);
  });

  it('comes from the fees of a chain that reports nothing, and is not guessed', async () => {
    const source = await silentChain();
    const known = await knownOf(source);
    expect(await settleEvmDenom(known, evidenceOf(source))).toMatchObject({
      value: 'atest',
      origin: expect.stringMatching(/^the fees of \d+ Ethereum txs in blocks 1 to \d+$/),
    });
    // no Ethereum tx in these
    await expect(settleEvmDenom(known, { ...evidenceOf(source), latestHeight: 20 })).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(
        /blocks 1 to 20 do not decide it \(no fee\)\. Add the line "evm_denom: <denom>"/,
      ),
    });
  });
});
