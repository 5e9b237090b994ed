import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountState as stateOf } from 'strata-kit/client/accounts';
import { bech32Of as bech32, evmAddressOf as evm, keyFromSeed, publicKeyJson } from 'strata-kit/client/keys';
import { txBytes } from 'strata-kit/client/sign-direct';
import { buildTx, txHash as hashOf } from 'strata-kit/client/tx';
import { openCodec } from 'strata-kit/codec/codec';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inclusionOf } from '../../../../test/support/inclusion.ts';
import { accountOf, bech32Of, evmAddressOf } from '../../../web/src/wallet/address.ts';
import { burnerWallet } from '../../../web/src/wallet/burner.ts';
import { type BurnerKey, burnerKeyOf, newBurnerKey } from '../../../web/src/wallet/burner-key.ts';
import { openChainTypes } from '../../../web/src/wallet/chain-types.ts';
import type { Message } from '../../../web/src/wallet/json.ts';
import {
  accountState,
  type ChainAccess,
  ChainRefusal,
  NoAccount,
  type PreparedTx,
  prepareTx,
  queryChain,
  renewTx,
} from '../../../web/src/wallet/prepare.ts';
import { signDocument, txHash } from '../../../web/src/wallet/tx.ts';
import { type DevnetChain, FAUCET, openDevnetChain } from '../../app/support/devnet-chain.ts';

const DESCRIPTORS = readFileSync(join(import.meta.dirname, '../../../../kit/descriptors.binpb'));
const ID = 'ab'.repeat(32);
const key = keyFromSeed('eth_secp256k1', 'strata/test/wallet');
const ada = bech32('aeva', key);
const ben = bech32('aeva', keyFromSeed('eth_secp256k1', 'strata/test/wallet/ben'));

function burnerOf(privateKey: Uint8Array): BurnerKey {
  const burner = burnerKeyOf(Buffer.from(privateKey).toString('hex'));
  if (burner === undefined) throw new Error('no key');
  return burner;
}
const burner = burnerOf(key.privateKey);

/** One of each message that the pages sign. */
function messages(ns: string): Message[] {
  return [
    {
      '@type': '/cosmos.bank.v1beta1.MsgSend',
      from_address: ada,
      to_address: ben,
      amount: [
        { denom: 'aaeva', amount: '1' },
        { denom: 'uusd', amount: '340282366920938463463374607431768211456' },
      ],
    },
    { '@type': `/${ns}.rights.v1.MsgTransfer`, from: ada, asset_id: ID, kind_id: 2, to: ben, units: '7' },
    {
      '@type': `/${ns}.payout.v1.MsgClaim`,
      claimant: ada,
      asset_id: ID,
      kind_id: 0,
      denom: 'uusd',
      ref: 'encumbrance/7',
    },
    {
      '@type': `/${ns}.payout.v1.MsgDistribute`,
      payer: ada,
      asset_id: ID,
      kind_id: 1,
      amount: { denom: 'uusd', amount: '100' },
    },
    { '@type': `/${ns}.settlement.v1.MsgAccept`, counterparty: ada, id: '18446744073709551615' },
    { '@type': `/${ns}.settlement.v1.MsgCancel`, actor: ada, id: '9' },
    {
      '@type': `/${ns}.asset.v1.MsgCreateAsset`,
      issuer: ada,
      meta_hash: Buffer.alloc(32, 7).toString('base64'),
      settlement_denom: 'uusd',
      kinds: [
        { class: 'KIND_CLASS_REDEMPTION', decimals: 6, bundle: true, transferable: true, multiplier: '1' },
        {
          class: 'KIND_CLASS_INCOME',
          decimals: 6,
          bundle: true,
          transferable: true,
          multiplier: '1',
          term: { starts_at: '2026-11-22T00:00:00Z', ends_at: '2027-01-01T23:59:59.5Z' },
        },
      ],
    },
    {
      '@type': `/${ns}.rights.v1.MsgIssue`,
      issuer: ada,
      asset_id: ID,
      kind_id: 0,
      recipient: ada,
      units: '1000000',
    },
    { '@type': `/${ns}.asset.v1.MsgLockIssuance`, issuer: ada, asset_id: ID },
  ];
}

