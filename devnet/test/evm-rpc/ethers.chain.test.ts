import {
  Contract,
  ContractFactory,
  getCreateAddress,
  type Log,
  Transaction,
  type TransactionReceipt,
  type TransactionRequest,
  type Wallet,
} from 'ethers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LENDING_MARKET, REVERTER } from '../../src/modules/evm/contracts/artifacts.ts';
import { faces } from '../evm/support.ts';
import { type EthereumDevnet, openEthereumDevnet } from './support.ts';

const WHOLE = 10n ** 18n;
const LATE = 4_000_000_000n;

/** ethers as it is, over HTTP. */
describe('ethers over the devnet', () => {
  let chain: EthereumDevnet;

  beforeAll(async () => {
    chain = await openEthereumDevnet();
  });

  afterAll(async () => {
    await chain?.close();
  });

  it('finds the network, its head and balances', async () => {
    expect((await chain.provider.getNetwork()).chainId).toBe(9_111n);
    expect(await chain.provider.getBlockNumber()).toBeGreaterThan(0);
    expect(await chain.provider.getBalance(chain.bob.address)).toBe(10n ** 24n);
    expect(await chain.provider.getFeeData()).toMatchObject({
      gasPrice: 10n ** 9n,
      maxPriorityFeePerGas: 0n,
    });
  });

  it('sends value and waits for it', async () => {
    const sent = await chain.alice.sendTransaction({ to: chain.bob.address, value: 5n });
    expect(sent.gasLimit).toBe(21_000n);
    const receipt = (await sent.wait()) as TransactionReceipt;
    expect(receipt).toMatchObject({ status: 1, gasUsed: 21_000n, index: 0, logs: [], to: chain.bob.address });
    expect(await chain.provider.getBalance(chain.bob.address)).toBe(10n ** 24n + 5n);
    const block = await chain.provider.getBlock(receipt.blockNumber, true);
    expect(block?.hash).toBe(receipt.blockHash);
    expect(block?.prefetchedTransactions.map(({ hash }) => hash)).toEqual([sent.hash]);
    const found = await chain.provider.getTransaction(sent.hash);
    // ethers reckons the hash and the sender from the fields that it was told
    expect(found).toMatchObject({ hash: sent.hash, from: chain.alice.address, nonce: 0, value: 5n, type: 2 });
    expect(await chain.provider.getTransactionCount(chain.alice.address)).toBe(1);
    // a block that was before
    expect(await chain.provider.getBalance(chain.bob.address, receipt.blockNumber - 1)).toBe(10n ** 24n);
  });

  it('deploys, calls, sends and filters logs', async () => {
    const factory = new ContractFactory(JSON.parse(REVERTER.abi), REVERTER.bytecode, chain.alice);
    const made = await factory.deploy();
    await made.waitForDeployment();
    const address = await made.getAddress();
    expect(address).toBe(getCreateAddress({ from: chain.alice.address, nonce: 1 }));
    const contract = new Contract(address, JSON.parse(REVERTER.abi), chain.alice);
    const receipt = (await (await contract.getFunction('note')(7)).wait()) as TransactionReceipt;
    expect(await contract.getFunction('notes')()).toBe(1n);
    expect(await contract.getFunction('notes')({ blockTag: receipt.blockNumber - 1 })).toBe(0n);
    const logs = await contract.queryFilter('Noted', 0, 'latest');
    expect(logs.map((log) => [log.transactionHash, log.blockHash, log.index])).toEqual([
      [receipt.hash, receipt.blockHash, 0],
    ]);
    expect(await contract.queryFilter(contract.filters.Noted?.(8) ?? '', 0, 'latest')).toEqual([]);
    const byHash = await chain.provider.getLogs({ blockHash: receipt.blockHash, address });
    expect(byHash).toHaveLength(1);
    expect((await chain.provider.getCode(address)).length).toBeGreaterThan(100);
    expect(await chain.provider.getCode(chain.bob.address)).toBe('0x');
    // notes stands in the first slot
    expect(BigInt(await chain.provider.getStorage(address, 0))).toBe(1n);
  });

  it('finds each of several Ethereum txs in one tx of the chain', async () => {
    const { provider, alice, bob } = chain;
    const nonces = await Promise.all(
      [alice, bob].map(({ address }) => provider.getTransactionCount(address)),
    );
    const [a = 0, b = 0] = nonces;
    const common = { chainId: 9_111, gasPrice: 10n ** 9n, gasLimit: 200_000 };
    const stable = (amount: bigint) => ({
      to: chain.at.stable,
      data: faces.pair.encodeFunctionData('transfer', [bob.address, amount]),
    });
    const hashes = await sendTogether(chain, [
      [alice, { ...common, ...stable(3n), nonce: a }],
      [bob, { ...common, to: alice.address, value: 5n, nonce: b }],
      [alice, { ...common, ...stable(10n ** 40n), nonce: a + 1 }],
      // puts one byte of code in place
      [alice, { ...common, data: '0x600160005360016000f3', nonce: a + 2 }],
      [alice, { ...common, ...stable(4n), nonce: a + 3 }],
    ]);
    const receipts = await Promise.all(
      hashes.map(async (hash) => (await provider.waitForTransaction(hash)) as TransactionReceipt),
    );
    expect(receipts.map(({ index, status, logs }) => [index, status, logs.map((log) => log.index)])).toEqual([
      [0, 1, [0]],
      [1, 1, []],
      [2, 0, []],
      [3, 1, []],
      [4, 1, [1]],
    ]);
    // the chain has counted all of alice's before the first of them runs
    expect(receipts[3]?.contractAddress).toBe(getCreateAddress({ from: alice.address, nonce: a + 2 }));
    expect(await provider.getCode(receipts[3]?.contractAddress ?? '')).toBe('0x01');
    expect(await provider.getTransactionCount(alice.address)).toBe(a + 4);
    const block = await provider.getBlock(receipts[0]?.blockNumber ?? 0);
    expect(block?.transactions).toEqual(hashes);
    expect(chain.devnet.app.unforeseen).toEqual([]);
  });

  it('hears every kind of revert, before and after sending', async () => {
    const contract = new Contract(chain.at.reverter, JSON.parse(REVERTER.abi), chain.alice);
    const refusal = (name: string, ...values: unknown[]) =>
      contract
        .getFunction(name)
        .staticCall(...values)
        .then(
          () => ({}),
          (error: object) => error,
        );
    expect(await refusal('withReason', 'too hot')).toMatchObject({
      code: 'CALL_EXCEPTION',
      reason: 'too hot',
      revert: { name: 'Error' },
    });
    expect(await refusal('withCustomError', 9)).toMatchObject({ revert: { name: 'Refused' } });
    expect(await refusal('withPanic', 1)).toMatchObject({ revert: { name: 'Panic', args: [1] } });
    expect(await refusal('withNothing')).toMatchObject({ code: 'CALL_EXCEPTION', data: '0x' });
    expect(await refusal('withInvalid')).toMatchObject({
      info: { error: { message: 'invalid opcode: INVALID' } },
    });
    await expect(contract.getFunction('withReason').estimateGas('no')).rejects.toMatchObject({
      reason: 'no',
    });
    const sent = await contract.getFunction('withReason').send('too late', { gasLimit: 100_000n });
    await expect(sent.wait()).rejects.toMatchObject({
      code: 'CALL_EXCEPTION',
      receipt: { status: 0, logs: [] },
    });
    const drained = await contract.getFunction('withoutGas')({ gasLimit: 60_000n });
    await expect(drained.wait()).rejects.toMatchObject({ receipt: { status: 0, gasUsed: 60_000n } });
  });

  it('hears why a tx is not taken', async () => {
    const { alice, bob } = chain;
    await expect(
      alice.sendTransaction({ to: bob.address, nonce: 0, gasLimit: 21_000 }),
    ).rejects.toMatchObject({
      code: 'NONCE_EXPIRED',
    });
    await expect(
      alice.sendTransaction({ to: bob.address, value: 10n ** 30n, gasLimit: 21_000 }),
    ).rejects.toMatchObject({ code: 'INSUFFICIENT_FUNDS' });
    await expect(alice.sendTransaction({ to: bob.address, gasLimit: 20_000 })).rejects.toThrow(
      'intrinsic gas too low: gas 20000, minimum needed 21000',
    );
    await expect(
      alice.sendTransaction({ to: bob.address, gasLimit: 21_000, maxFeePerGas: 5, maxPriorityFeePerGas: 0 }),
    ).rejects.toThrow('transaction underpriced');
  });

  it('adds liquidity and swaps by the constant product', async () => {
    const { alice, at } = chain;
    const stable = new Contract(at.stable, faces.pair, alice);
    const router = new Contract(at.router, faces.router, alice);
    await (await stable.getFunction('approve')(at.router, 2n ** 256n - 1n)).wait();
    await (
      await router.getFunction('addLiquidityETH')(at.stable, 2_000_000_000n, 0, 0, alice.address, LATE, {
        value: 1_000n * WHOLE,
      })
    ).wait();
    const before = await stable.getFunction('balanceOf')(alice.address);
    const path = [at.wrappedNative, at.stable];
    const swap = await router.getFunction('swapExactETHForTokens')(0, path, alice.address, LATE, {
      value: WHOLE,
    });
    const receipt = (await swap.wait()) as TransactionReceipt;
    // 10^18·997·2·10^9 / (10^21·1000 + 10^18·997) = 1992013.96…
    expect((await stable.getFunction('balanceOf')(alice.address)) - before).toBe(1_992_013n);
    expect(receipt.logs.map((log: Log) => log.index)).toEqual([0, 1, 2, 3, 4]);
  });

  it('sends several at once, counting what waits', async () => {
    const { alice, bob, provider } = chain;
    const first = await provider.getTransactionCount(alice.address, 'pending');
    const sent = [];
    for (let i = 0; i < 3; i++)
      sent.push(await alice.sendTransaction({ to: bob.address, value: 1n, gasLimit: 21_000 }));
    expect(sent.map(({ nonce }) => nonce)).toEqual([first, first + 1, first + 2]);
    const receipts = await Promise.all(sent.map((one) => one.wait()));
    expect(receipts.map((receipt) => receipt?.status)).toEqual([1, 1, 1]);
  });

  it('takes legacy and access-list txs too', async () => {
    const { alice, bob, provider } = chain;
    for (const type of [0, 1]) {
      const sent = await alice.sendTransaction({ to: bob.address, value: 1n, type, gasLimit: 30_000 });
      expect(await sent.wait()).toMatchObject({ status: 1, type });
      expect((await provider.getTransaction(sent.hash))?.type).toBe(type);
    }
  });

  it('uses the lending market', async () => {
    const { alice, at } = chain;
    const market = new Contract(at.lendingMarket, JSON.parse(LENDING_MARKET.abi), alice);
    const stable = new Contract(at.stable, faces.pair, alice);
    await (await stable.getFunction('approve')(at.lendingMarket, 10n ** 9n)).wait();
    await (await market.getFunction('supply')(1_000n)).wait();
    await (await market.getFunction('deposit')({ value: 10n ** 15n })).wait();
    await (await market.getFunction('borrow')(900n)).wait();
    await (await market.getFunction('repay')(900n)).wait();
    const repaid = await market.queryFilter('Repay', 0, 'latest');
    expect(repaid.map((log) => 'args' in log && log.args.toArray())).toEqual([[alice.address, 900n]]);
  });

  it('meets nothing that was not foreseen', () => {
    expect(chain.errors).toEqual([]);
    expect(chain.devnet.app.unforeseen).toEqual([]);
  });
});

