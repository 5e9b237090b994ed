import { describe, expect, it } from 'vitest';
import { ChainError } from '../../src/chain-error.ts';
import { openCodec } from '../../src/codec/codec.ts';

const codec = openCodec({ namespace: 'aeva' });
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const bytes = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

function refusal(act: () => unknown): { codespace: string; code: number; message: string } {
  try {
    act();
  } catch (error) {
    if (error instanceof ChainError) {
      return { codespace: error.codespace, code: error.code, message: error.message };
    }
    throw error;
  }
  throw new Error('nothing was refused');
}

const SEND = '/cosmos.bank.v1beta1.MsgSend';
const SEND_BYTES = '0a0161 120162 1a06 0a0163 120135';

describe('golden bytes', () => {
  it('of a message of coins', () => {
    const message = { from_address: 'a', to_address: 'b', amount: [{ denom: 'c', amount: '5' }] };
    expect(hex(codec.encode(SEND, message))).toBe(SEND_BYTES.replaceAll(' ', ''));
    expect(codec.decode(SEND, bytes(SEND_BYTES))).toEqual(message);
  });

  it('of 64-bit integers, a time, nested choices and enums', () => {
    const message = {
      id: '18446744073709551615',
      proposer: 'p',
      counterparty: '',
      legs: [
        { direction: 'DIRECTION_PROPOSER_TO_COUNTERPARTY', right: { asset_id: 'x', kind_id: 0, units: '1' } },
        { direction: 'DIRECTION_COUNTERPARTY_TO_PROPOSER', coin: { denom: 'd', amount: '2' } },
      ],
      expiry: '1970-01-01T00:00:01.500Z',
      memo_hash: '/w==',
    };
    const wire =
      '08 ffffffffffffffffff01 12 0170' +
      '22 0a 0801 12 06 0a0178 1a0131' +
      '22 0a 0802 1a 06 0a0164 120132' +
      '2a 08 0801 10 80cab5ee01' +
      '32 01 ff';
    expect(hex(codec.encode('/aeva.settlement.v1.EventProposed', message))).toBe(wire.replaceAll(' ', ''));
    expect(codec.decode('/aeva.settlement.v1.EventProposed', bytes(wire))).toEqual(message);
  });

  it('tells kind 0 from no kind', () => {
    const type = '/aeva.asset.v1.EventPolicySet';
    expect(hex(codec.encode(type, { asset_id: '', kind_id: 0 }))).toBe('1000');
    expect(codec.decode(type, bytes('1000'))).toEqual({ asset_id: '', kind_id: 0, policy: null });
    expect(codec.decode(type, bytes(''))).toEqual({ asset_id: '', policy: null });
  });

  it('packs repeated enums and keeps the text "0"', () => {
    const type = '/aeva.delegation.v1.MsgDelegate';
    const wire = codec.encode(type, { units: '0', purposes: ['PURPOSE_VOTE', 'PURPOSE_INCOME'] });
    expect(hex(wire)).toBe('220130' + '3a020102');
    expect(codec.decode(type, wire)).toMatchObject({
      units: '0',
      until: null,
      purposes: ['PURPOSE_VOTE', 'PURPOSE_INCOME'],
      revocable: false,
    });
  });

  it('of a message inside another, by its type', () => {
    const any = { '@type': SEND, from_address: 'a', to_address: '', amount: [] };
    const wire = codec.encode('/cosmos.tx.v1beta1.TxBody', { messages: [any], timeout_height: '300' });
    const typeUrl = Buffer.from(SEND).toString('hex');
    expect(hex(wire)).toBe(`0a230a1c${typeUrl}12030a016118ac02`);
    expect(codec.decode('/cosmos.tx.v1beta1.TxBody', wire)).toMatchObject({ messages: [any], memo: '' });
    const { value, ...type } = codec.anyFromJson(any);
    expect([type, hex(value)]).toEqual([{ typeUrl: SEND }, '0a0161']);
    expect(codec.jsonFromAny({ typeUrl: SEND, value: bytes('0a0161') })).toEqual(any);
  });
});