describe.each(['aeva', 'other'])('a tx of the browser on a chain of %s', (namespace) => {
  const types = openChainTypes(DESCRIPTORS, namespace);
  const codec = openCodec({ namespace });
  const wallet = burnerWallet(burner, 'aeva');

  it.each([...messages(namespace).map((message) => [message]), messages(namespace)])(
    'has the bytes that the command line makes: $@type',
    async (...said) => {
      const content = {
        messages: said,
        memo: 'a memo ✓',
        gasLimit: 123_456n,
        fee: [{ denom: 'aaeva', amount: '123456000000000' }],
        timeoutHeight: 77n,
      };
      const signer = { publicKey: burner.publicKey, accountNumber: 12n, sequence: 34n };
      const signed = await wallet.sign(signDocument(types, content, signer, 'aeva_9111-1'));
      const bytes = txBytes(signed, [signed.signature]);
      const expected = buildTx(
        codec,
        { ...content, fee: [{ denom: 'aaeva', amount: 123456000000000n }] },
        [{ key, accountNumber: 12n, sequence: 34n }],
        'aeva_9111-1',
      );
      expect(Buffer.from(bytes).toString('hex')).toBe(Buffer.from(expected).toString('hex'));
      expect(txHash(bytes)).toBe(hashOf(expected));
    },
  );

  it('refuses a field that a message has not', () => {
    expect(() => types.encode(`${namespace}.payout.v1.MsgClaim`, { claimer: ada })).toThrow(/claimer/);
    expect(() => types.encode(`${namespace}.payout.v1.MsgTake`, {})).toThrow(/no type/);
  });
});

describe('the key of a burner wallet', () => {
  it('has the account, the public key and the signatures of the command line for fifty keys', () => {
    for (let i = 0; i < 50; i++) {
      const other = keyFromSeed('eth_secp256k1', 'strata/test/keys', i);
      const mine = burnerOf(other.privateKey);
      expect(bech32Of('aeva', mine.account)).toBe(bech32('aeva', other));
      expect(evmAddressOf(mine.account)).toBe(evm(other));
      expect(mine.publicKey).toEqual(publicKeyJson(other));
    }
  });

  it('is made of the randomness that is given, and never of what is no key', () => {
    const order = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
    const draws = ['00'.repeat(32), order, '01'.repeat(32)];
    const made = newBurnerKey((bytes) => bytes.set(Buffer.from(draws.shift() ?? '', 'hex')));
    expect(made.privateKey).toBe('01'.repeat(32));
    expect(() => newBurnerKey((bytes) => bytes.fill(0))).toThrow(/randomness/);
    for (const text of ['', 'ab', `${'ab'.repeat(32)}00`, 'zz'.repeat(32), '00'.repeat(32), order]) {
      expect(burnerKeyOf(text)).toBeUndefined();
    }
    expect(burnerKeyOf(` 0x${'AB'.repeat(32)}\n`)?.privateKey).toBe('ab'.repeat(32));
  });
});

describe('an address that somebody types', () => {
  it('is either form of the account, with its checksum', () => {
    const hex = evm(key);
    for (const text of [ada, ` ${ada} `, hex, hex.toLowerCase()]) {
      expect(Buffer.from(accountOf(text, 'aeva') ?? [])).toEqual(Buffer.from(key.address));
    }
    const wrongCase = hex.replace(/[a-fA-F]/, (digit) =>
      digit === digit.toLowerCase() ? digit.toUpperCase() : digit.toLowerCase(),
    );
    for (const text of [
      '',
      'ada',
      ada.slice(0, -1),
      ada.replace(/.$/, 'x'),
      ada.replace('aeva1', 'other1'),
      wrongCase,
    ]) {
      expect(accountOf(text, 'aeva'), text).toBeUndefined();
    }
  });
});