describe('ethers while txs wait', () => {
  it('counts them, and is told the nonce after them', async () => {
    const chain = await openEthereumDevnet({ makesBlocks: false });
    const { alice, bob, provider } = chain;
    const send = (nonce: number, value: bigint) => alice.sendTransaction({ to: bob.address, nonce, value });
    try {
      await send(0, 1n);
      await send(1, 1n);
      expect(await provider.getTransactionCount(alice.address, 'pending')).toBe(2);
      expect(await provider.getTransactionCount(alice.address)).toBe(0);
      await expect(send(0, 2n)).rejects.toMatchObject({
        code: 'NONCE_EXPIRED',
        info: { error: { code: -32000, message: 'nonce too low: next nonce 2, tx nonce 0' } },
      });
    } finally {
      await chain.close();
    }
  });
});

/** One tx of a block with all of them, in this order, which the mempool refuses. Answers their own hashes. */
async function sendTogether(
  { devnet }: EthereumDevnet,
  txs: readonly (readonly [Wallet, TransactionRequest])[],
): Promise<string[]> {
  const { codec, parameters } = devnet.app;
  const signed = await Promise.all(txs.map(([wallet, tx]) => wallet.signTransaction(tx)));
  const base64 = (hex: string) => Buffer.from(hex.slice(2), 'hex').toString('base64');
  const body = codec.encode('/cosmos.tx.v1beta1.TxBody', {
    messages: signed.map((raw, i) => ({
      '@type': '/cosmos.evm.vm.v1.MsgEthereumTx',
      from: base64(txs[i]?.[0].address ?? ''),
      raw: base64(raw),
    })),
    extension_options: [{ '@type': '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx' }],
  });
  const gas = txs.reduce((sum, [, { gasLimit }]) => sum + BigInt(gasLimit ?? 0), 0n);
  const fee = txs.reduce((sum, [, tx]) => sum + BigInt(tx.gasLimit ?? 0) * BigInt(tx.gasPrice ?? 0), 0n);
  const authInfo = codec.encode('/cosmos.tx.v1beta1.AuthInfo', {
    fee: { amount: [{ denom: parameters.gasDenom, amount: String(fee) }], gas_limit: String(gas) },
  });
  const tx = codec.encode('/cosmos.tx.v1beta1.TxRaw', {
    body_bytes: Buffer.from(body).toString('base64'),
    auth_info_bytes: Buffer.from(authInfo).toString('base64'),
  });
  expect(await devnet.chain.addTx(tx)).toMatchObject({
    code: 18,
    log: 'expected 1 message, got 5: invalid request',
  });
  await devnet.produceBlock({ txs: [tx] });
  return signed.map((raw) => Transaction.from(raw).hash ?? '');
}
