import { BaseAccount } from 'cosmjs-types/cosmos/auth/v1beta1/auth';
import { QueryAllBalancesResponse } from 'cosmjs-types/cosmos/bank/v1beta1/query';
import { MsgMultiSend, MsgSend } from 'cosmjs-types/cosmos/bank/v1beta1/tx';
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci';
import { PubKey } from 'cosmjs-types/cosmos/crypto/secp256k1/keys';
import { SignMode } from 'cosmjs-types/cosmos/tx/signing/v1beta1/signing';
import { AuthInfo, TxBody } from 'cosmjs-types/cosmos/tx/v1beta1/tx';
import { Timestamp } from 'cosmjs-types/google/protobuf/timestamp';
import { fromTimestamp } from 'cosmjs-types/helpers';
import { expect, it } from 'vitest';
import { openCodec } from '../../src/codec/codec.ts';
import type { JsonObject } from '../../src/proto-json.ts';

/** The codec against cosmjs-types, both ways: the same bytes for the same content. */

const codec = openCodec({ namespace: 'aeva' });
const coins = [{ denom: 'uusd', amount: '7' }];
const KEY = Uint8Array.from({ length: 33 }, (_, i) => i);
const KEY_TEXT = Buffer.from(KEY).toString('base64');

const send = MsgSend.encode(
  MsgSend.fromPartial({ fromAddress: 'a', toAddress: 'ü', amount: coins }),
).finish();
const sendJson = { from_address: 'a', to_address: 'ü', amount: coins };
const pubKey = PubKey.encode(PubKey.fromPartial({ key: KEY })).finish();
const any = { '@type': '/cosmos.crypto.secp256k1.PubKey', key: KEY_TEXT };

const CASES: readonly (readonly [type: string, bytes: Uint8Array, json: JsonObject])[] = [
  ['cosmos.bank.v1beta1.MsgSend', send, sendJson],
  [
    'cosmos.bank.v1beta1.MsgMultiSend',
    MsgMultiSend.encode(
      MsgMultiSend.fromPartial({
        inputs: [{ address: 'a', coins }],
        outputs: [
          { address: 'b', coins },
          { address: '', coins: [] },
        ],
      }),
    ).finish(),
    {
      inputs: [{ address: 'a', coins }],
      outputs: [
        { address: 'b', coins },
        { address: '', coins: [] },
      ],
    },
  ],
  [
    'cosmos.tx.v1beta1.TxBody',
    TxBody.encode(
      TxBody.fromPartial({
        messages: [{ typeUrl: '/cosmos.bank.v1beta1.MsgSend', value: send }],
        memo: 'm',
        timeoutHeight: 9n,
        unordered: true,
        timeoutTimestamp: Timestamp.fromPartial({ seconds: 1n, nanos: 20_000_000 }),
      }),
    ).finish(),
    {
      messages: [{ '@type': '/cosmos.bank.v1beta1.MsgSend', ...sendJson }],
      memo: 'm',
      timeout_height: '9',
      unordered: true,
      timeout_timestamp: '1970-01-01T00:00:01.020Z',
      extension_options: [],
      non_critical_extension_options: [],
    },
  ],
  [
    'cosmos.tx.v1beta1.AuthInfo',
    AuthInfo.encode(
      AuthInfo.fromPartial({
        signerInfos: [
          {
            publicKey: { typeUrl: any['@type'], value: pubKey },
            modeInfo: { single: { mode: SignMode.SIGN_MODE_DIRECT } },
            sequence: 18446744073709551615n,
          },
        ],
        fee: { amount: coins, gasLimit: 5n, payer: 'p', granter: '' },
      }),
    ).finish(),
    {
      signer_infos: [
        {
          public_key: any,
          mode_info: { single: { mode: 'SIGN_MODE_DIRECT' } },
          sequence: '18446744073709551615',
        },
      ],
      fee: { amount: coins, gas_limit: '5', payer: 'p', granter: '' },
      tip: null,
    },
  ],
  [
    'cosmos.auth.v1beta1.BaseAccount',
    BaseAccount.encode(
      BaseAccount.fromPartial({
        address: 'a',
        pubKey: { typeUrl: any['@type'], value: pubKey },
        accountNumber: 3n,
        sequence: 4n,
      }),
    ).finish(),
    { address: 'a', pub_key: any, account_number: '3', sequence: '4' },
  ],
  [
    'cosmos.bank.v1beta1.QueryAllBalancesResponse',
    QueryAllBalancesResponse.encode(
      QueryAllBalancesResponse.fromPartial({ balances: coins, pagination: { nextKey: KEY, total: 1n } }),
    ).finish(),
    { balances: coins, pagination: { next_key: KEY_TEXT, total: '1' } },
  ],
  [
    'cosmos.base.abci.v1beta1.TxMsgData',
    TxMsgData.encode(
      TxMsgData.fromPartial({
        msgResponses: [{ typeUrl: '/cosmos.bank.v1beta1.MsgSendResponse', value: new Uint8Array() }],
      }),
    ).finish(),
    { data: [], msg_responses: [{ '@type': '/cosmos.bank.v1beta1.MsgSendResponse' }] },
  ],
];

it.each(CASES)('%s', (type, bytes, json) => {
  expect(codec.decode(`/${type}`, bytes)).toEqual(json);
  expect(Buffer.from(codec.encode(`/${type}`, json)).toString('hex')).toBe(
    Buffer.from(bytes).toString('hex'),
  );
});

it('times are the same instants', () => {
  const type = '/aeva.delegation.v1.MsgDelegate';
  const bytes = codec.encode(type, { until: '2026-11-20T10:00:00.123Z' });
  // field 6, length 12, then the Timestamp
  const until = Timestamp.decode(bytes.subarray(2));
  expect(fromTimestamp(until).toISOString()).toBe('2026-11-20T10:00:00.123Z');
});
