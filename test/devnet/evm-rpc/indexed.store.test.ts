import { Contract, Interface, type TransactionReceipt, type TransactionResponse } from 'ethers';
import { SIX_DECIMALS } from 'strata-devnet/devnet';
import { balance } from 'strata-devnet/modules/bank/keeper';
import { MAKER, REVERTER } from 'strata-devnet/modules/evm/contracts/artifacts';
import { startRpc } from 'strata-devnet/rpc/server';
import { encodeBech32 } from 'strata-kit/address';
import { systemClock } from 'strata-kit/clock';
import type { RpcServer } from 'strata-kit/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { faces } from '../../../devnet/test/evm/support.ts';
import { type EthereumDevnet, openEthereumDevnet } from '../../../devnet/test/evm-rpc/support.ts';
import { createRpcSource } from '../../../src/chain/rpc/source.ts';
import type { BlockSource } from '../../../src/chain/source.ts';
import { RowReader } from '../../../src/core/rowbinary.ts';
import { openRecordedApi, type RecordedApi } from '../../e2e/support/recorded-api.ts';

/** Of api.md. */
interface ApiTx {
  readonly height: number;
  readonly code: number;
  readonly evm: {
    readonly eth_hash: string;
    readonly from: string;
    readonly to: string | null;
    readonly value: { readonly denom: string; readonly amount: string };
    readonly gas_used: number;
    readonly status: number;
    readonly revert_reason: string | null;
  } | null;
}

/** Paid 1.5 coins and 7 of the EVM's least units, and nothing else. */
const NOBODY = '0x00000000000000000000000000000000000abcde';
const PAID = 15n * 10n ** 17n + 7n;