describe('times', () => {
  const type = '/aeva.settlement.v1.MsgPropose';
  it.each([
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00Z'],
    ['2026-11-20T10:00:00.25Z', '2026-11-20T10:00:00.250Z'],
    ['2026-11-20T10:00:00.00025Z', '2026-11-20T10:00:00.000250Z'],
    ['2026-11-20T10:00:00.000000001Z', '2026-11-20T10:00:00.000000001Z'],
    ['1969-12-31T23:59:59.5Z', '1969-12-31T23:59:59.500Z'],
  ])('%s prints as %s', (given, printed) => {
    expect(codec.decode(type, codec.encode(type, { expiry: given })).expiry).toBe(printed);
  });

  it.each([
    ['the first', '22 0b 08 8092b8c398feffffff01', '0001-01-01T00:00:00Z'],
    ['the last second', '22 07 08 ff82d1ffaf07', '9999-12-31T23:59:59Z'],
  ])('%s that there is', (_, wire, printed) => {
    expect(codec.decode(type, bytes(wire)).expiry).toBe(printed);
  });

  it.each([
    ['a second before 0001-01-01', '22 0b 08 ff91b8c398feffffff01', 'before 0001-01-01'],
    ['10000-01-01', '22 07 08 8083d1ffaf07', 'after 10000-01-01'],
    ['10^9 nanoseconds', '22 06 10 8094ebdc03', 'nanos not in range [0, 1e9)'],
    ['less than no nanoseconds', '22 0b 10 ffffffffffffffffff01', 'nanos not in range [0, 1e9)'],
  ])('%s is none, as in the SDK', (_, wire, reason) => {
    expect(refusal(() => codec.decode(type, bytes(wire)))).toEqual({
      codespace: 'sdk',
      code: 2,
      message: `aeva.settlement.v1.MsgPropose: timestamp: ${reason}: tx parse error`,
    });
  });

  it('the year 0 is none in proto-JSON either', () => {
    const given = { expiry: '0000-12-31T23:59:59Z' };
    expect(refusal(() => codec.encode(type, given)).message).toContain('before 0001-01-01');
  });
});

describe('what is refused', () => {
  const txDecode = { codespace: 'sdk', code: 2 };

  it('an unknown field, wherever it stands', () => {
    expect(refusal(() => codec.decode(SEND, bytes('280a')))).toEqual({
      ...txDecode,
      message:
        'errUnknownField "/cosmos.bank.v1beta1.MsgSend": {TagNum: 5, WireType:"varint"}: tx parse error',
    });
    // the same one field deeper: a coin with a third field
    expect(refusal(() => codec.decode(SEND, bytes('1a03 1a0161'))).message).toContain(
      '"/cosmos.base.v1beta1.Coin": {TagNum: 3, WireType:"bytes"}',
    );
    expect(codec.decode(SEND, bytes('280a'), 'ignore')).toEqual({
      from_address: '',
      to_address: '',
      amount: [],
    });
  });

  it('in a TxBody only unknown fields that are critical', () => {
    // field 1024 has the bit of what may be passed over, field 4095 too, field 2048 has not
    const type = '/cosmos.tx.v1beta1.TxBody';
    expect(codec.decode(type, bytes('804001')).memo).toBe('');
    expect(refusal(() => codec.decode(type, bytes('80800101'))).message).toContain('{TagNum: 2048,');
    expect(refusal(() => codec.decode('/cosmos.tx.v1beta1.AuthInfo', bytes('804001')))).toMatchObject(
      txDecode,
    );
  });

  it('an unknown type, a cut message, a wrong wire type', () => {
    expect(refusal(() => codec.decode('/aeva.nothing.v1.Msg', bytes('')))).toEqual({
      ...txDecode,
      message: 'unable to resolve type URL /aeva.nothing.v1.Msg: tx parse error',
    });
    expect(refusal(() => codec.decode(SEND, bytes('0a05')))).toMatchObject(txDecode);
    expect(refusal(() => codec.decode(SEND, bytes('0b')))).toMatchObject(txDecode);
    const inner = { typeUrl: '/x.Y', value: bytes('') };
    expect(refusal(() => codec.jsonFromAny(inner)).message).toContain('unable to resolve type URL /x.Y');
  });

  it('a message nested deeper than any stack', () => {
    let modeInfo = bytes('');
    for (let i = 0; i < 20_000; i++) {
      const length = Buffer.from([
        (modeInfo.length & 0x7f) | 0x80,
        ((modeInfo.length >> 7) & 0x7f) | 0x80,
        modeInfo.length >> 14,
      ]);
      modeInfo = Buffer.concat([Buffer.from([0x12]), length, modeInfo]);
    }
    expect(refusal(() => codec.decode('/cosmos.tx.v1beta1.ModeInfo', modeInfo))).toMatchObject(txDecode);
  });

  it.each([
    [{ from: 'a' }, 'has no field from'],
    [{ from_address: 5 }, 'from_address is 5, not a text'],
    [{ amount: [{ denom: 'a', amount: 5 }] }, 'amount[0].amount is 5, not a text'],
    [{ amount: {} }, 'amount is {}, not a list'],
  ])('proto-JSON that is none: %j', (message, reason) => {
    expect(refusal(() => codec.encode(SEND, message))).toMatchObject(txDecode);
    expect(refusal(() => codec.encode(SEND, message)).message).toContain(reason);
  });

  it.each([
    ['/aeva.settlement.v1.MsgAccept', { id: '18446744073709551616' }],
    ['/aeva.settlement.v1.MsgAccept', { id: '01' }],
    ['/aeva.settlement.v1.MsgAccept', { id: '-1' }],
    ['/aeva.rights.v1.MsgIssue', { kind_id: 4294967296 }],
    ['/aeva.rights.v1.MsgIssue', { kind_id: 1.5 }],
    ['/aeva.delegation.v1.MsgDelegate', { until: 'tomorrow' }],
    ['/aeva.delegation.v1.MsgDelegate', { purposes: ['VOTE'] }],
    ['/aeva.asset.v1.MsgCreateAsset', { meta_hash: 'f' }],
  ])('values beyond their type: %s %j', (type, message) => {
    expect(refusal(() => codec.encode(type, message))).toMatchObject(txDecode);
  });
});

