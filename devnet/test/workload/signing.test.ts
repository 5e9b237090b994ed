import { DirectSecp256k1Wallet } from '@cosmjs/proto-signing';
import { SignDoc, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { hexlify, Interface, Transaction } from 'ethers';
import { signTx } from 'strata-kit/client/tx';
import { describe, expect, it } from 'vitest';
import { encodeCall } from '../../src/workload/abi.ts';
import { serviceAccount, workloadAccounts } from '../../src/workload/accounts.ts';
import { ETHEREUM_TX_TYPES, type EthereumTx, signEthereumPayload } from '../../src/workload/sign-ethereum.ts';

/** Keys and signatures against cosmjs and ethers. */

const [cosmosKey, ethereumKey] = workloadAccounts('7', 'aeva');
if (cosmosKey === undefined || ethereumKey === undefined) throw new Error('no accounts');

describe('the accounts', () => {
  it('that serve the chain have known addresses', () => {
    // by ethers' computeAddress and cosmjs' DirectSecp256k1Wallet over sha256('strata/devnet/service/<name>')
    expect(serviceAccount('faucet', 'aeva').evmAddress).toBe('0x806d9bC1E2AC1889129d862EA5be5C97F7511FA5');
    expect(serviceAccount('bridge-authority', 'aeva').address).toBe(
      'aeva1e3f3u56nz9peqhs3mmrrqpy45c56awvtzl0d0a',
    );
    expect(serviceAccount('relayer', 'aeva').address).toBe('aeva1ea3ewq5zncp78x6hmgpp7v0hp5afduzc8je7u8');
  });

  it('of a seed are of both kinds, each with its own key', () => {
    expect([cosmosKey.algorithm, cosmosKey.address]).toEqual([
      'secp256k1',
      'aeva1wyscul2xm806hm8u7k4863wq72pfvjr5f9nugf',
    ]);
    expect([ethereumKey.algorithm, ethereumKey.evmAddress]).toEqual([
      'eth_secp256k1',
      '0xFEABdF53B4e16372736929132461c1Db1cd6f444',
    ]);
    const addresses = ['7', '8'].flatMap((seed) =>
      workloadAccounts(seed, 'aeva').map(({ address }) => address),
    );
    expect(new Set(addresses).size).toBe(addresses.length);
  });
});

describe('a Cosmos tx', () => {
  const tx = {
    messages: [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: Uint8Array.of(10, 1, 97) }],
    fee: [{ denom: 'aaeva', amount: 400_000n }],
    gasLimit: 200_000n,
    memo: 'a memo',
    timeoutHeight: 77n,
  };
  const signer = { key: cosmosKey, accountNumber: 12n, sequence: 300n };

  it('reads as cosmjs has it, and has the signature that cosmjs makes', async () => {
    const raw = TxRaw.decode(signTx(tx, [signer], 'aeva_9111-1'));
    const wallet = await DirectSecp256k1Wallet.fromKey(cosmosKey.privateKey, 'aeva');
    const doc = SignDoc.fromPartial({
      bodyBytes: raw.bodyBytes,
      authInfoBytes: raw.authInfoBytes,
      chainId: 'aeva_9111-1',
      accountNumber: 12n,
    });
    const { signature } = await wallet.signDirect(cosmosKey.address, doc);
    expect(raw.signatures.map((each) => Buffer.from(each).toString('base64'))).toEqual([signature.signature]);
  });

  it('of several signers has a signature each', () => {
    const second = { key: ethereumKey, accountNumber: 0n, sequence: 0n };
    const raw = TxRaw.decode(signTx(tx, [signer, second], 'aeva_9111-1'));
    expect(raw.signatures.map(({ length }) => length)).toEqual([64, 64]);
  });
});

describe('an Ethereum tx', () => {
  const tx: EthereumTx = {
    type: 'legacy',
    from: ethereumKey,
    nonce: 130n,
    chainId: 9_111n,
    to: Buffer.alloc(20, 0x22),
    value: 10n ** 18n,
    data: Uint8Array.of(1, 2, 3, 4),
    gasLimit: 21_000n,
    gasPrice: 1_000_000_000n,
    gasDenom: 'aaeva',
  };

  it.each(ETHEREUM_TX_TYPES)('of type %s is read by ethers, with its sender', (type) => {
    const read = Transaction.from(hexlify(signEthereumPayload({ ...tx, type })));
    expect(read.from).toBe(ethereumKey.evmAddress);
    expect([read.type, read.nonce, read.value, read.data, read.chainId]).toEqual([
      ETHEREUM_TX_TYPES.indexOf(type),
      130,
      10n ** 18n,
      '0x01020304',
      9_111n,
    ]);
    expect(Transaction.from(hexlify(signEthereumPayload({ ...tx, type, to: undefined }))).to).toBeNull();
  });
});

it('a call is encoded as ethers encodes it', () => {
  const [a, b, word] = [
    new Uint8Array(20).fill(0x11),
    new Uint8Array(20).fill(0xfe),
    new Uint8Array(32).fill(0xab),
  ];
  for (const [signature, values] of [
    ['deposit()', []],
    ['transfer(address,uint256)', [a, 2n ** 256n - 1n]],
    ['swap(uint256,address[],address,uint256)', [1n, [a, b], b, 9n]],
    ['fail(string)', ['Reverter: «да»']],
    ['fail(string)', ['']],
    ['mixed(string,bytes32,bool,address[])', ['x'.repeat(33), word, true, []]],
  ] as const) {
    const asEthers = values.map((value) =>
      Array.isArray(value) ? value.map(hexlify) : value instanceof Uint8Array ? hexlify(value) : value,
    );
    const name = signature.slice(0, signature.indexOf('('));
    const expected = new Interface([`function ${signature}`]).encodeFunctionData(name, asEthers);
    expect(hexlify(encodeCall(signature, values))).toBe(expected);
  }
});
