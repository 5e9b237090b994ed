/** Cosmos txs of shapes that the recording lacks: fees, several signers, unknown messages, broken bytes. */

import { MsgExec } from 'cosmjs-types/cosmos/authz/v1beta1/tx';
import { ALICE, BOB, CAROL, DAVE } from './actors.ts';
import {
  any,
  authInfoBytes,
  bodyBytes,
  cosmosTx,
  MULTI_SEND_URL,
  multiSend,
  rawTx,
  SEND_URL,
  send,
} from './cosmos.ts';
import { type BlockCase, base64, buildBlock, type TxInput } from './layout.ts';

const usd = (amount: string) => [{ denom: 'uusd', amount }];
const sendAtoB = send(ALICE.bech32, BOB.bech32, usd('1'));
const sendAtoBJson = {
  ...{ '@type': SEND_URL, from_address: ALICE.bech32, to_address: BOB.bech32 },
  amount: usd('1'),
};
const bigFee = [
  {
    denom: 'atest',
    amount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  },
  { denom: 'ibc/27394FB092D2ECCD56123C74F36E4C1F926001CEADA9CA97EA622B25F41E5EB2', amount: '0' },
  { denom: 'uusd', amount: '7' },
];

/** A named recipient of a message takes part only when its coins move: there are no events here. */
export const fees: BlockCase = {
  name: 'several fee coins, none, a fee payer and a fee granter',
  build: (place) =>
    buildBlock(fees.name, place, {
      txs: [
        {
          bytes: cosmosTx([sendAtoB], { signers: [ALICE], fee: bigFee }),
          expected: { msgs: [sendAtoBJson], fee: bigFee, accounts: [ALICE.bech32] },
        },
        {
          bytes: cosmosTx([sendAtoB], { signers: [ALICE] }),
          expected: { msgs: [sendAtoBJson], fee: [], accounts: [ALICE.bech32] },
        },
        {
          bytes: cosmosTx([sendAtoB], { signers: [ALICE, CAROL], fee: usd('9'), payer: CAROL.bech32 }),
          expected: { msgs: [sendAtoBJson], fee: usd('9'), accounts: [ALICE.bech32, CAROL.bech32] },
        },
        {
          bytes: cosmosTx([sendAtoB], { signers: [ALICE], fee: usd('9'), granter: DAVE.bech32 }),
          expected: { msgs: [sendAtoBJson], fee: usd('9'), accounts: [ALICE.bech32] },
        },
      ],
    }),
};

/** The signer option of MsgMultiSend names its inputs, and that of an input its address. */
export const severalSigners: BlockCase = {
  name: 'a multi-send with several signers, and two messages of two signers',
  build: (place) => {
    const inputs = [ALICE, CAROL].map(({ bech32 }) => ({ address: bech32, coins: usd('2') }));
    const outputs = [{ address: BOB.bech32, coins: usd('4') }];
    return buildBlock(severalSigners.name, place, {
      txs: [
        {
          bytes: cosmosTx([multiSend(inputs, outputs)], { signers: [ALICE, CAROL] }),
          expected: {
            msgs: [{ '@type': MULTI_SEND_URL, inputs, outputs }],
            accounts: [ALICE.bech32, CAROL.bech32],
          },
        },
        {
          bytes: cosmosTx([sendAtoB, send(DAVE.bech32, ALICE.bech32, [])], { signers: [ALICE, DAVE] }),
          expected: {
            msgs: [
              sendAtoBJson,
              { '@type': SEND_URL, from_address: DAVE.bech32, to_address: ALICE.bech32, amount: [] },
            ],
            accounts: [ALICE.bech32, DAVE.bech32],
          },
        },
      ],
    });
  },
};

const NOTHING_URL = '/made.up.v1.MsgNothing';
const nothing = any(NOTHING_URL, Uint8Array.from([1, 2, 255, 0]));
const nothingJson = { '@type': NOTHING_URL, value: 'AQL/AA==' };
const EXEC_URL = '/cosmos.authz.v1beta1.MsgExec';

/** Kept as {"@type", "value"}, alone, between known messages and inside one. */
export const unknownMessages: BlockCase = {
  name: 'messages of unknown types',
  build: (place) => {
    const exec = any(EXEC_URL, MsgExec.encode({ grantee: BOB.bech32, msgs: [nothing, sendAtoB] }).finish());
    const brokenSend = any(SEND_URL, Uint8Array.from([0x0a, 0x2d, 0x63]));
    return buildBlock(unknownMessages.name, place, {
      txs: [
        { bytes: cosmosTx([nothing]), expected: { msgs: [nothingJson] } },
        {
          bytes: cosmosTx([sendAtoB, nothing, sendAtoB], { signers: [ALICE] }),
          expected: { msgs: [sendAtoBJson, nothingJson, sendAtoBJson], accounts: [ALICE.bech32] },
        },
        {
          bytes: cosmosTx([exec], { signers: [BOB] }),
          expected: {
            msgs: [{ '@type': EXEC_URL, grantee: BOB.bech32, msgs: [nothingJson, sendAtoBJson] }],
            accounts: [BOB.bech32],
          },
        },
        // A known type whose bytes do not parse is kept the same way: what else could be said of it?
        {
          bytes: cosmosTx([brokenSend, sendAtoB], { signers: [ALICE] }),
          expected: {
            msgs: [{ '@type': SEND_URL, value: base64(brokenSend.value) }, sendAtoBJson],
            accounts: [ALICE.bech32],
          },
        },
      ],
    });
  },
};

function unreadable(bytes: Uint8Array): TxInput {
  const failure = { code: 2, codespace: 'sdk', log: 'tx parse error', gasWanted: 0, gasUsed: 0 };
  return { bytes, ...failure, expected: { msgs: [], fee: undefined } };
}

/** Bytes that are no tx keep their row, and the good tx after them its index. */
export const brokenTxs: BlockCase = {
  name: 'a vote-extension blob in slot 0 and broken tx bytes',
  build: (place) => {
    const body = bodyBytes([sendAtoB]);
    const authInfo = authInfoBytes({ signers: [ALICE], fee: usd('9') });
    const whole = cosmosTx([sendAtoB], { signers: [ALICE] });
    return buildBlock(brokenTxs.name, place, {
      txs: [
        // Not a failed tx: chains that put vote extensions here answer an empty result for the slot.
        {
          bytes: Buffer.from('{"height":7,"votes":[{"extension":"AAEC","power":"2268"}]}'),
          ...{ gasWanted: 0, gasUsed: 0 },
          expected: { msgs: [], fee: undefined },
        },
        unreadable(Uint8Array.from({ length: 64 }, (_, i) => 255 - i)),
        unreadable(new Uint8Array()),
        unreadable(whole.subarray(0, whole.length - 70)),
        unreadable(rawTx(body.subarray(0, body.length - 3), authInfo, 1)),
        // A body that parses shows its messages, whatever stands beside it.
        {
          bytes: rawTx(body, authInfo.subarray(0, authInfo.length - 3), 1),
          ...{ code: 2, codespace: 'sdk', log: 'tx parse error' },
          expected: { msgs: [sendAtoBJson], fee: undefined, accounts: [ALICE.bech32] },
        },
        { bytes: whole, expected: { msgs: [sendAtoBJson], accounts: [ALICE.bech32] } },
      ],
    });
  },
};