describe('typed events', () => {
  it('have every field, by key, as raw proto-JSON', () => {
    expect(
      codec.eventAttributes('aeva.rights.v1.EventIssued', { asset_id: 'ab', kind_id: 1, units: '5' }),
    ).toEqual([
      ['asset_id', '"ab"'],
      ['kind_id', '1'],
      ['recipient', '""'],
      ['recipient_units_after', '""'],
      ['supply_after', '""'],
      ['units', '"5"'],
    ]);
    expect(codec.eventAttributes('aeva.settlement.v1.EventSettled', { id: '7', asset_ids: ['x'] })).toEqual([
      ['asset_ids', '["x"]'],
      ['counterparty', '""'],
      ['id', '"7"'],
      ['proposer', '""'],
    ]);
    expect(() => codec.eventAttributes('aeva.rights.v1.EventIssued', { unit: '5' })).toThrow('no field unit');
    expect(() => codec.eventAttributes('aeva.rights.v1.EventNone', {})).toThrow('there is no event');
  });
});

describe('what the descriptors say beside types', () => {
  it('signers, also of what is nested', () => {
    expect(codec.signersOf(SEND, { from_address: 'a', to_address: 'b' })).toEqual(['a']);
    const inputs = [{ address: 'a' }, { address: 'b' }, { address: 'a' }];
    expect(codec.signersOf('/cosmos.bank.v1beta1.MsgMultiSend', { inputs })).toEqual(['a', 'b']);
    expect(codec.signersOf('/aeva.settlement.v1.MsgAccept', { counterparty: 'c', id: '1' })).toEqual(['c']);
    expect(codec.signersOf('/cosmos.tx.v1beta1.TxBody', {})).toEqual([]);
  });

  it('a signer for every message of every Msg service but the Ethereum one', () => {
    const without: string[] = [];
    for (const desc of codec.registry) {
      if (desc.kind !== 'service' || desc.name !== 'Msg') continue;
      for (const { input } of desc.methods) {
        const message = Object.fromEntries(input.fields.map(({ name }) => [name, name]));
        const { inputs } = message;
        const given = inputs === undefined ? message : { ...message, inputs: [{ address: 'inputs' }] };
        if (codec.signersOf(`/${input.typeName}`, given).length !== 1) without.push(input.typeName);
      }
    }
    expect(without).toEqual(['cosmos.evm.vm.v1.MsgEthereumTx']);
  });

  it('methods and responses', () => {
    expect(codec.method('/aeva.asset.v1.Query/NextNonce')).toEqual({
      request: '/aeva.asset.v1.QueryNextNonceRequest',
      response: '/aeva.asset.v1.QueryNextNonceResponse',
    });
    expect(codec.method('/aeva.asset.v1.Query/None')).toBeUndefined();
    expect(codec.responseType('/aeva.rights.v1.MsgIssue')).toBe('/aeva.rights.v1.MsgIssueResponse');
    expect(codec.responseType(SEND)).toBe('/cosmos.bank.v1beta1.MsgSendResponse');
  });
});

describe('another namespace', () => {
  const other = openCodec({ namespace: 'zeta' });

  it('stands in types, references, services and file names', () => {
    const type = '/zeta.asset.v1.QueryAssetResponse';
    const asset = { id: 'a', kinds: [{ kind_id: 3, class: 'KIND_CLASS_VOTE' }] };
    expect(other.decode(type, other.encode(type, { asset }))).toMatchObject({
      asset: { kinds: [{ kind_id: 3 }] },
    });
    expect(other.method('/zeta.bridge.v1.Query/Actual')?.response).toBe(
      '/zeta.bridge.v1.QueryActualResponse',
    );
    const files = Buffer.concat(other.fileDescriptors()).toString('latin1');
    expect(files).toContain('zeta/asset/v1/types.proto');
    expect(files).not.toContain('aeva');
    expect(other.has('/aeva.asset.v1.Asset')).toBe(false);
    expect(other.has('/cosmos.bank.v1beta1.MsgSend')).toBe(true);
  });
});
