import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { ChainError } from 'strata-kit/chain-error';
import { bech32Of, keyFromSeed } from 'strata-kit/client/keys';
import { buildTx } from 'strata-kit/client/tx';
import { openCodec } from 'strata-kit/codec/codec';
import { describe, expect, it } from 'vitest';
import { decodeTx } from '../../src/app/tx.ts';
import { PARAMETERS } from '../support/context.ts';

const codec = openCodec({ namespace: 'aeva' });
const key = keyFromSeed('secp256k1', 'abc');
const from = bech32Of('aeva', key);
const send = { '@type': '/cosmos.bank.v1beta1.MsgSend', from_address: from, to_address: from, amount: [] };
const content = { messages: [send], fee: [], gasLimit: 1n, memo: 'x'.repeat(200) };
const tx = buildTx(codec, content, [{ key, accountNumber: 0n, sequence: 0n }], 'c');

function field(no: number, bytes: Uint8Array, more = 0): Buffer {
  const { length } = bytes;
  const low =
    length < 128 && more === 0 ? [length] : [(length & 127) | 128, (length >> 7) | (more > 0 ? 128 : 0)];
  return Buffer.concat([Buffer.from([no * 8 + 2, ...low, ...(more > 0 ? [0] : [])]), bytes]);
}

const raw = codec.decode('/cosmos.tx.v1beta1.TxRaw', tx);
const part = (text: unknown) => Buffer.from(String(text), 'base64');
const body = part(raw.body_bytes);
const authInfo = part(raw.auth_info_bytes);
const signature = part((raw.signatures as string[])[0]);

function refusal(bytes: Uint8Array): string {
  try {
    decodeTx(codec, PARAMETERS, bytes);
  } catch (error) {
    if (error instanceof ChainError && error.codespace === 'sdk' && error.code === 2) return error.message;
    throw error;
  }
  return '';
}

describe('a TxRaw', () => {
  it('is taken as ADR-027 writes it', () => {
    const bytes = Buffer.concat([field(1, body), field(2, authInfo), field(3, signature)]);
    expect(bytes.equals(tx)).toBe(true);
    expect(body.length).toBeGreaterThan(128);
    expect(decodeTx(codec, PARAMETERS, bytes)).toMatchObject({ signers: [from], memo: content.memo });
    expect(refusal(Buffer.concat([bytes, field(3, signature)]))).toBe('');
  });

  it.each<[what: string, parts: readonly Buffer[], reason: string]>([
    [
      'in another order',
      [field(2, authInfo), field(1, body), field(3, signature)],
      'in their order, each once',
    ],
    [
      'with a part twice',
      [field(1, body), field(1, body), field(2, authInfo), field(3, signature)],
      'each once',
    ],
    [
      'with a longer length',
      [field(1, body, 1), field(2, authInfo), field(3, signature)],
      'as short as they can',
    ],
    [
      'with another field',
      [field(1, body), field(2, authInfo), field(3, signature), field(4, signature)],
      'errUnknownField',
    ],
    ['with a number for a part', [Buffer.from('0805', 'hex')], 'errUnknownField'],
    ['that is cut', [field(1, body).subarray(0, 50)], 'tx parse error'],
  ])('%s is none', (_, parts, reason) => {
    expect(refusal(Buffer.concat(parts))).toContain(reason);
  });

  it('with an unknown field in what is signed is none', () => {
    const bytes = [
      field(1, Buffer.concat([body, Buffer.from('5001', 'hex')])),
      field(2, authInfo),
      field(3, signature),
    ];
    expect(refusal(Buffer.concat(bytes))).toBe(
      'errUnknownField "/cosmos.tx.v1beta1.TxBody": {TagNum: 10, WireType:"varint"}: tx parse error',
    );
  });
});

