import { readFileSync } from 'node:fs';
import { SendAuthorization } from 'cosmjs-types/cosmos/bank/v1beta1/authz';
import { PeriodicAllowance } from 'cosmjs-types/cosmos/feegrant/v1beta1/feegrant';
import { StakeAuthorization } from 'cosmjs-types/cosmos/staking/v1beta1/authz';
import { MsgCreateValidator, MsgEditValidator } from 'cosmjs-types/cosmos/staking/v1beta1/tx';
import { ConsensusState } from 'cosmjs-types/ibc/lightclients/tendermint/v1/tendermint';
import protobuf from 'protobufjs';
import { describe, expect, test } from 'vitest';
import 'protobufjs/ext/descriptor.js';
import { createRegistry } from '../../src/decode/proto/registry.ts';
import { descriptorBytes } from '../support/oracle.ts';

const chain = createRegistry(descriptorBytes());

function json(registry: typeof chain, typeName: string, bytes: Uint8Array): unknown {
  return JSON.parse(registry.renderMessage(typeName, bytes) ?? 'undefined');
}

const hex = (text: string): Uint8Array => Buffer.from(text.replaceAll(' ', ''), 'hex');

describe('decimals and integers of the SDK', () => {
  const rate = (text: string): unknown =>
    json(
      chain,
      'cosmos.base.v1beta1.DecCoin',
      Buffer.concat([hex('12'), Buffer.from([text.length]), Buffer.from(text)]),
    );

  test.each([
    ['1', '0.000000000000000001'],
    ['1500000000000000000', '1.500000000000000000'],
    ['-50000000000000000', '-0.050000000000000000'],
    ['123456789012345678901234567890', '123456789012.345678901234567890'],
    ['0', '0.000000000000000000'],
    ['', '0'],
  ])('a LegacyDec of %s prints %s', (wire, printed) => {
    expect(rate(wire)).toEqual({ denom: '', amount: printed });
  });

  test('text that is no integer is malformed', () => {
    expect(() => rate('1.5')).toThrow(expect.objectContaining({ code: 'proto_malformed' }));
  });

  test('a pointer prints null, any other the Go zero', () => {
    expect(
      json(
        chain,
        'cosmos.staking.v1beta1.MsgEditValidator',
        MsgEditValidator.encode(MsgEditValidator.fromPartial({})).finish(),
      ),
    ).toMatchObject({
      commission_rate: null,
      min_self_delegation: null,
    });
    expect(json(chain, 'cosmos.staking.v1beta1.CommissionRates', new Uint8Array())).toEqual({
      rate: '0',
      max_rate: '0',
      max_change_rate: '0',
    });
    expect(json(chain, 'cosmos.base.v1beta1.Coin', hex('0a 01 61'))).toEqual({ denom: 'a', amount: '0' });
  });

  test('decimals in bytes fields print alike', () => {
    const dec = Buffer.from('500000000000000000');
    const bytes = Buffer.concat([hex('12'), Buffer.from([dec.length]), dec]);
    expect(json(chain, 'cosmos.slashing.v1beta1.Params', bytes)).toEqual({
      signed_blocks_window: '0',
      min_signed_per_window: '0.500000000000000000',
      downtime_jail_duration: '0s',
      slash_fraction_double_sign: '0',
      slash_fraction_downtime: '0',
    });
  });
});

describe('the signed bytes of an Ethereum message', () => {
  const raw = hex('32 02 ab cd');

  test.each([
    ['the recorded chain, which says so', chain],
    [
      'the reference chain, which says bytes',
      createRegistry(readFileSync(new URL('../../kit/descriptors.binpb', import.meta.url))),
    ],
  ])('are 0x hex on %s', (_, registry) => {
    const name = 'cosmos.evm.vm.v1.MsgEthereumTx';
    expect(json(registry, name, raw)).toMatchObject({ raw: '0xabcd' });
    expect(json(registry, name, new Uint8Array())).toMatchObject({ raw: '0x' });
  });
});

