import type { Wallet } from 'ethers';
import { openCodec } from 'strata-kit/codec/codec';
import { beforeAll, describe, expect, it } from 'vitest';
import { type App, createApp, type ProposedBlock } from '../../src/app/app.ts';
import { mint, moduleAddress, send } from '../../src/modules/bank/keeper.ts';
import { createEvmModule } from '../../src/modules/evm/module.ts';
import { wrapEthereumTx } from '../../src/modules/evm/wrap.ts';
import { createState } from '../../src/state/state.ts';
import { PARAMETERS } from '../support/context.ts';
import { account, walletOf } from './support.ts';

/** Ethereum txs as bytes of a chain, through the app, as a node would answer them. */
describe('an Ethereum tx in a block', () => {
  const codec = openCodec(PARAMETERS);
  const alice = walletOf(1);
  const to = walletOf(2).address;
  let app: App;

  beforeAll(async () => {
    app = createApp({
      parameters: PARAMETERS,
      codec,
      modules: [createEvmModule()],
      state: createState(),
      maxGas: 40_000_000n,
      maxTxBytes: 1_000_000,
    });
    await app.initGenesis({}, 0n);
    const context = { state: app.state, parameters: PARAMETERS, emitPlain: () => undefined };
    mint(context, 'evm', [{ denom: 'aaeva', amount: 10n ** 18n }]);
    send(context, moduleAddress(PARAMETERS, 'evm'), account(alice), [{ denom: 'aaeva', amount: 10n ** 18n }]);
  });

  async function signed(wallet: Wallet, nonce: number, value: bigint): Promise<Uint8Array> {
    const raw = await wallet.signTransaction({
      chainId: PARAMETERS.evmChainId,
      nonce,
      to,
      value,
      gasLimit: 21_000,
      gasPrice: 7,
    });
    return wrapEthereumTx(codec, PARAMETERS, Buffer.from(raw.slice(2), 'hex'));
  }

  function block(txs: readonly Uint8Array[]): ProposedBlock {
    return {
      height: 1,
      timeNs: 1_700_000_000n * 1_000_000_000n,
      blockHash: new Uint8Array(32).fill(0xbb),
      proposer: new Uint8Array(20).fill(0xee),
      txs,
    };
  }

  it('is told as the recorded chain tells it', async () => {
    const good = await signed(alice, 0, 5n);
    const unpaid = await signed(alice, 1, 10n ** 19n);
    const { results, events } = await app.finalizeBlock(block([good, unpaid]), (finalized) => finalized);
    expect(app.unforeseen).toEqual([]);
    expect(results[0]).toMatchObject({ code: 0, gasWanted: 21_000n, gasUsed: 21_000n, log: '' });
    const told = results[0]?.events.map(({ type, attributes }) => [type, ...attributes.map(([key]) => key)]);
    expect(told?.slice(4, 7)).toEqual([
      ['tx', 'fee'],
      ['ethereum_tx', 'ethereumTxHash', 'txIndex'],
      ['message', 'action', 'sender', 'msg_index'],
    ]);
    expect(results[0]?.events[6]?.attributes[1]).toEqual(['sender', account(alice)]);
    expect(told?.slice(-2)).toEqual([
      ['ethereum_tx', 'amount', 'ethereumTxHash', 'txIndex', 'txGasUsed', 'txHash', 'recipient', 'msg_index'],
      ['message', 'module', 'sender', 'txType', 'msg_index'],
    ]);
    expect(results[1]).toMatchObject({ code: 5, codespace: 'sdk', gasWanted: -1n, gasUsed: 0n, events: [] });
    expect(results[1]?.log).toMatch(/^failed to check sender balance: sender balance < tx cost \(/);
    expect(results[1]?.data).toEqual(new Uint8Array(0));
    expect(events).toEqual([
      {
        type: 'block_bloom',
        attributes: [
          ['bloom', '\0'.repeat(256)],
          ['mode', 'EndBlock'],
        ],
      },
    ]);
    const data = codec.decode('/cosmos.base.abci.v1beta1.TxMsgData', results[0]?.data ?? new Uint8Array());
    expect(JSON.stringify(data)).toContain(Buffer.alloc(32, 0xbb).toString('base64'));
  });

  it('is decoded once for the mempool and its block, and not kept when it is refused', async () => {
    let decoded = 0;
    const counting: typeof codec = {
      ...codec,
      decode: (typeUrl, ...rest) => {
        if (typeUrl.endsWith('TxBody')) decoded += 1;
        return codec.decode(typeUrl, ...rest);
      },
    };
    const parts = { parameters: PARAMETERS, codec: counting, modules: [createEvmModule()], state: app.state };
    const another = createApp({ ...parts, maxGas: 40_000_000n, maxTxBytes: 1_000_000 });
    const sequence = 1;
    const good = await signed(alice, sequence, 5n);
    expect(await another.checkTx(good)).toMatchObject({ code: 0 });
    await another.finalizeBlock(block([good]));
    expect(decoded).toBe(1);
    const unpaid = await signed(alice, sequence + 1, 10n ** 19n);
    for (let i = 0; i < 2; i++) expect(await another.checkTx(unpaid)).toMatchObject({ code: 5 });
    expect(decoded).toBe(3);
  });

  it('is refused outside its envelope', async () => {
    const body = codec.encode('/cosmos.tx.v1beta1.TxBody', {
      messages: [{ '@type': '/cosmos.evm.vm.v1.MsgEthereumTx', from: '', raw: '' }],
    });
    const raw = codec.encode('/cosmos.tx.v1beta1.TxRaw', {
      body_bytes: Buffer.from(body).toString('base64'),
      auth_info_bytes: '',
    });
    expect(await app.checkTx(raw)).toMatchObject({ codespace: 'sdk', code: 29 });
  });
});