describe('a tx with very many fields', () => {
  /** A body whose one message has so many empty coins: two bytes each. */
  const bytesOf = (coins: number) => {
    const typeUrl = Buffer.from('/cosmos.bank.v1beta1.MsgSend');
    const message = Buffer.from('1a00'.repeat(coins), 'hex');
    const long = (no: number, bytes: Buffer) =>
      Buffer.concat([new BinaryWriter().tag(no, WireType.LengthDelimited).bytes(bytes).finish()]);
    return long(1, long(1, Buffer.concat([long(1, typeUrl), long(2, message)])));
  };
  const refused = (coins: number) => {
    try {
      decodeTx(codec, PARAMETERS, bytesOf(coins));
    } catch (error) {
      if (error instanceof ChainError) return `${error.codespace}/${error.code}: ${error.message}`;
      throw error;
    }
    return '';
  };

  it('is refused before it is decoded', () => {
    // the message, its two parts and its coins
    expect(refused(9_998)).toBe('sdk/21: Tx too large. It has more than 10000 fields: tx too large');
    expect(refused(9_997)).toContain('sdk/2: invalid signer address');
  });

  it('has as many as it holds, packed numbers and deep messages too', () => {
    const count = (typeUrl: string, hex: string, most = 100) =>
      codec.countFields(typeUrl, Buffer.from(hex, 'hex'), most);
    expect(count('/cosmos.tx.v1beta1.AuthInfo', '')).toBe(0);
    // a fee with two coins and a gas limit: fee, coins, their two texts each, the limit
    const fee = { amount: ['a', 'b'].map((denom) => ({ denom, amount: '1' })), gas_limit: '5' };
    const info = Buffer.from(codec.encode('/cosmos.tx.v1beta1.AuthInfo', { fee })).toString('hex');
    expect(count('/cosmos.tx.v1beta1.AuthInfo', info)).toBe(8);
    expect(count('/cosmos.tx.v1beta1.AuthInfo', info, 3)).toBe(4);
    // extra_eips, three packed numbers
    expect(count('/cosmos.evm.vm.v1.Params', '2203010203')).toBe(4);
    // cut in the middle: what was read
    expect(count('/cosmos.tx.v1beta1.AuthInfo', info.slice(0, -4))).toBeLessThan(8);
  });
});

describe('the envelope of an Ethereum tx, which no signature covers', () => {
  const extension = { '@type': '/cosmos.evm.vm.v1.ExtensionOptionsEthereumTx' };
  const message = { '@type': '/cosmos.evm.vm.v1.MsgEthereumTx', from: '', raw: 'AQ==' };
  const one = codec.encode('/cosmos.tx.v1beta1.TxBody', {
    messages: [message],
    extension_options: [extension],
  });
  const fee = { amount: [{ denom: 'aaeva', amount: '7' }], gas_limit: '5' };
  const info = codec.encode('/cosmos.tx.v1beta1.AuthInfo', { fee });
  const bytesOf = (bodyBytes: Uint8Array, infoBytes: Uint8Array) =>
    Buffer.concat([field(1, bodyBytes), field(2, infoBytes)]);
  const bodyOf = (more: object) =>
    codec.encode('/cosmos.tx.v1beta1.TxBody', {
      messages: [message],
      extension_options: [extension],
      ...more,
    });

  it('has one form', () => {
    expect(refusal(bytesOf(one, info))).toBe('');
  });

  it.each<[what: string, bodyBytes: Uint8Array, infoBytes: Uint8Array, reason: string]>([
    [
      'a non-critical option',
      bodyOf({ non_critical_extension_options: [extension] }),
      info,
      'no NonCritical',
    ],
    [
      'an unknown field that may be passed over',
      Buffer.concat([one, Buffer.from('804001', 'hex')]),
      info,
      'shortest',
    ],
    ['a time for txs without order', bodyOf({ unordered: true }), info, 'no Unordered'],
    [
      'the fee in two coins',
      one,
      codec.encode('/cosmos.tx.v1beta1.AuthInfo', {
        fee: { ...fee, amount: [...fee.amount, { denom: 'aaeva', amount: '0' }] },
      }),
      'no a second fee coin',
    ],
    ['a second fee that adds nothing', one, Buffer.concat([info, Buffer.from('1200', 'hex')]), 'shortest'],
    ['fields of the body in another order', reordered(one), info, 'shortest'],
  ])('with %s, which would give it another hash, is none', (_, bodyBytes, infoBytes, reason) => {
    expect(refusal(bytesOf(bodyBytes, infoBytes))).toContain(reason);
  });
});

/** The message behind the option: both are length-delimited, the first has a tag of one byte and a length of one. */
function reordered(bodyBytes: Uint8Array): Uint8Array {
  const end = 2 + (bodyBytes[1] ?? 0);
  return Buffer.concat([bodyBytes.subarray(end), bodyBytes.subarray(0, end)]);
}
