/** Outcomes of EVM calls in the shape of cosmos/evm from v0.4: one Ethereum message a tx unless the case says so. */

import { AbiCoder, concat, getBytes, id, type Transaction, zeroPadValue } from 'ethers';
import { type Actor, ALICE, BOB, CAROL, DAVE, EVM_CHAIN_ID, ROUTER, TOKEN } from './actors.ts';
import { any, cosmosTx, SEND_URL, send } from './cosmos.ts';
import {
  ethereumTx,
  expectEvm,
  GAS_FEE,
  msgData,
  msgResponses,
  type ResponseInput,
  response,
  sign,
  VM_URL,
  vmMessage,
  vmMessageJson,
} from './ethereum.ts';
import { type BlockCase, buildBlock, type ExpectedEvm, type ExpectedLog, type TxInput } from './layout.ts';

const TRANSFER = id('Transfer(address,address,uint256)');
const ZERO = `0x${'0'.repeat(40)}`;
const word = (address: string): string => zeroPadValue(address, 32).toLowerCase();
const abi = AbiCoder.defaultAbiCoder();

/** solidity's Error(string), Panic(uint256) and a custom error. */
export const errorString = (reason: string): string =>
  concat(['0x08c379a0', abi.encode(['string'], [reason])]);
const panic = (code: number): string => concat(['0x4e487b71', abi.encode(['uint256'], [code])]);
const customError = concat([id('Denied(address)').slice(0, 10), abi.encode(['address'], [ALICE.hex])]);

const transferLog = (index: number, from: string, to: string): ExpectedLog => ({
  index,
  address: TOKEN.hex,
  topics: [TRANSFER, word(from), word(to)],
  data: abi.encode(['uint256'], [12n]),
});

interface Call {
  readonly actor: Actor;
  readonly tx: Transaction;
  readonly result: Omit<ResponseInput, 'hash'>;
  readonly expected: ExpectedEvm;
  /** Besides sender and recipient. */
  readonly parties?: readonly string[];
}

/** An executed tx of one message. */
function executed({ actor, tx, result, expected, parties }: Call): TxInput {
  return {
    bytes: ethereumTx([vmMessage(tx, actor.hex)]),
    data: msgResponses([{ url: VM_URL, value: response({ ...result, hash: tx.hash ?? '' }) }]),
    gasUsed: result.gasUsed,
    expected: {
      msgs: [vmMessageJson(tx, actor.hex)],
      fee: [GAS_FEE],
      evm: [expected],
      accounts: [actor.bech32, ...(parties ?? [])],
    },
  };
}

/** A call of TOKEN by ALICE that fails in the EVM: code 0, vm_error and ret in the response. */
function reverted(nonce: number, ret: string, vmError: string, revertReason: string): TxInput {
  const tx = sign(ALICE, { type: 2, nonce, to: TOKEN.hex, data: '0xa9059cbb', maxFeePerGas: 20n });
  return executed({
    actor: ALICE,
    tx,
    result: { gasUsed: 30_000, ret, vmError },
    expected: expectEvm(tx, { from: ALICE.hex, gasUsed: 30_000, status: 0, revertReason }),
    parties: [TOKEN.bech32],
  });
}

/** Every way in which a call can fail, with the text that each shows. */
export const failedCalls: BlockCase = {
  name: 'EVM calls that fail: Error(string), custom error, panic, no data, VM errors',
  build: (place) =>
    buildBlock(failedCalls.name, place, {
      txs: [
        reverted(0, errorString('too hot'), 'execution reverted', 'too hot'),
        reverted(
          1,
          errorString('zu heiß 🔥 "quoted" \\ \n'),
          'execution reverted',
          'zu heiß 🔥 "quoted" \\ \n',
        ),
        reverted(2, errorString(''), 'execution reverted', ''),
        reverted(3, customError, 'execution reverted', 'execution reverted'),
        reverted(4, panic(0x11), 'execution reverted', 'execution reverted'),
        reverted(5, '0x', 'execution reverted', 'execution reverted'),
        reverted(6, '0x', 'out of gas', 'out of gas'),
        // The selector of Error(string) before bytes that are no string: there is no reason to show.
        reverted(7, '0x08c379a0ffff', 'execution reverted', 'execution reverted'),
      ],
    }),
};

const creation = sign(BOB, { type: 1, nonce: 41, to: null, data: '0x6001600155', gasPrice: 7n, value: 5n });
const failedCreation = sign(BOB, { type: 2, nonce: 42, to: null, data: '0xfe', maxFeePerGas: 20n });
/** CREATE(BOB, 41). */
const CREATED = {
  hex: '0xF0617D0b3A72B283E36a29FA03E7C40de919aBb0',
  bech32: 'cosmos17psh6ze6w2eg8cm298aq8e7yph53n2asql3rs0',
};