describe('a real chain', () => {
  const types = openChainTypes(DESCRIPTORS, 'aeva');
  const faucet = burnerOf(FAUCET.privateKey);
  let chain: DevnetChain;
  let access: ChainAccess;
  beforeAll(async () => {
    // a block when there is a tx: by the clock, a busy machine would pass a tx's timeout height before it is sent
    chain = await openDevnetChain({ blockTimeMs: 0 });
    const { node } = chain.chain;
    access = {
      query: (path, data) => node.query(path, data),
      broadcast: (tx) => node.broadcast(tx),
    };
    await chain.devnet.start();
  });
  afterAll(() => chain.close());

  const by = (wallet: { address: string; publicKey: Message }) => ({
    address: wallet.address,
    publicKey: wallet.publicKey,
    chainId: chain.chain.facts.chainId,
    gasDenom: 'aaeva',
    minGasPrice: chain.chain.facts.minGasPrice,
  });

  it('takes what the browser signs, at the gas that it foretold', async () => {
    const wallet = burnerWallet(faucet, 'aeva');
    const amount = [
      { denom: 'aaeva', amount: '1000000000000000000' },
      { denom: 'uusd', amount: '5' },
    ];
    const send = {
      '@type': '/cosmos.bank.v1beta1.MsgSend',
      from_address: wallet.address,
      to_address: ada,
      amount,
    };
    const prepared = await prepareTx(types, access, [send], by(wallet));
    const signed = await wallet.sign(prepared.document);
    const told = await access.broadcast(txBytes(signed, [signed.signature]));
    expect(told).toMatchObject({ code: 0, log: '' });
    const included = await inclusionOf(chain.chain.node, told.hash, 20_000);
    expect(included.code).toBe(0);
    expect(included.gasUsed).toBeLessThanOrEqual(prepared.content.gasLimit);
    expect(await chain.balance(ada, 'uusd')).toBe(5n);
    const balances = await queryChain(types, access, '/cosmos.bank.v1beta1.Query/AllBalances', {
      address: ada,
    });
    expect(balances.balances).toEqual(amount);
  });

  it('takes what was read for long once it is made anew, and what is signed stays what was shown', async () => {
    const wallet = burnerWallet(faucet, 'aeva');
    const send = (uusd: string) => ({
      '@type': '/cosmos.bank.v1beta1.MsgSend',
      from_address: wallet.address,
      to_address: ada,
      amount: [{ denom: 'uusd', amount: uusd }],
    });
    const broadcast = async ({ document }: PreparedTx) => {
      const signed = await wallet.sign(document);
      return await access.broadcast(txBytes(signed, [signed.signature]));
    };
    const [shown, other] = [
      await prepareTx(types, access, [send('6')], by(wallet)),
      await prepareTx(types, access, [send('7')], by(wallet)),
    ];
    const { hash, code } = await broadcast(other);
    expect(code).toBe(0);
    await inclusionOf(chain.chain.node, hash, 20_000);
    expect(await broadcast(shown)).toMatchObject({ log: expect.stringMatching(/sequence mismatch/) });
    const renewed = await renewTx(types, access, shown, by(wallet));
    expect(renewed.content).toEqual({ ...shown.content, timeoutHeight: renewed.content.timeoutHeight });
    expect(renewed.content.timeoutHeight).toBeGreaterThan(shown.content.timeoutHeight);
    const told = await broadcast(renewed);
    expect((await inclusionOf(chain.chain.node, told.hash, 20_000)).code).toBe(0);
    expect(await chain.balance(ada, 'uusd')).toBe(18n);
  });

  it('tells the state of an account as the command line reads it, and who has none', async () => {
    const mine = await accountState(types, access, ada);
    const known = await stateOf(chain.chain.codec, chain.chain.node, ada);
    expect(known).toMatchObject({ number: mine?.number, sequence: mine?.sequence });
    expect(await accountState(types, access, ben)).toBeUndefined();
    const nobody = burnerWallet(burnerOf(keyFromSeed('eth_secp256k1', 'nobody').privateKey), 'aeva');
    const claim = {
      '@type': '/aeva.payout.v1.MsgClaim',
      claimant: nobody.address,
      asset_id: ID,
      denom: 'uusd',
    };
    await expect(prepareTx(types, access, [claim], by(nobody))).rejects.toBeInstanceOf(NoAccount);
  });

  it('refuses in the simulation what it would refuse in a block', async () => {
    const wallet = burnerWallet(burner, 'aeva');
    const claim = { '@type': '/aeva.payout.v1.MsgClaim', claimant: ada, asset_id: ID, denom: 'uusd' };
    const refused = prepareTx(types, access, [claim], by(wallet));
    await expect(refused).rejects.toBeInstanceOf(ChainRefusal);
    await expect(refused).rejects.toThrow(/unknown asset/);
  });
});
