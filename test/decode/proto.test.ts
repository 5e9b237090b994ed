import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx';
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { TxBody, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import fc from 'fast-check';
import { base64ToBytes, latin1ToUtf8, utf8ToLatin1 } from 'strata-kit/bytes';
import { describe, expect, test } from 'vitest';
import { createRegistry } from '../../src/decode/proto/registry.ts';
import { oracleTxs, readFixture, recordedBlocks } from '../support/oracle.ts';

const registry = createRegistry(readFixture('descriptors.pb.gz'));

const SEND = '/cosmos.bank.v1beta1.MsgSend';

function nothingUnknown(typeUrl: string): void {
  throw new Error(`unknown type ${typeUrl}`);
}

function parse(text: string | undefined): unknown {
  return JSON.parse(latin1ToUtf8(text ?? ''));
}

const send = {
  fromAddress: 'cosmos1from',
  toAddress: 'cosmos1to',
  amount: [{ denom: 'uusd', amount: '12' }],
};
const sendJson = {
  '@type': SEND,
  from_address: 'cosmos1from',
  to_address: 'cosmos1to',
  amount: [{ denom: 'uusd', amount: '12' }],
};

describe('the recorded chain', () => {
  const txsByHeight = new Map(recordedBlocks().map(({ height, block }) => [height, block.block.data.txs]));
  const oracle = oracleTxs().map(({ height, index, rest }) => {
    const raw = TxRaw.decode(base64ToBytes(txsByHeight.get(height)?.[index] ?? ''));
    return { ...rest.tx, raw, at: `${height}/${index}` };
  });

  test('every message prints as the node’s REST prints it', () => {
    expect(oracle).toHaveLength(2707);
    for (const { raw, body, at } of oracle) {
      const { messages } = TxBody.decode(raw.bodyBytes);
      const printed = messages.map(({ typeUrl, value }) =>
        parse(registry.renderAny(typeUrl, value, nothingUnknown)),
      );
      expect(printed, at).toEqual(body.messages);
    }
  });

  test('so do the bodies and the auth infos around them', () => {
    for (const { raw, body, auth_info, at } of oracle) {
      expect(parse(registry.renderMessage('cosmos.tx.v1beta1.TxBody', raw.bodyBytes)), at).toEqual(body);
      expect(parse(registry.renderMessage('cosmos.tx.v1beta1.AuthInfo', raw.authInfoBytes)), at).toEqual(
        auth_info,
      );
    }
  });

  test('text is latin1 over UTF-8, with the node’s escapes', () => {
    const bytes = MsgSend.encode({ ...send, toAddress: 'é<&>\u2028\u0000"\\\n' }).finish();
    expect(registry.renderMessage('cosmos.bank.v1beta1.MsgSend', bytes)).toBe(
      '{"from_address":"cosmos1from","to_address":"\xc3\xa9\\u003c\\u0026\\u003e\\u2028\\u0000\\"\\\\\\n",' +
        '"amount":[{"denom":"uusd","amount":"12"}]}',
    );
  });

  test('bytes that are no UTF-8 become U+FFFD one by one, as in Go', () => {
    // A truncated three-byte form, a lone continuation byte, a surrogate.
    const address = Buffer.from('61e282ff80eda080c3a9', 'hex');
    const bytes = Buffer.concat([Buffer.from([0x0a, address.length]), address]);
    expect(registry.renderMessage('cosmos.bank.v1beta1.MsgSend', bytes)).toContain(
      `"from_address":"a${'\\ufffd'.repeat(7)}\xc3\xa9"`,
    );
  });
});

describe('what cannot be rendered', () => {
  const value = MsgSend.encode(send).finish();

  test('an unknown type stays base64 and its URL is reported', () => {
    const seen: string[] = [];
    const text = registry.renderAny('/made.up.v1.MsgNothing', value, (url) => seen.push(url));
    expect(parse(text)).toEqual({
      '@type': '/made.up.v1.MsgNothing',
      value: Buffer.from(value).toString('base64'),
    });
    expect(seen).toEqual(['/made.up.v1.MsgNothing']);
    expect(registry.renderMessage('made.up.v1.MsgNothing', value)).toBeUndefined();
    expect(registry.has('made.up.v1.MsgNothing')).toBe(false);
  });

  test('a nested Any falls back by itself', () => {
    const broken = Uint8Array.from([0x0a, 0x2d, 0x63]);
    const bytes = MsgExec.encode({
      grantee: 'cosmos1g',
      msgs: [
        { typeUrl: '/made.up.v1.MsgNothing', value: Uint8Array.from([1, 2]) },
        { typeUrl: SEND, value: broken },
        { typeUrl: SEND, value },
        // A field after the values: the cursor must stand behind each of them.
        { typeUrl: SEND, value: new Uint8Array() },
      ],
    }).finish();
    const seen: string[] = [];
    const text = registry.renderAny('/cosmos.authz.v1beta1.MsgExec', bytes, (url) => seen.push(url));
    expect(parse(text)).toEqual({
      '@type': '/cosmos.authz.v1beta1.MsgExec',
      grantee: 'cosmos1g',
      msgs: [
        { '@type': '/made.up.v1.MsgNothing', value: 'AQI=' },
        { '@type': SEND, value: 'Ci1j' },
        sendJson,
        { '@type': SEND, from_address: '', to_address: '', amount: [] },
      ],
    });
    expect(seen).toEqual(['/made.up.v1.MsgNothing']);
  });

  test.each([
    ['a cut message', value.subarray(0, value.length - 1)],
    ['a varint without an end', Buffer.from('08ffffffffffffffffffffff', 'hex')],
    ['a field of another wire type', Buffer.from('0801', 'hex')],
    ['field number zero', Buffer.from('0001', 'hex')],
    ['the end of a group that never began', Buffer.from('0c', 'hex')],
    ['a group without an end', Buffer.from('7b', 'hex')],
    ['a fixed64 beyond the end', Buffer.from('790000', 'hex')],
  ])('%s is broken', (_, bytes) => {
    expect(() => registry.renderMessage('cosmos.bank.v1beta1.MsgSend', bytes)).toThrow(
      expect.objectContaining({ code: 'proto_malformed' }),
    );
    expect(parse(registry.renderAny(SEND, bytes, nothingUnknown))).toEqual({
      '@type': SEND,
      value: Buffer.from(bytes).toString('base64'),
    });
  });

  test('messages nested without an end are cut at a fixed depth, not at the stack’s', () => {
    let inner = value;
    let url = SEND;
    for (let i = 0; i < 5_000; i++) {
      inner = MsgExec.encode({ grantee: '', msgs: [{ typeUrl: url, value: inner }] }).finish();
      url = '/cosmos.authz.v1beta1.MsgExec';
    }
    const text = registry.renderAny(url, inner, nothingUnknown);
    expect(text.split('"msgs":').length).toBeLessThan(100);
    expect(() => JSON.parse(text)).not.toThrow();
  });

  test('no bytes make renderAny or collectSigners throw, and the text is always JSON', () => {
    const typeUrls = [
      SEND,
      '/cosmos.authz.v1beta1.MsgExec',
      '/cosmos.gov.v1.MsgSubmitProposal',
      '/cosmos.evm.vm.v1.Params',
    ];
    const mutated = fc
      .tuple(
        fc.constantFrom(...typeUrls),
        fc.uint8Array({ maxLength: 60 }),
        fc.nat(),
        fc.integer({ min: 0, max: 255 }),
      )
      .map(([url, bytes, at, byte]) => {
        const exec = MsgExec.encode({
          grantee: 'g',
          msgs: [
            { typeUrl: url, value: bytes },
            { typeUrl: SEND, value },
          ],
        }).finish();
        exec[at % exec.length] = byte;
        return exec;
      });
    fc.assert(
      fc.property(mutated, (bytes) => {
        JSON.parse(registry.renderAny('/cosmos.authz.v1beta1.MsgExec', bytes, () => {}));
        registry.collectSigners('cosmos.authz.v1beta1.MsgExec', bytes);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a descriptor set that is no protobuf is refused', () => {
    expect(() => createRegistry(Buffer.from('0affff', 'hex'))).toThrow(
      expect.objectContaining({ code: 'proto_malformed' }),
    );
  });
});

describe('signers', () => {
  test('come from the option cosmos.msg.v1.signer', () => {
    expect(registry.signerFields('cosmos.bank.v1beta1.MsgSend')).toEqual(['from_address']);
    expect(registry.signerFields('cosmos.evm.erc20.v1.MsgConvertERC20')).toEqual(['sender']);
    expect(registry.signerFields('cosmos.evm.vm.v1.MsgEthereumTx')).toEqual([]);
    expect(registry.signerFields('made.up.v1.MsgNothing')).toEqual([]);
  });

  test('are the texts of their fields, whatever the order on the wire', () => {
    const bytes = MsgSend.encode(send).finish();
    expect(registry.collectSigners('cosmos.bank.v1beta1.MsgSend', bytes)).toEqual(['cosmos1from']);
    expect(registry.collectSigners('cosmos.bank.v1beta1.MsgSend', bytes.subarray(0, 3))).toEqual([]);
    expect(registry.collectSigners('made.up.v1.MsgNothing', bytes)).toEqual([]);
  });

  test('of a message field are that message’s own', () => {
    const bytes = MsgMultiSend.encode({
      inputs: ['cosmos1a', 'cosmos1b'].map((address) => ({ address, coins: [] })),
      outputs: [{ address: 'cosmos1c', coins: [] }],
    }).finish();
    expect(registry.signerFields('cosmos.bank.v1beta1.MsgMultiSend')).toEqual(['inputs']);
    expect(registry.collectSigners('cosmos.bank.v1beta1.MsgMultiSend', bytes)).toEqual([
      'cosmos1a',
      'cosmos1b',
    ]);
  });
});

describe('typed events', () => {
  const event = (type: string, ...pairs: readonly (readonly [string, string])[]): unknown =>
    parse(
      registry.renderTypedEvent(
        type,
        pairs.map(([key, value]) => ({ key, value: utf8ToLatin1(value) })),
      ),
    );

  const PRUNED = 'cosmos.group.v1.EventProposalPruned';
  const tally = '{"yes_count":"1","abstain_count":"0","no_count":"0","no_with_veto_count":"0"}';

  test('values are JSON: strings and 64-bit integers in quotes, enums by name, messages as objects', () => {
    expect(
      event(
        PRUNED,
        ['proposal_id', '"18446744073709551615"'],
        ['status', '"PROPOSAL_STATUS_ACCEPTED"'],
        ['tally_result', tally],
      ),
    ).toEqual({
      proposal_id: '18446744073709551615',
      status: 'PROPOSAL_STATUS_ACCEPTED',
      tally_result: JSON.parse(tally) as unknown,
    });
    expect(event('cosmos.authz.v1beta1.EventGrant', ['granter', '"a\\"é"'])).toMatchObject({
      granter: 'a"é',
    });
  });

  test('fields come in declared order, missing ones with their defaults, undeclared keys not at all', () => {
    expect(
      registry.renderTypedEvent('cosmos.authz.v1beta1.EventGrant', [
        { key: 'grantee', value: '"g"' },
        { key: 'msg_index', value: '0' },
      ]),
    ).toBe('{"msg_type_url":"","granter":"","grantee":"g"}');
    expect(event(PRUNED)).toEqual({
      proposal_id: '0',
      status: 'PROPOSAL_STATUS_UNSPECIFIED',
      tally_result: null,
    });
  });

  test('values without their quotes are read as raw strings', () => {
    expect(event(PRUNED, ['proposal_id', '7'], ['status', 'PROPOSAL_STATUS_REJECTED'])).toMatchObject({
      proposal_id: '7',
      status: 'PROPOSAL_STATUS_REJECTED',
    });
    expect(event(PRUNED, ['status', '4'])).toMatchObject({ status: 'PROPOSAL_STATUS_ABORTED' });
    expect(event(PRUNED, ['status', '99'])).toMatchObject({ status: 99 });
    expect(event('cosmos.authz.v1beta1.EventGrant', ['granter', 'a "b\u0000é'])).toMatchObject({
      granter: 'a "b\u0000é',
    });
    expect(event('cosmos.authz.v1beta1.EventGrant', ['granter', '12'])).toMatchObject({ granter: '12' });
  });

  // Any message may be an event; these have the field types that the chain's own events lack.
  test('bools and 32-bit integers are bare, bytes base64, repeated fields arrays', () => {
    expect(event('cosmos.gov.v1.MsgSubmitProposal', ['expedited', 'true'], ['messages', '[]'])).toMatchObject(
      {
        expedited: true,
        messages: [],
      },
    );
    expect(event('cosmos.gov.v1.MsgSubmitProposal', ['expedited', '"true"'])).toMatchObject({
      expedited: true,
    });
    expect(event('tendermint.types.Part', ['index', '7'], ['bytes', '"AQI="'])).toMatchObject({
      index: 7,
      bytes: 'AQI=',
    });
    expect(event('tendermint.types.Part', ['index', '"7"'], ['bytes', 'AQI='])).toMatchObject({
      index: 7,
      bytes: 'AQI=',
    });
    expect(event('tendermint.types.Part', ['bytes', 'null'])).toMatchObject({ index: 0, bytes: null });
  });

  test('decimals pass as the node printed them', () => {
    expect(
      event('cosmos.base.v1beta1.DecCoin', ['denom', '"u"'], ['amount', '"0.100000000000000000"']),
    ).toEqual({
      denom: 'u',
      amount: '0.100000000000000000',
    });
  });

  test('whatever a chain writes, the text is JSON', () => {
    const types = [
      PRUNED,
      'cosmos.gov.v1.MsgSubmitProposal',
      'tendermint.types.Part',
      'cosmos.base.v1beta1.DecCoin',
    ];
    const keys = [
      'proposal_id',
      'status',
      'tally_result',
      'expedited',
      'messages',
      'index',
      'bytes',
      'amount',
    ];
    const value = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('"', '""', '{', '[1', '007', '1e', 'null', '"\\'),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...types),
        fc.dictionary(fc.constantFrom(...keys), value),
        (type, pairs) => {
          event(type, ...Object.entries(pairs));
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('an unknown type is no typed event', () => {
    expect(registry.renderTypedEvent('transfer', [{ key: 'amount', value: '1atest' }])).toBeUndefined();
  });
});