describe('shapes that the recording lacks', () => {
  test('messages that are no pointer in Go print their defaults, the others null', () => {
    const bytes = MsgCreateValidator.encode(
      MsgCreateValidator.fromPartial({ delegatorAddress: 'cosmos1d', minSelfDelegation: '1' }),
    ).finish();
    expect(json(chain, 'cosmos.staking.v1beta1.MsgCreateValidator', bytes)).toEqual({
      description: { moniker: '', identity: '', website: '', security_contact: '', details: '' },
      commission: { rate: '0', max_rate: '0', max_change_rate: '0' },
      min_self_delegation: '1',
      delegator_address: 'cosmos1d',
      validator_address: '',
      pubkey: null,
      value: { denom: '', amount: '0' },
    });
  });

  test('of a oneof the set member prints, and of two the last', () => {
    const allow = StakeAuthorization.encode(
      StakeAuthorization.fromPartial({ allowList: { address: ['v1'] }, authorizationType: 1 }),
    ).finish();
    const authorized = { max_tokens: null, authorization_type: 'AUTHORIZATION_TYPE_DELEGATE' };
    expect(json(chain, 'cosmos.staking.v1beta1.StakeAuthorization', allow)).toEqual({
      ...authorized,
      allow_list: { address: ['v1'] },
    });
    const both = Buffer.concat([allow, hex('1a 04 0a 02 76 32')]);
    expect(json(chain, 'cosmos.staking.v1beta1.StakeAuthorization', both)).toEqual({
      ...authorized,
      deny_list: { address: ['v2'] },
    });
  });

  test('times and durations', () => {
    const allowance = (seconds: bigint, nanos: number): unknown =>
      json(
        chain,
        'cosmos.feegrant.v1beta1.PeriodicAllowance',
        PeriodicAllowance.encode(
          PeriodicAllowance.fromPartial({ period: { seconds, nanos }, periodReset: { seconds, nanos } }),
        ).finish(),
      );
    expect(allowance(86_400n, 0)).toMatchObject({ period: '86400s', period_reset: '1970-01-02T00:00:00Z' });
    expect(allowance(1n, 500_000_000)).toMatchObject({
      period: '1.500s',
      period_reset: '1970-01-01T00:00:01.500Z',
    });
    expect(allowance(1n, 1_000)).toMatchObject({ period: '1.000001s' });
    expect(allowance(1n, 1)).toMatchObject({ period: '1.000000001s' });
    expect(() => allowance(-1n, 1)).toThrow(expect.objectContaining({ code: 'proto_malformed' }));
    expect(json(chain, 'cosmos.feegrant.v1beta1.PeriodicAllowance', new Uint8Array())).toMatchObject({
      basic: { spend_limit: [], expiration: null },
      period: '0s',
      period_reset: '0001-01-01T00:00:00Z',
    });
  });

  test('CometBFT’s HexBytes are upper-case hex', () => {
    const bytes = ConsensusState.encode(
      ConsensusState.fromPartial({ root: { hash: hex('0102') }, nextValidatorsHash: hex('abcd') }),
    ).finish();
    expect(json(chain, 'ibc.lightclients.tendermint.v1.ConsensusState', bytes)).toMatchObject({
      root: { hash: 'AQI=' },
      next_validators_hash: 'ABCD',
    });
  });

  test('absent bytes are null as in Go, present ones base64 even when empty', () => {
    expect(json(chain, 'cosmos.crypto.multisig.v1beta1.CompactBitArray', hex(''))).toMatchObject({
      elems: null,
    });
    expect(json(chain, 'cosmos.crypto.multisig.v1beta1.CompactBitArray', hex('1200'))).toMatchObject({
      elems: '',
    });
  });

  test('a message in two parts on the wire is one message, a repeated scalar the last', () => {
    const parts = hex('0a 05 0a 01 61 12 00  0a 03 12 01 37');
    expect(json(chain, 'cosmos.evm.erc20.v1.MsgConvertCoin', parts)).toMatchObject({
      coin: { denom: 'a', amount: '7' },
    });
    expect(json(chain, 'cosmos.base.v1beta1.Coin', hex('0a 01 61 0a 01 62'))).toMatchObject({ denom: 'b' });
  });

  test('messages in pieces within pieces do not double the work at each level', () => {
    // TestVersion1.a is a TestVersion1: each level comes in two pieces.
    let bytes: Uint8Array = new Uint8Array();
    for (let level = 0; level < 45; level++) {
      const length = bytes.length < 128 ? [bytes.length] : [(bytes.length % 128) + 128, bytes.length >> 7];
      bytes = Buffer.concat([hex('12'), Buffer.from(length), bytes, hex('12 00')]);
    }
    expect(() => json(chain, 'testpb.TestVersion1', bytes)).toThrow(
      expect.objectContaining({ code: 'proto_malformed' }),
    );
  });

  test('fields in any order and unknown fields of every wire type', () => {
    const unknown = 'f8 07 01  f9 07 0000000000000000  fa 07 01 00  fb 07 08 01 fc 07  fd 07 00000000';
    expect(json(chain, 'cosmos.base.v1beta1.Coin', hex(`12 01 37 ${unknown} 0a 01 61`))).toEqual({
      denom: 'a',
      amount: '7',
    });
  });

  test('Anys print their content, well-known ones under `value`', () => {
    const value = SendAuthorization.encode({
      spendLimit: [{ denom: 'a', amount: '1' }],
      allowList: [],
    }).finish();
    const text = chain.renderAny(
      'type.googleapis.com/cosmos.bank.v1beta1.SendAuthorization',
      value,
      () => {},
    );
    expect(JSON.parse(text)).toEqual({
      '@type': 'type.googleapis.com/cosmos.bank.v1beta1.SendAuthorization',
      spend_limit: [{ denom: 'a', amount: '1' }],
      allow_list: [],
    });
    expect(JSON.parse(chain.renderAny('/google.protobuf.Duration', hex('08 05'), () => {}))).toEqual({
      '@type': '/google.protobuf.Duration',
      value: '5s',
    });
  });

  test('the other well-known types', () => {
    // A list of null, 1.5 and true.
    const list = '32 13  0a 02 08 00  0a 09 11 000000000000f83f  0a 02 20 01';
    expect(json(chain, 'google.protobuf.Value', hex(list))).toEqual([null, 1.5, true]);
    expect(json(chain, 'google.protobuf.Struct', hex('0a 0a 0a 01 62 12 05 1a 03 78 79 7a'))).toEqual({
      b: 'xyz',
    });
    expect(json(chain, 'google.protobuf.Struct', hex(''))).toEqual({});
    expect(json(chain, 'google.protobuf.Int64Value', hex('08 07'))).toBe('7');
    expect(json(chain, 'google.protobuf.BoolValue', hex(''))).toBe(false);
    const mask = Buffer.concat([hex('0a 07'), Buffer.from('a.b_c_d'), hex('0a 01 65')]);
    expect(json(chain, 'google.protobuf.FieldMask', mask)).toBe('a.bCD,e');
  });
});