/** The indexer reads the devnet as any chain; ethers reads the same txs from the devnet's own JSON-RPC. */
describe.each([
  ['18 decimals in the bank', {}],
  ['6 decimals in the bank', SIX_DECIMALS],
] as const)('the indexer and ethers of the same txs, with %s', (_, parameters) => {
  const { gasDenom = 'aaeva', gasDecimals = 18 } = parameters as Partial<typeof SIX_DECIMALS>;
  let chain: EthereumDevnet;
  let rpc: RpcServer;
  let source: BlockSource;
  let api: RecordedApi;
  const sent: TransactionResponse[] = [];

  beforeAll(async () => {
    chain = await openEthereumDevnet({ parameters });
    const { alice, bob, at } = chain;
    const gasLimit = 300_000n;
    const reverter = new Interface(REVERTER.abi);
    const calling = (to: string, face: Interface, name: string, values: readonly unknown[], value = 0n) => ({
      to,
      data: face.encodeFunctionData(name, values),
      gasLimit,
      value,
    });
    let nonce = 0;
    for (const tx of [
      { to: bob.address, value: 7n, gasLimit: 21_000n },
      { to: bob.address, value: 8n, gasLimit: 21_000n, type: 0 },
      { to: NOBODY, value: PAID, gasLimit: 21_000n },
      { data: REVERTER.bytecode, gasLimit: 2_000_000n },
      calling(at.reverter, reverter, 'note', [1]),
      calling(at.reverter, reverter, 'withReason', ['too hot']),
      calling(at.reverter, reverter, 'withCustomError', [1]),
      calling(at.reverter, reverter, 'withPanic', [1]),
      calling(at.reverter, reverter, 'withNothing', []),
      calling(at.reverter, reverter, 'withInvalid', []),
      calling(at.reverter, reverter, 'withoutGas', []),
      calling(at.reverter, reverter, 'caught', [1]),
      calling(at.maker, new Interface(MAKER.abi), 'make', [3], 5n),
      calling(at.stable, faces.pair, 'transfer', [bob.address, 12]),
      calling(at.stable, faces.pair, 'transfer', [bob.address, 10n ** 20n]),
      calling(at.wrappedNative, faces.wrappedNative, 'deposit', [], 9n),
    ])
      sent.push(await alice.sendTransaction({ ...tx, nonce: nonce++ }));
    for (const one of sent) await receiptOf(one);
    rpc = await startRpc({ chain: chain.devnet.chain, port: 0 });
    source = createRpcSource({ urls: [rpc.url] });
    api = await openRecordedApi(chain.devnet.chain.latestHeight(), systemClock, source);
  });

  afterAll(async () => {
    await api?.close();
    await source?.close();
    await rpc?.close();
    await chain?.close();
  });

  async function receiptOf({ hash }: TransactionResponse): Promise<TransactionReceipt> {
    const receipt = await chain.provider.waitForTransaction(hash);
    if (receipt === null) throw new Error(`no receipt of ${hash}`);
    return receipt;
  }

  it('agree on sender, recipient, value, gas and outcome', async () => {
    for (const tx of sent) {
      const receipt = await receiptOf(tx);
      const { evm, height, code } = await api.get<ApiTx>(`/v1/txs/${tx.hash}`);
      expect({ height, code, ...evm, revert_reason: undefined }).toEqual({
        height: receipt.blockNumber,
        code: 0,
        eth_hash: tx.hash,
        from: tx.from,
        to: tx.to,
        value: { denom: 'aaeva', amount: String(tx.value) },
        gas_used: Number(receipt.gasUsed),
        status: receipt.status,
        revert_reason: undefined,
      });
    }
  });

  it('tells the reasons', async () => {
    const reasons = await Promise.all(
      sent.map(async ({ hash }) => (await api.get<ApiTx>(`/v1/txs/${hash}`)).evm?.revert_reason),
    );
    expect(reasons).toEqual([
      ...[null, null, null, null, null],
      'too hot',
      ...['execution reverted', 'execution reverted', 'execution reverted'],
      'invalid opcode: INVALID',
      'out of gas',
      ...[null, null, null],
      'spendable balance 999999999999988uusd is smaller than 100000000000000000000uusd: insufficient funds',
      null,
    ]);
  });

  it('has every log of every receipt, at its place', async () => {
    const store = await api.stores.open('logs');
    const row =
      "concat(toString(height), ' ', toString(log_index), ' 0x', lower(hex(address)), ' 0x', lower(hex(data)))";
    const text = new RowReader(
      await store.query(`SELECT arrayStringConcat(arraySort(groupArray(${row})), '\n') FROM evm_logs`),
    ).string();
    const receipts = await Promise.all(sent.map(receiptOf));
    const told = receipts.flatMap(({ logs }) =>
      logs.map(
        ({ blockNumber, index, address, data }) => `${blockNumber} ${index} ${address.toLowerCase()} ${data}`,
      ),
    );
    expect(told.length).toBeGreaterThan(4);
    expect(text.split('\n')).toEqual(told.sort());
  });

  it('agree with the bank on what was paid', async () => {
    const { app, readerAt, chain: blocks, parameters } = chain.devnet;
    const paid = await api.get<ApiTx>(`/v1/txs/${sent.find(({ to }) => to?.toLowerCase() === NOBODY)?.hash}`);
    expect(paid.evm?.value).toEqual({ denom: 'aaeva', amount: String(PAID) });
    const address = encodeBech32(parameters.hrp, Buffer.from(NOBODY.slice(2), 'hex'));
    expect(balance(readerAt(blocks.latestHeight()), address, gasDenom)).toBe(
      PAID / 10n ** BigInt(18 - gasDecimals),
    );
    expect(await chain.provider.getBalance(NOBODY)).toBe(PAID);
    // all that the sender has lost are values and the gas that receipts report
    const receipts = await Promise.all(sent.map(receiptOf));
    const values = sent.reduce((sum, { value }, i) => sum + (receipts[i]?.status === 1 ? value : 0n), 0n);
    const gas = receipts.reduce((sum, { gasUsed, gasPrice }) => sum + gasUsed * gasPrice, 0n);
    expect(await chain.provider.getBalance(chain.alice.address)).toBe(10n ** 24n - values - gas);
    expect(app.invariants(readerAt(blocks.latestHeight()))).toEqual([]);
  });

  it('counts the account once a tx', async () => {
    const page = await api.get<{ total: number }>(`/v1/accounts/${chain.alice.address}/txs`);
    expect(page.total).toBe(sent.length);
    expect(api.reported).toEqual([]);
  });

  it('is served by contracts that ethers can ask', async () => {
    const stable = new Contract(chain.at.stable, faces.pair, chain.provider);
    expect(await stable.getFunction('balanceOf')(chain.bob.address)).toBe(10n ** 15n + 12n);
  });
});
