import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/errors.ts';
import type { Indexer } from '../../../src/indexer.ts';
import { createLayers, MAX_LAYERS } from '../../../src/layers/layers.ts';
import { whatOf } from '../../../src/what.ts';

const tx = (type: string, code = 0, status: number | null = null) => ({
  code,
  evm: status === null ? null : { status },
  msgs: [{ '@type': type }],
});

/** Block n has n transfers, an EVM tx that reverted, a settlement and a distribution. */
function indexer(head: { height: number }, first = 1) {
  const asked: string[] = [];
  const get = async (path: string): Promise<unknown> => {
    asked.push(path);
    if (path === '/v1/status') return { indexed_height: head.height };
    const height = Number(path.replace('/v1/blocks/', ''));
    if (height < first) return undefined;
    return {
      block: { time: `2026-01-01T00:00:${String(height % 60).padStart(2, '0')}Z` },
      txs: [
        ...Array.from({ length: height }, () => tx('/cosmos.bank.v1beta1.MsgSend')),
        tx('/cosmos.evm.vm.v1.MsgEthereumTx', 0, 0),
        tx('/aeva.settlement.v1.MsgPropose'),
        tx('/aeva.payout.v1.MsgDistribute'),
      ],
    };
  };
  return { asked, indexer: { url: 'http://127.0.0.1:1', get } satisfies Indexer };
}

describe('layers', () => {
  it('count the txs of the newest blocks by what happened in them, newest first', async () => {
    const { indexer: source } = indexer({ height: 3 });
    expect(await createLayers(source, 'aeva').newest(1)).toEqual([
      { height: 3, time: '2026-01-01T00:00:03Z', transfers: 3, evm: 0, assets: 1, markets: 1, failed: 1 },
      { height: 2, time: '2026-01-01T00:00:02Z', transfers: 2, evm: 0, assets: 1, markets: 1, failed: 1 },
    ]);
  });

  it('ask for each block once, whoever asks, and again for one that was not answered', async () => {
    const head = { height: 5 };
    const { asked, indexer: source } = indexer(head);
    let fails = true;
    const get = async (path: string): Promise<unknown> => {
      if (path === '/v1/blocks/5' && fails) throw new AppError('unavailable', 'the indexer does not answer');
      return source.get(path);
    };
    const layers = createLayers({ ...source, get }, 'aeva');
    await expect(layers.newest(0)).rejects.toThrow('the indexer does not answer');
    fails = false;
    await Promise.all([layers.newest(0), layers.newest(0), layers.newest(2)]);
    head.height = 6;
    expect((await layers.newest(0)).map(({ height }) => height)).toEqual([6, 5, 4, 3, 2, 1]);
    const blocks = asked.filter((path) => path.startsWith('/v1/blocks/'));
    expect(blocks.sort()).toEqual([1, 2, 3, 4, 5, 6].map((height) => `/v1/blocks/${height}`));
  });

  it('are no more than the overview shows, and leave out blocks that an indexer does not have', async () => {
    const many = await createLayers(indexer({ height: 500 }).indexer, 'aeva').newest(0);
    expect(many.map(({ height }) => height)).toEqual(Array.from({ length: MAX_LAYERS }, (_, i) => 500 - i));
    const late = await createLayers(indexer({ height: 12 }, 10).indexer, 'aeva').newest(0);
    expect(late.map(({ height }) => height)).toEqual([12, 11, 10]);
  });

  it('refuse an answer that is none of a block', async () => {
    const source: Indexer = {
      url: 'http://127.0.0.1:1',
      get: async (path) => (path === '/v1/status' ? { indexed_height: 1 } : { txs: 'none' }),
    };
    await expect(createLayers(source, 'aeva').newest(0)).rejects.toThrow('the indexer does not tell block 1');
  });
});

describe('what happened in a tx', () => {
  it.each([
    ['/cosmos.bank.v1beta1.MsgSend', 0, null, 'transfers'],
    ['/cosmos.evm.vm.v1.MsgEthereumTx', 0, 1, 'evm'],
    ['/cosmos.evm.vm.v1.MsgEthereumTx', 0, 0, 'failed'],
    ['/aeva.rights.v1.MsgTransfer', 0, null, 'assets'],
    ['/aeva.rights.v1.MsgTransfer', 5, null, 'failed'],
    ['/aeva.settlement.v1.MsgAccept', 0, null, 'markets'],
    ['/aeva.waterfall.v1.MsgFund', 0, null, 'markets'],
    ['/aeva.bridge.v1.MsgTransferOut', 0, null, 'markets'],
    ['/other.settlement.v1.MsgAccept', 0, null, 'transfers'],
  ])('%s, code %i, EVM status %s: %s', (type, code, status, what) => {
    expect(whatOf(tx(type, code, status), 'aeva')).toBe(what);
  });

  it('of a tx without messages is a transfer of nothing', () => {
    expect(whatOf({ code: 0, evm: null, msgs: [] }, 'aeva')).toBe('transfers');
  });
});
