import { join } from 'node:path';
import { DirectSecp256k1Wallet, type GeneratedType, Registry } from '@cosmjs/proto-signing';
import {
  calculateFee,
  coins,
  defaultRegistryTypes,
  GasPrice,
  SigningStargateClient,
  StargateClient,
  TimeoutError,
} from '@cosmjs/stargate';
import protobuf from 'protobufjs';
import { HeaderHasher, resultsHash, txsHash } from 'strata-kit/block-hash';
import { sha256 } from 'strata-kit/hash';
import { readHashedHeader } from 'strata-kit/hashed-header';
import type { RpcServer } from 'strata-kit/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Devnet, openDevnet } from '../../src/devnet.ts';
import { startRpc } from '../../src/rpc/server.ts';

/** The RPC over a devnet, for clients of another house that know nothing of it. */

const ROOT = join(import.meta.dirname, '..', '..', '..');
const FEE = calculateFee(200_000, GasPrice.fromString('1000000000aaeva'));

let devnet: Devnet;
let rpc: RpcServer;
const errors: unknown[] = [];
const [ann, ben, nobody] = (await Promise.all(
  [1, 2, 3].map((byte) => DirectSecp256k1Wallet.fromKey(new Uint8Array(32).fill(byte), 'aeva')),
)) as [DirectSecp256k1Wallet, DirectSecp256k1Wallet, DirectSecp256k1Wallet];
const [annAddress, benAddress, nobodyAddress] = (await Promise.all(
  [ann, ben, nobody].map(async (wallet) => (await wallet.getAccounts())[0]?.address ?? ''),
)) as [string, string, string];

beforeAll(async () => {
  devnet = await openDevnet({
    clock: 'simulated',
    blockTimeMs: 0,
    accounts: [annAddress, benAddress].map((address) => ({
      address,
      coins: [
        { denom: 'aaeva', amount: 10n ** 18n },
        { denom: 'uusd', amount: 1_000n },
      ],
    })),
  });
  rpc = await startRpc({ chain: devnet.chain, port: 0, onError: (error) => errors.push(error) });
  await devnet.produceBlock();
  devnet.start();
});

afterAll(async () => {
  await rpc.close();
  await devnet.stop();
  expect(errors).toEqual([]);
});

/** A registry as an application has it: the chain's own .proto files, read by protobufjs. */
function registry(): Registry {
  const root = new protobuf.Root();
  root.resolvePath = (_, target) =>
    join(ROOT, target.startsWith('google/') ? 'node_modules/protobufjs' : 'proto', target);
  root.loadSync('aeva/attestation/v1/tx.proto');
  const type = root.lookupType('aeva.attestation.v1.MsgAttest') as unknown as GeneratedType;
  return new Registry([...defaultRegistryTypes, ['/aeva.attestation.v1.MsgAttest', type]]);
}

