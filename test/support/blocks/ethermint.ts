/** The ethermint shape: `Any data`, string hash and from, responses in TxMsgData.data; and 0.34 block_results. */

import { id, zeroPadValue } from 'ethers';
import { ALICE, BOB, CAROL, DAVE, FEE_COLLECTOR, TOKEN } from './actors.ts';
import { cosmosTx, SEND_URL, send } from './cosmos.ts';
import {
  ETHERMINT_URL,
  ethereumTx,
  ethermintMessage,
  expectEvm,
  GAS_FEE,
  msgData,
  response,
  sign,
} from './ethereum.ts';
import {
  type BlockCase,
  base64,
  buildBlock,
  type EventInput,
  type ExpectedEvm,
  type TxInput,
  Verbatim,
} from './layout.ts';
import { errorString } from './outcomes.ts';

type Message = ReturnType<typeof ethermintMessage>;

/** The recorded descriptor set does not know ethermint's types: the message is kept as its bytes. */
const asBytes = (message: Message) => ({ '@type': ETHERMINT_URL, value: base64(message.value) });

function ethermintTx(
  message: Message,
  responseBytes: Uint8Array,
  evm: ExpectedEvm,
  accounts: readonly string[],
): TxInput {
  return {
    bytes: ethereumTx([message], ETHERMINT_URL),
    data: msgData([{ url: ETHERMINT_URL, value: responseBytes }]),
    gasUsed: evm.view.gas_used,
    expected: { msgs: [asBytes(message)], fee: [GAS_FEE], evm: [evm], accounts },
  };
}

const legacy = sign(ALICE, { type: 0, nonce: 1, to: BOB.hex, value: 3n * 10n ** 18n, gasPrice: 11n });
const accessList = sign(BOB, {
  ...{ type: 1, nonce: 300, to: TOKEN.hex, data: '0xa9059cbb00', gasPrice: 12n },
  accessList: [{ address: TOKEN.hex, storageKeys: [`0x${'0'.repeat(63)}1`] }],
});
const dynamicFee = sign(CAROL, {
  type: 2,
  nonce: 0,
  to: null,
  data: '0x6001',
  maxFeePerGas: 30n,
  maxPriorityFeePerGas: 2n,
});
const anteFailure = sign(DAVE, { type: 0, nonce: 9, to: BOB.hex, value: 8n, gasPrice: 11n });
/** CREATE(CAROL, 0). */
const CREATED = {
  hex: '0xCF23E7Ac4477F4D7b93FeA8512afbC21F532Dcc6',
  bech32: 'cosmos1eu370tzywl6d0wfla2z39tauy86n9hxxmszuez',
};
const noFunds = 'insufficient funds';

/** A sender in hex, one that only the events name, one that only the signature names. */
export const ethermintShapes: BlockCase = {
  name: 'ethermint: legacy, access list and dynamic fee data',
  build: (place) => {
    const failed = ethermintMessage(anteFailure, { hash: anteFailure.hash ?? '', from: DAVE.hex });
    return buildBlock(ethermintShapes.name, place, {
      txs: [
        ethermintTx(
          ethermintMessage(legacy, { hash: legacy.hash ?? '', from: ALICE.hex }),
          response({ hash: legacy.hash ?? '', gasUsed: 21_000 }),
          expectEvm(legacy, { from: ALICE.hex, gasUsed: 21_000, status: 1 }),
          [ALICE.bech32, BOB.bech32],
        ),
        {
          ...ethermintTx(
            ethermintMessage(accessList, { hash: '', from: '' }),
            response({
              ...{ hash: accessList.hash ?? '', gasUsed: 44_000 },
              ...{ ret: errorString('paused'), vmError: 'execution reverted' },
            }),
            expectEvm(accessList, { from: BOB.hex, gasUsed: 44_000, status: 0, revertReason: 'paused' }),
            [BOB.bech32, TOKEN.bech32],
          ),
          events: [
            {
              type: 'message',
              attributes: [
                ['module', 'evm'],
                ['sender', BOB.hex.toLowerCase()],
                ['txType', '1'],
                ['msg_index', '0'],
              ],
            },
          ],
        },
        ethermintTx(
          ethermintMessage(dynamicFee, { hash: '', from: '' }),
          response({ hash: dynamicFee.hash ?? '', gasUsed: 53_000 }),
          expectEvm(dynamicFee, { from: CAROL.hex, gasUsed: 53_000, status: 1, contract: CREATED.hex }),
          [CAROL.bech32, CREATED.bech32],
        ),
        {
          ...{
            bytes: ethereumTx([failed], ETHERMINT_URL),
            code: 5,
            codespace: 'sdk',
            log: noFunds,
            gasUsed: 0,
          },
          expected: {
            msgs: [asBytes(failed)],
            fee: [GAS_FEE],
            evm: [expectEvm(anteFailure, { from: DAVE.hex, gasUsed: 0, status: 0, revertReason: noFunds })],
            accounts: [DAVE.bech32, BOB.bech32],
          },
        },
      ],
    });
  },
};