/** A creation deploys CREATE(from, nonce), a reverted one nothing. */
export const creations: BlockCase = {
  name: 'EVM contract creations',
  build: (place) =>
    buildBlock(creations.name, place, {
      txs: [
        executed({
          actor: BOB,
          tx: creation,
          result: { gasUsed: 60_000, ret: '0x60016001' },
          expected: expectEvm(creation, { from: BOB.hex, gasUsed: 60_000, status: 1, contract: CREATED.hex }),
          parties: [CREATED.bech32],
        }),
        executed({
          actor: BOB,
          tx: failedCreation,
          result: { gasUsed: 50_000, ret: errorString('no'), vmError: 'execution reverted' },
          expected: expectEvm(failedCreation, {
            from: BOB.hex,
            gasUsed: 50_000,
            status: 0,
            revertReason: 'no',
          }),
        }),
      ],
    }),
};

const logs: readonly ExpectedLog[] = [
  { index: 3, address: ROUTER.hex, topics: [], data: '0x' },
  { index: 4, address: ROUTER.hex, topics: [id('One()')], data: '0x00ff' },
  transferLog(5, ALICE.hex, BOB.hex),
  // A mint: the zero address is no party.
  transferLog(6, ZERO, CAROL.hex),
  // ERC-721: the token id is indexed, too.
  {
    index: 7,
    address: TOKEN.hex,
    topics: [TRANSFER, word(CAROL.hex), word(DAVE.hex), word('0x01')],
    data: '0x',
  },
  // Transfer's topic with one indexed party is another event.
  {
    index: 9,
    address: TOKEN.hex,
    topics: [TRANSFER, word(ROUTER.hex)],
    data: abi.encode(['address'], [ROUTER.hex]),
  },
];
const logging = sign(ALICE, { type: 0, nonce: 50, to: TOKEN.hex, gasPrice: 9n });

/** Logs keep the node's numbering, gaps included. */
export const loggingCall: BlockCase = {
  name: 'EVM logs with 0 to 4 topics',
  build: (place) =>
    buildBlock(loggingCall.name, place, {
      txs: [
        executed({
          actor: ALICE,
          tx: logging,
          result: { gasUsed: 70_000, logs },
          expected: expectEvm(logging, { from: ALICE.hex, gasUsed: 70_000, status: 1, logs }),
          parties: [TOKEN.bech32, BOB.bech32, CAROL.bech32, DAVE.bech32],
        }),
      ],
    }),
};

const firstCall = sign(ALICE, { type: 2, nonce: 60, to: BOB.hex, value: 10n ** 30n, maxFeePerGas: 20n });
const secondCall = sign(ALICE, { type: 0, nonce: 61, to: TOKEN.hex, gasPrice: 9n });
const firstLogs = [transferLog(0, CAROL.hex, BOB.hex)];
const secondMsgs = [vmMessageJson(firstCall, ALICE.hex), vmMessageJson(secondCall, ALICE.hex)];
const twoResponses = [
  { url: VM_URL, value: response({ hash: firstCall.hash ?? '', gasUsed: 21_000, logs: firstLogs }) },
  {
    url: VM_URL,
    value: response({
      ...{ hash: secondCall.hash ?? '', gasUsed: 40_000 },
      ...{ ret: errorString('second fails'), vmError: 'execution reverted' },
    }),
  },
];
const twoViews = [
  expectEvm(firstCall, { from: ALICE.hex, gasUsed: 21_000, status: 1, logs: firstLogs }),
  expectEvm(secondCall, { from: ALICE.hex, gasUsed: 40_000, status: 0, revertReason: 'second fails' }),
];
const twoParties = [ALICE.bech32, BOB.bech32, CAROL.bech32, TOKEN.bech32];

/** The n-th Ethereum message pairs with the n-th MsgEthereumTxResponse, whatever stands between. */
export const twoMessages: BlockCase = {
  name: 'two Ethereum messages in one tx',
  build: (place) =>
    buildBlock(twoMessages.name, place, {
      txs: [
        {
          bytes: ethereumTx([vmMessage(firstCall, ALICE.hex), vmMessage(secondCall, ALICE.hex)]),
          data: msgResponses(twoResponses),
          gasUsed: 61_000,
          expected: { msgs: secondMsgs, fee: [GAS_FEE], evm: twoViews, accounts: twoParties },
        },
        {
          bytes: cosmosTx([vmMessage(firstCall, ALICE.hex), bankSend(), vmMessage(secondCall, ALICE.hex)], {
            fee: [GAS_FEE],
            signers: [DAVE],
          }),
          data: msgResponses([
            {
              url: VM_URL,
              value: response({ hash: firstCall.hash ?? '', gasUsed: 21_000, logs: firstLogs }),
            },
            { url: SEND_URL, value: new Uint8Array() },
            ...twoResponses.slice(1),
          ]),
          expected: {
            msgs: [secondMsgs[0] ?? null, bankSendJson, secondMsgs[1] ?? null],
            fee: [GAS_FEE],
            evm: [twoViews[0] ?? null, null, twoViews[1] ?? null],
            accounts: [...twoParties, DAVE.bech32],
          },
        },
        {
          bytes: ethereumTx([vmMessage(firstCall, ALICE.hex), vmMessage(secondCall, ALICE.hex)]),
          data: msgData(twoResponses),
          expected: { msgs: secondMsgs, fee: [GAS_FEE], evm: twoViews, accounts: twoParties },
        },
      ],
    }),
};

