import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { Secp256k1, Secp256k1Signature, sha256 } from '@cosmjs/crypto';
import { DirectSecp256k1Wallet, makeAuthInfoBytes, makeSignDoc, Registry } from '@cosmjs/proto-signing';
import { defaultRegistryTypes } from '@cosmjs/stargate';
import { SignDoc, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { SigningKey } from 'ethers';
import { describe, expect, it } from 'vitest';
import { bech32Of, isSignatureOf, keyFromSeed, publicKeyJson } from '../../src/client/keys.ts';
import { signDocBytes } from '../../src/client/sign-direct.ts';
import { buildTx, signDocument, txHash } from '../../src/client/tx.ts';
import { openCodec } from '../../src/codec/codec.ts';
import type { JsonObject } from '../../src/proto-json.ts';

const codec = openCodec({ namespace: 'aeva' });
const key = keyFromSeed('secp256k1', 'alice');
const from = bech32Of('aeva', key);
const CHAIN = 'aeva-devnet-1';
const message = {
  '@type': '/cosmos.bank.v1beta1.MsgSend',
  from_address: from,
  to_address: 'b',
  amount: [{ denom: 'uusd', amount: '7' }],
};
const content = {
  messages: [message],
  fee: [{ denom: 'aaeva', amount: 100n }],
  gasLimit: 200_000n,
  memo: 'hi',
};

describe('a tx that is signed here', () => {
  it('is one that cosmjs reads and verifies', async () => {
    const signer = { key, accountNumber: 3n, sequence: 4n };
    const raw = TxRaw.decode(buildTx(codec, content, [signer], CHAIN));
    const registry = new Registry(defaultRegistryTypes);
    expect(registry.decodeTxBody(raw.bodyBytes).messages).toMatchObject([
      { fromAddress: from, toAddress: 'b', amount: [{ denom: 'uusd', amount: '7' }] },
    ]);
    const signDoc = makeSignDoc(raw.bodyBytes, raw.authInfoBytes, CHAIN, 3);
    const digest = sha256(SignDoc.encode(signDoc).finish());
    const signature = Secp256k1Signature.fromFixedLength(raw.signatures[0] ?? new Uint8Array());
    expect(await Secp256k1.verifySignature(signature, digest, key.publicKey)).toBe(true);
    const other = SignDoc.encode({ ...signDoc, accountNumber: 4n }).finish();
    expect(await Secp256k1.verifySignature(signature, sha256(other), key.publicKey)).toBe(false);
    // the auth info is cosmjs's, byte by byte
    const pubkey = {
      typeUrl: '/cosmos.crypto.secp256k1.PubKey',
      value: Buffer.from([0x0a, 33, ...key.publicKey]),
    };
    const coins = [{ denom: 'aaeva', amount: '100' }];
    const expected = makeAuthInfoBytes([{ pubkey, sequence: 4 }], coins, 200_000, undefined, undefined);
    expect(Buffer.from(raw.authInfoBytes).toString('hex')).toBe(Buffer.from(expected).toString('hex'));
  });

  it('with an Ethereum key is one whose signer ethers recovers from the Keccak-256 of the SignDoc', async () => {
    const { keccak256, computeAddress } = await import('ethers');
    const ethereum = keyFromSeed('eth_secp256k1', 'alice');
    const signer = { key: ethereum, accountNumber: 0n, sequence: 0n };
    const raw = TxRaw.decode(buildTx(codec, content, [signer], CHAIN));
    const document = signDocument(codec, content, [signer]);
    const digest = keccak256(signDocBytes(document, CHAIN, 0n));
    const compact = Buffer.from(raw.signatures[0] ?? []).toString('hex');
    const recovered = [0, 1].map((parity) => {
      const [r, s] = [`0x${compact.slice(0, 64)}`, `0x${compact.slice(64)}`];
      return computeAddress(SigningKey.recoverPublicKey(digest, { r, s, yParity: parity as 0 | 1 }));
    });
    const address = `0x${Buffer.from(ethereum.address).toString('hex')}`;
    expect(recovered.map((one) => one.toLowerCase())).toContain(address);
  });

  it('has a signature a signer, over one body', () => {
    const signers = [key, keyFromSeed('eth_secp256k1', 'bob')].map((one, i) => ({
      key: one,
      accountNumber: BigInt(i),
      sequence: 0n,
    }));
    const { signatures } = TxRaw.decode(buildTx(codec, content, signers, CHAIN));
    const document = signDocument(codec, content, signers);
    signers.forEach((signer, i) => {
      const bytes = signDocBytes(document, CHAIN, signer.accountNumber);
      expect(isSignatureOf(signer.key, bytes, signatures[i] ?? new Uint8Array(64))).toBe(true);
    });
  });

  it('is named by the SHA-256 of its bytes', () => {
    expect(txHash(Buffer.from('abc'))).toBe(
      'BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD',
    );
  });
});

describe('a tx that is signed elsewhere', () => {
  it('by cosmjs verifies here', async () => {
    const wallet = await DirectSecp256k1Wallet.fromKey(key.privateKey, 'aeva');
    expect((await wallet.getAccounts())[0]?.address).toBe(from);
    const signer = { key, accountNumber: 3n, sequence: 4n };
    const document = signDocument(codec, content, [signer]);
    const { signature } = await wallet.signDirect(
      from,
      makeSignDoc(document.bodyBytes, document.authInfoBytes, CHAIN, 3),
    );
    const bytes = Buffer.from(signature.signature, 'base64');
    expect(isSignatureOf(key, signDocBytes(document, CHAIN, 3n), bytes)).toBe(true);
    expect(isSignatureOf(key, signDocBytes(document, CHAIN, 4n), bytes)).toBe(false);
  });

  it('by the Ethereum keys of a real chain verifies here', () => {
    const verified = new Map<string, number>();
    for (const line of gunzipSync(readFileSync('test/fixtures/evmd/blocks.jsonl.gz'))
      .toString()
      .trimEnd()
      .split('\n')) {
      const { block, block_results } = JSON.parse(line);
      (block.block.data.txs as string[]).forEach((tx, i) => {
        if (block_results.txs_results?.[i]?.code !== 0) return;
        const type = verify(Buffer.from(tx, 'base64'));
        if (type !== undefined) verified.set(type, (verified.get(type) ?? 0) + 1);
      });
    }
    expect([...verified.keys()]).toEqual(['/cosmos.evm.crypto.v1.ethsecp256k1.PubKey']);
    for (const count of verified.values()) expect(count).toBeGreaterThan(100);
  });
});

/** The type of the key of a recorded tx with one signer in SIGN_MODE_DIRECT, once its signature has been verified. */
function verify(tx: Uint8Array): string | undefined {
  const raw = codec.decode('/cosmos.tx.v1beta1.TxRaw', tx);
  const [signature, second] = raw.signatures as string[];
  if (signature === undefined || second !== undefined) return undefined;
  const bodyBytes = Buffer.from(String(raw.body_bytes), 'base64');
  const authInfoBytes = Buffer.from(String(raw.auth_info_bytes), 'base64');
  const { signer_infos } = codec.decode('/cosmos.tx.v1beta1.AuthInfo', authInfoBytes) as {
    signer_infos: JsonObject[];
  };
  const { public_key, mode_info } = signer_infos[0] as {
    public_key: JsonObject | null;
    mode_info: JsonObject;
  };
  if (public_key === null || JSON.stringify(mode_info) !== '{"single":{"mode":"SIGN_MODE_DIRECT"}}')
    return undefined;
  const type = String(public_key['@type']);
  const algorithm = type.includes('ethsecp256k1') ? 'eth_secp256k1' : 'secp256k1';
  const publicKey = Buffer.from(String(public_key.key), 'base64');
  expect(publicKeyJson({ algorithm, publicKey })).toEqual(public_key);
  // the account's number is not in the tx: there are fewer than 200 accounts
  const isVerified = Array.from({ length: 200 }, (_, number) => BigInt(number)).some((number) =>
    isSignatureOf(
      { algorithm, publicKey },
      signDocBytes({ bodyBytes, authInfoBytes }, '9001', number),
      Buffer.from(signature, 'base64').subarray(0, 64),
    ),
  );
  expect(isVerified).toBe(true);
  return type;
}