const oldSend = send(ALICE.bech32, BOB.bech32, [{ denom: 'uusd', amount: '4' }]);
const logged = sign(ALICE, { type: 0, nonce: 2, to: TOKEN.hex, gasPrice: 11n });
const transferTopics = [id('Transfer(address,address,uint256)'), ALICE.hex, CAROL.hex].map((topic) =>
  zeroPadValue(topic, 32).toLowerCase(),
);
const oldLog = { index: 2, address: TOKEN.hex, topics: transferTopics, data: '0x0c' };
/** ethermint's JSON of a log, one an attribute. */
const txLog = {
  ...{
    address: TOKEN.hex,
    topics: transferTopics,
    data: 'DA==',
    blockNumber: 3,
    transactionHash: logged.hash,
  },
  ...{ transactionIndex: 0, blockHash: `0x${'0'.repeat(64)}`, logIndex: 2 },
};

const moved: readonly EventInput[] = [
  {
    type: 'coin_spent',
    attributes: [
      ['spender', ALICE.bech32],
      ['amount', '4uusd'],
    ],
  },
  {
    type: 'coin_received',
    attributes: [
      ['receiver', FEE_COLLECTOR],
      ['amount', '4uusd'],
    ],
  },
];
const minted: readonly EventInput[] = [{ type: 'mint', attributes: [['amount', '5']] }];
const nulls: readonly EventInput[] = [
  {
    type: 'liveness',
    attributes: [
      ['address', null],
      ['', 'x'],
    ],
  },
];

/** Two lists of block events, base64 keys and values, null for an empty value, logs in a tx_log event. */
export const results034: BlockCase = {
  name: '0.34 block_results',
  build: (place) => {
    const message = ethermintMessage(logged, { hash: logged.hash ?? '', from: ALICE.hex });
    return buildBlock(results034.name, place, {
      layout: '0.34',
      blockEvents: minted,
      endBlockEvents: nulls,
      txs: [
        {
          bytes: cosmosTx([oldSend], { fee: [GAS_FEE], signers: [ALICE] }),
          data: msgData([{ url: SEND_URL, value: new Uint8Array() }]),
          log: '[{"events":[{"type":"coin_spent"}]}]',
          events: moved,
          expected: {
            msgs: [
              {
                ...{ '@type': SEND_URL, from_address: ALICE.bech32, to_address: BOB.bech32 },
                amount: [{ denom: 'uusd', amount: '4' }],
              },
            ],
            fee: [GAS_FEE],
            accounts: [ALICE.bech32],
          },
        },
        // No response in data: the logs of the tx_log events are all there is.
        {
          bytes: ethereumTx([message], ETHERMINT_URL),
          gasUsed: 30_000,
          events: [{ type: 'tx_log', attributes: [['txLog', JSON.stringify(txLog)]] }],
          expected: {
            msgs: [asBytes(message)],
            fee: [GAS_FEE],
            evm: [expectEvm(logged, { from: ALICE.hex, gasUsed: 30_000, status: 1, logs: [oldLog] })],
            accounts: [ALICE.bech32, TOKEN.bech32, CAROL.bech32],
          },
        },
      ],
      expectedEvents: [
        {
          type: 'mint',
          msg_index: null,
          mode: 'BeginBlock',
          attributes: [{ key: 'amount', value: '5' }],
          decoded: null,
        },
        {
          ...{ type: 'liveness', msg_index: null, mode: 'EndBlock', decoded: null },
          attributes: [
            { key: 'address', value: '' },
            { key: '', value: 'x' },
          ],
        },
      ],
    });
  },
};

/** The same block as nodes of 0.34 answer it while it is empty: null where a list could stand. */
export const empty034: BlockCase = {
  name: '0.34 block_results with nulls',
  build: (place) =>
    buildBlock(empty034.name, place, {
      results: {
        height: String(place.height),
        ...{ txs_results: null, begin_block_events: null, end_block_events: null },
        ...{ validator_updates: null, consensus_param_updates: null },
      },
    }),
};

/** 0.38 members that another version leaves out or sets to null. */
export const sparseResults: BlockCase = {
  name: 'block_results with missing members',
  build: (place) =>
    buildBlock(sparseResults.name, place, { results: new Verbatim(`{"height":"${place.height}"}`) }),
};