describe('every scalar type, against protobufjs’s encoder', () => {
  const { root } = protobuf.parse(
    `
    syntax = "proto3";
    package t;
    enum Side { option allow_alias = true; SIDE_UNSPECIFIED = 0; SIDE_BUY = 1; SIDE_BID = 1; SIDE_SELL = -1; }
    message Scalars {
      int32 i32 = 1; int64 i64 = 2; uint32 u32 = 3; uint64 u64 = 4; sint32 s32 = 5; sint64 s64 = 6;
      fixed32 f32 = 7; fixed64 f64 = 8; sfixed32 sf32 = 9; sfixed64 sf64 = 10;
      float float_value = 11; double double_value = 12; bool flag = 13; Side side = 14; bytes data = 15;
      repeated sint64 packed = 16; repeated Side sides = 17; map<string, Scalars> by_name = 18;
      map<int64, string> by_id = 19; map<bool, bytes> by_flag = 20; optional uint32 maybe = 300; Scalars self = 301;
    }
  `,
    { keepCase: true },
  );
  root.resolveAll();
  const withDescriptor = root as unknown as {
    toDescriptor(syntax: string): { constructor: { encode(set: unknown): protobuf.Writer } };
  };
  const set = withDescriptor.toDescriptor('proto3');
  const registry = createRegistry(set.constructor.encode(set).finish());
  const type = root.lookupType('t.Scalars');
  const render = (value: object): unknown =>
    json(registry, 't.Scalars', type.encode(value as Record<string, unknown>).finish());

  const unset = {
    ...{ i32: 0, i64: '0', u32: 0, u64: '0', s32: 0, s64: '0', f32: 0, f64: '0', sf32: 0, sf64: '0' },
    ...{
      float_value: 0,
      double_value: 0,
      flag: false,
      side: 'SIDE_UNSPECIFIED',
      data: null,
      packed: [],
      sides: [],
    },
    ...{ by_name: {}, by_id: {}, by_flag: {}, maybe: null, self: null },
  };

  const min = '-9223372036854775808';
  const max = '9223372036854775807';
  const maxUnsigned = '18446744073709551615';

  test('unset', () => {
    expect(render({})).toEqual(unset);
  });

  test('of two attributes of one name the first counts', () => {
    const attributes = [
      { key: 'u32', value: '1' },
      { key: 'u32', value: '2' },
    ];
    expect(JSON.parse(registry.renderTypedEvent('t.Scalars', attributes) ?? '')).toEqual({
      ...unset,
      u32: 1,
    });
  });

  const cases: readonly (readonly [object, object])[] = [
    [
      {
        i32: -2147483648,
        i64: min,
        s32: -2147483648,
        s64: min,
        sf32: -2147483648,
        sf64: min,
      },
      { i32: -2147483648, i64: min, s32: -2147483648, s64: min, sf32: -2147483648, sf64: min },
    ],
    [
      { i32: 2147483647, i64: max, s32: 2147483647, s64: max, sf32: 2147483647, sf64: max },
      { i32: 2147483647, i64: max, s32: 2147483647, s64: max, sf32: 2147483647, sf64: max },
    ],
    [
      { u32: 4294967295, u64: maxUnsigned, f32: 4294967295, f64: maxUnsigned },
      { u32: 4294967295, u64: maxUnsigned, f32: 4294967295, f64: maxUnsigned },
    ],
    [
      { float_value: 0.1, double_value: 0.1 },
      { float_value: 0.1, double_value: 0.1 },
    ],
    [
      { float_value: 16777216, double_value: 1e-7 },
      { float_value: 16777216, double_value: 1e-7 },
    ],
    [
      { float_value: Number.NaN, double_value: Number.NEGATIVE_INFINITY },
      { float_value: 'NaN', double_value: '-Infinity' },
    ],
    [
      { flag: true, side: -1, data: hex('fffe') },
      { flag: true, side: 'SIDE_SELL', data: '//4=' },
    ],
    [
      { side: 7, sides: [1, 0, 9] },
      { side: 7, sides: ['SIDE_BUY', 'SIDE_UNSPECIFIED', 9] },
    ],
    [{ packed: ['1', min] }, { packed: ['1', min] }],
    [{ maybe: 0 }, { maybe: 0 }],
    [{ self: { maybe: 5 } }, { self: { ...unset, maybe: 5 } }],
    [{ by_name: { b: { i32: 1 }, 'a"': {} } }, { by_name: { b: { ...unset, i32: 1 }, 'a"': unset } }],
    [
      { by_id: { 7: 'x' }, by_flag: { true: hex('01') } },
      { by_id: { 7: 'x' }, by_flag: { true: 'AQ==' } },
    ],
  ];
  test.each(['-1', '-4294967296', '4294967296', '9007199254740993', '-9007199254740993', '127', '128'])(
    'the 64-bit integer %s',
    (text) => {
      expect(render({ i64: text, s64: text, sf64: text })).toEqual({
        ...unset,
        i64: text,
        s64: text,
        sf64: text,
      });
    },
  );

  test.each(cases)('%#: %o', (value, printed) => {
    expect(render(value)).toEqual({ ...unset, ...printed });
  });

  test('a packed field may come unpacked, and a map’s last entry of a key wins', () => {
    expect(json(registry, 't.Scalars', hex('80 01 02  82 01 02 04 01'))).toEqual({
      ...unset,
      packed: ['1', '2', '-1'],
    });
    const entry = (text: string): string => `9a 01 05 08 07 12 01 ${Buffer.from(text).toString('hex')}`;
    expect(json(registry, 't.Scalars', hex(`${entry('a')} 08 01 ${entry('b')}`))).toEqual({
      ...unset,
      i32: 1,
      by_id: { 7: 'b' },
    });
  });

  test('map keys are in Go’s order', () => {
    const bytes = type.encode({ by_id: { 10: 'j', 9: 'i' } }).finish();
    expect(registry.renderMessage('t.Scalars', bytes)).toContain('"by_id":{"9":"i","10":"j"}');
  });
});

test('signers come in the order of the option, whatever their order on the wire', () => {
  const message = (...parts: readonly (readonly [field: number, value: string | number | Uint8Array])[]) => {
    const writer = protobuf.Writer.create();
    for (const [field, value] of parts) {
      if (typeof value === 'number') writer.uint32(field * 8).uint32(value);
      else writer.uint32(field * 8 + 2).bytes(typeof value === 'string' ? Buffer.from(value) : value);
    }
    return writer.finish();
  };
  /** google/protobuf/descriptor.proto: a string field has name 1, number 3, label 4 and type 5. */
  const field = (name: string, number: number) => message([1, name], [3, number], [4, 1], [5, 9]);
  /** The field of cosmos.msg.v1.signer in MessageOptions. */
  const signer = 11110000;
  const options = message([signer, 'second'], [signer, 'first']);
  const type = message([1, 'Msg'], [2, field('first', 1)], [2, field('second', 2)], [7, options]);
  const file = message([1, 't.proto'], [2, 't'], [4, type], [12, 'proto3']);
  const registry = createRegistry(message([1, file]));
  expect(registry.collectSigners('t.Msg', message([1, 'a'], [2, 'b']))).toEqual(['b', 'a']);
});