function bankSend() {
  return send(DAVE.bech32, BOB.bech32, [{ denom: 'uusd', amount: '1' }]);
}
const bankSendJson = {
  ...{ '@type': SEND_URL, from_address: DAVE.bech32, to_address: BOB.bech32 },
  amount: [{ denom: 'uusd', amount: '1' }],
};

const late = sign(CAROL, { type: 2, nonce: 70, to: DAVE.hex, value: 3n, maxFeePerGas: 20n });
const outOfBlockGas =
  'out of gas in location: block gas meter; gasWanted: 100000, gasUsed: 40100000: out of gas';
const poor = 'failed to check sender balance: sender balance < tx cost (8 < 9): insufficient funds';

/** code != 0: there is no response, so that fields come from the message and the tx. */
export const notExecuted: BlockCase = {
  name: 'Ethereum txs that failed outside the EVM',
  build: (place) =>
    buildBlock(notExecuted.name, place, {
      txs: [
        { ...notExecutedTx(poor, 5), gasWanted: -1, gasUsed: 0 },
        {
          ...notExecutedTx(outOfBlockGas, 11),
          gasUsed: 21_000,
          events: [{ type: 'tx', attributes: [['fee', '2000000atest']] }],
        },
      ],
    }),
};

function notExecutedTx(log: string, code: number): TxInput {
  const gasUsed = code === 5 ? 0 : 21_000;
  return {
    ...{ bytes: ethereumTx([vmMessage(late, CAROL.hex)]), code, codespace: 'sdk', log },
    expected: {
      msgs: [vmMessageJson(late, CAROL.hex)],
      fee: [GAS_FEE],
      evm: [expectEvm(late, { from: CAROL.hex, gasUsed, status: 0, revertReason: log })],
      accounts: [CAROL.bech32, DAVE.bech32],
    },
  };
}

const unprotected = sign(DAVE, { type: 0, chainId: 0, nonce: 1, to: BOB.hex, gasPrice: 9n, value: 1n });
const delegating = sign(DAVE, {
  ...{ type: 4, nonce: 2, to: BOB.hex, maxFeePerGas: 20n, value: 2n },
  authorizationList: [
    {
      address: TOKEN.hex,
      nonce: 3n,
      chainId: BigInt(EVM_CHAIN_ID),
      signature: CAROL.key.sign(id('authorization')),
    },
  ],
});

/** An unprotected legacy tx whose message names no sender (its signature does), and an EIP-7702 tx. */
export const oddSignatures: BlockCase = {
  name: 'an unprotected legacy tx without from, and an EIP-7702 tx',
  build: (place) => {
    const [legacy, setCode] = [unprotected, delegating].map((tx) =>
      executed({
        actor: DAVE,
        tx,
        result: { gasUsed: 21_000 },
        expected: expectEvm(tx, { from: DAVE.hex, gasUsed: 21_000, status: 1 }),
        parties: [BOB.bech32],
      }),
    ) as [TxInput, TxInput];
    const expected = { ...legacy.expected, msgs: [vmMessageJson(unprotected, null)] };
    const nameless = { ...legacy, bytes: ethereumTx([vmMessage(unprotected, null)]), expected };
    return buildBlock(oddSignatures.name, place, { txs: [nameless, setCode] });
  },
};

/** Raw bytes that are no signed tx: the row stays, and there is no view to show. */
export const brokenEthereumMessage: BlockCase = {
  name: 'an Ethereum message whose signed bytes are broken',
  build: (place) => {
    const value = Uint8Array.from([0x2a, 20, ...getBytes(ALICE.hex), 0x32, 3, 0x02, 0xf8, 0x73]);
    const from = Buffer.from(getBytes(ALICE.hex)).toString('base64');
    const log = 'tx parse error';
    return buildBlock(brokenEthereumMessage.name, place, {
      txs: [
        {
          ...{ bytes: ethereumTx([any(VM_URL, value)]), code: 2, codespace: 'sdk', log },
          expected: {
            msgs: [{ '@type': VM_URL, from, raw: '0x02f873' }],
            fee: [GAS_FEE],
            evm: undefined,
            accounts: [ALICE.bech32],
          },
        },
      ],
    });
  },
};