describe.each([
  ['HTTP', () => rpc.url, 11],
  ['the websocket', () => rpc.url.replace('http', 'ws'), 13],
])('cosmjs over %s', (_, url, amount) => {
  it('signs, sends and finds what it sent', async () => {
    const signer = await SigningStargateClient.connectWithSigner(url(), ann, {
      registry: registry(),
      broadcastPollIntervalMs: 20,
    });
    // over a websocket cosmjs waits for ever when its first call comes after the connection, so each asks at once
    expect(await signer.getChainId()).toBe('aeva_9111-1');
    const reader = await StargateClient.connect(url());
    expect(await reader.getChainId()).toBe('aeva_9111-1');
    expect(await reader.getHeight()).toBeGreaterThanOrEqual(1);
    const before = await reader.getBalance(benAddress, 'uusd');
    const { sequence, accountNumber } = await reader.getSequence(annAddress);

    const sent = await signer.sendTokens(
      annAddress,
      benAddress,
      coins(amount, 'uusd'),
      FEE,
      'a <memo> & more',
    );
    expect(sent).toMatchObject({ code: 0, gasWanted: 200_000n });
    expect(sent.msgResponses.map(({ typeUrl }) => typeUrl)).toEqual(['/cosmos.bank.v1beta1.MsgSendResponse']);
    expect(sent.events).toContainEqual({
      type: 'transfer',
      attributes: [
        { key: 'recipient', value: benAddress },
        { key: 'sender', value: annAddress },
        { key: 'amount', value: `${amount}uusd` },
        { key: 'msg_index', value: '0' },
      ],
    });
    expect((await reader.getBalance(benAddress, 'uusd')).amount).toBe(String(Number(before.amount) + amount));
    expect(await reader.getAccount(annAddress)).toMatchObject({
      address: annAddress,
      accountNumber,
      sequence: sequence + 1,
      pubkey: { type: 'tendermint/PubKeySecp256k1' },
    });
    expect(await reader.getAccount(nobodyAddress)).toBeNull();

    const found = await reader.getTx(sent.transactionHash);
    expect(found).toMatchObject({
      hash: sent.transactionHash,
      height: sent.height,
      txIndex: sent.txIndex,
      code: 0,
    });
    expect((await reader.searchTx(`tx.height=${sent.height}`)).map(({ hash }) => hash)).toContain(
      sent.transactionHash,
    );
    expect(await reader.getTx('00'.repeat(32))).toBeNull();
    const block = await reader.getBlock(sent.height);
    expect(block.header).toMatchObject({ chainId: 'aeva_9111-1', height: sent.height });
    expect(block.txs[sent.txIndex]).toEqual(found?.tx);

    signer.disconnect();
    reader.disconnect();
  });

  it('signs messages of the modules', async () => {
    const signer = await SigningStargateClient.connectWithSigner(url(), ann, {
      registry: registry(),
      broadcastPollIntervalMs: 20,
    });
    const value = {
      attester: annAddress,
      subject: benAddress,
      type: 'accredited',
      expiry: { seconds: 1_900_000_000, nanos: 5 },
      evidenceHash: new Uint8Array(32).fill(amount),
    };
    const message = { typeUrl: '/aeva.attestation.v1.MsgAttest', value };
    const result = await signer.signAndBroadcast(annAddress, [message, message], FEE);
    expect(result).toMatchObject({ code: 0 });
    const attested = result.events.filter(({ type }) => type === 'aeva.attestation.v1.EventAttested');
    expect(
      attested.map(({ attributes }) => attributes.map(({ key, value: text }) => `${key} ${text}`)),
    ).toEqual(
      ['0', '1'].map((index) => [
        `attester "${annAddress}"`,
        `evidence_hash "${Buffer.alloc(32, amount).toString('base64')}"`,
        'expiry "2030-03-17T17:46:40.000000005Z"',
        `subject "${benAddress}"`,
        'type "accredited"',
        `msg_index ${index}`,
      ]),
    );
    signer.disconnect();
  });

  it('learns why a tx is refused, and why one fails', async () => {
    const signer = await SigningStargateClient.connectWithSigner(url(), ann, { broadcastPollIntervalMs: 20 });
    const poor = { ...FEE, amount: coins(1, 'aaeva') };
    await expect(signer.sendTokens(annAddress, benAddress, coins(1, 'uusd'), poor)).rejects.toThrow(
      'insufficient fees; got: 1aaeva required: 200000000000000aaeva: insufficient fee',
    );
    const failed = await signer.sendTokens(annAddress, benAddress, coins(5_000, 'uusd'), FEE);
    expect(failed).toMatchObject({ code: 5 });
    expect(failed.rawLog).toContain('spendable balance');
    const gas = await signer.simulate(
      annAddress,
      [
        {
          typeUrl: '/cosmos.bank.v1beta1.MsgSend',
          value: { fromAddress: annAddress, toAddress: benAddress, amount: coins(1, 'uusd') },
        },
      ],
      '',
    );
    expect(gas).toBeGreaterThan(10_000);
    signer.disconnect();
  });

  it('is told that a known tx is known', async () => {
    const signer = await SigningStargateClient.connectWithSigner(url(), ben, { broadcastPollIntervalMs: 20 });
    const bytes = await signer.sign(
      benAddress,
      [
        {
          typeUrl: '/cosmos.bank.v1beta1.MsgSend',
          value: { fromAddress: benAddress, toAddress: annAddress, amount: coins(1, 'uusd') },
        },
      ],
      FEE,
      `over ${url()}`,
    );
    const raw = signer.broadcastTx.bind(signer);
    const { TxRaw } = await import('cosmjs-types/cosmos/tx/v1beta1/tx');
    const encoded = TxRaw.encode(bytes).finish();
    const done = await raw(encoded, 10_000, 20);
    expect(done.code).toBe(0);
    await expect(raw(encoded, 1_000, 20)).rejects.not.toBeInstanceOf(TimeoutError);
    await expect(raw(encoded, 1_000, 20)).rejects.toThrow('tx already exists in cache');
    signer.disconnect();
  });
});

describe('its blocks', () => {
  it('are bound by the hashes that an indexer verifies', async () => {
    const result = async <T>(path: string): Promise<T> =>
      ((await (await fetch(rpc.url + path)).json()) as { result: T }).result;
    const hex = (latin1: string) => Buffer.from(latin1, 'latin1').toString('hex').toUpperCase();
    const head = devnet.chain.latestHeight();
    expect(head).toBeGreaterThan(5);
    const hasher = new HeaderHasher();
    let parent = '';
    let lastResults: string | undefined;
    let appHash: string | undefined;
    let txs = 0;
    for (let height = 1; height <= head; height++) {
      const { block, block_id } = await result<{
        block: { header: Record<string, unknown>; data: { txs: string[] } };
        block_id: { hash: string };
      }>(`/block?height=${height}`);
      const { txs_results, app_hash } = await result<{
        txs_results: { code: number; data: string | null; gas_wanted: string; gas_used: string }[] | null;
        app_hash: string;
      }>(`/block_results?height=${height}`);
      const header = readHashedHeader(block.header);
      if (header === undefined) throw new Error('a header without its time');
      expect(hex(hasher.hash(header))).toBe(block_id.hash);
      expect(header.parentHash).toBe(parent);
      expect(block.header.data_hash).toBe(
        hex(txsHash(block.data.txs.map((tx) => sha256(Buffer.from(tx, 'base64'))))),
      );
      if (lastResults !== undefined) expect(block.header.last_results_hash).toBe(lastResults);
      if (appHash !== undefined) expect(block.header.app_hash).toBe(appHash);
      parent = block_id.hash;
      appHash = Buffer.from(app_hash, 'base64').toString('hex').toUpperCase();
      lastResults = hex(
        resultsHash(
          (txs_results ?? []).map(({ code, data, gas_wanted, gas_used }) => ({
            code,
            data: data ?? '',
            gasWanted: BigInt(gas_wanted),
            gasUsed: BigInt(gas_used),
          })),
        ),
      );
      txs += block.data.txs.length;
    }
    expect(txs).toBe(8);
  });
});
