/** Events of shapes that the recording lacks: odd texts, typed events, block events without a mode, odd times. */

import { ALICE, BOB, FEE_COLLECTOR } from './actors.ts';
import { cosmosTx } from './cosmos.ts';
import {
  type BlockCase,
  buildBlock,
  type EventInput,
  type ExpectedEvent,
  type TxInput,
  Verbatim,
} from './layout.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

const odd: readonly EventInput[] = [
  {
    type: 'odd',
    attributes: [
      ['nul', bytes(97, 0, 98)],
      // Go prints U+FFFD for each byte that is no UTF-8.
      ['broken', bytes(0xff, 0x41, 0xc0, 0xfe)],
      ['quotes', 'say "hi" \\ back\\\\slash \\"'],
      ['lines', 'a\n\tb\r\b\f\u007f'],
      ['html', '<a href="x">&</a>'],
      ['', ''],
      ['', 'no key'],
      ['ключ 🔑', 'значение — 价值 \u2028'],
      ['looks like json', '"}],"events":[{"type":"x","attributes":[{"key":"k","value":"v","index":true}]}]'],
      ['ends in a backslash', '\\'],
      ['long', 'x'.repeat(70_000)],
    ],
  },
  { type: 'empty list', attributes: [] },
  { type: 'no list' },
  { type: 'with "quotes" and \\', attributes: [['k', 'v']] },
  {
    type: 'msg_index that is no number',
    attributes: [
      ['k', 'v'],
      ['msg_index', '1a'],
    ],
  },
  {
    type: 'msg_index in the middle',
    attributes: [
      ['msg_index', '3'],
      ['k', 'v'],
    ],
  },
];
const plain = (
  type: string,
  pairs: readonly (readonly [string, string])[],
  msgIndex: number | null = null,
): ExpectedEvent => ({
  ...{ type, msg_index: msgIndex, decoded: null },
  attributes: pairs.map(([key, value]) => ({ key, value })),
});
const oddExpected: readonly ExpectedEvent[] = [
  plain('odd', [
    ['nul', 'a\u0000b'],
    ['broken', '\ufffdA\ufffd\ufffd'],
    ['quotes', 'say "hi" \\ back\\\\slash \\"'],
    ['lines', 'a\n\tb\r\b\f\u007f'],
    ['html', '<a href="x">&</a>'],
    ['', ''],
    ['', 'no key'],
    ['ключ 🔑', 'значение — 价值 \u2028'],
    ['looks like json', '"}],"events":[{"type":"x","attributes":[{"key":"k","value":"v","index":true}]}]'],
    ['ends in a backslash', '\\'],
    ['long', 'x'.repeat(70_000)],
  ]),
  plain('empty list', []),
  plain('no list', []),
  plain('with "quotes" and \\', [['k', 'v']]),
  plain('msg_index that is no number', [
    ['k', 'v'],
    ['msg_index', '1a'],
  ]),
  plain('msg_index in the middle', [
    ['msg_index', '3'],
    ['k', 'v'],
  ]),
];

/** A tx without messages that only carries events. */
const carrier = (
  events: readonly EventInput[],
  expected: readonly ExpectedEvent[],
  accounts: readonly string[] = [],
): TxInput => ({
  bytes: cosmosTx([], {}),
  events,
  expected: { msgs: [], fee: [], events: expected, accounts },
});

/** Nothing may be truncated or crash, in a tx or at block level. */
export const oddTexts: BlockCase = {
  name: 'NUL, broken UTF-8, quotes, backslashes and empty keys in events',
  build: (place) =>
    buildBlock(oddTexts.name, place, {
      blockEvents: odd,
      expectedEvents: oddExpected.map((event) => ({ ...event, msg_index: null })),
      txs: [carrier(odd, oddExpected)],
    }),
};

/** Escapes that Go does not print but JSON allows: a proxy in between may. */
export const foreignEscapes: BlockCase = {
  name: 'JSON escapes of another printer',
  build: (place) =>
    buildBlock(foreignEscapes.name, place, {
      txs: [
        carrier(
          [{ type: 'escapes', attributes: [['k', new Verbatim('"\\u0041\\/\\ud83d\\udd25\\u00e9"')]] }],
          [plain('escapes', [['k', 'A/🔥é']])],
        ),
      ],
    }),
};

/** 0.34's base64 holds any bytes: NUL and broken UTF-8 come out as a 0.38 node prints them. */
export const oddTexts034: BlockCase = {
  name: '0.34 events with NUL and broken UTF-8',
  build: (place) =>
    buildBlock(oddTexts034.name, place, {
      layout: '0.34',
      txs: [
        carrier(
          [
            {
              type: 'odd',
              attributes: [
                ['bytes', bytes(0, 0xff, 0x22, 0x5c)],
                ['text', 'ü 🔥'],
              ],
            },
          ],
          [
            plain('odd', [
              ['bytes', '\u0000\ufffd"\\'],
              ['text', 'ü 🔥'],
            ]),
          ],
        ),
      ],
    }),
};

/** 0.37 has 0.34's two lists and 0.38's plain texts, values that happen to be base64 included. */
export const results037: BlockCase = {
  name: '0.37 block_results',
  build: (place) => {
    const pairs = [
      ['amount', '12uusd'],
      ['data', 'AQID'],
      ['sender', ALICE.bech32],
    ] as const;
    return buildBlock(results037.name, place, {
      layout: '0.37',
      blockEvents: [{ type: 'mint', attributes: pairs }],
      endBlockEvents: [{ type: 'unbond', attributes: pairs }],
      expectedEvents: [
        { ...plain('mint', pairs), mode: 'BeginBlock' },
        { ...plain('unbond', pairs), mode: 'EndBlock' },
      ],
      txs: [carrier([{ type: 'note', attributes: pairs }], [plain('note', pairs)])],
    });
  },
};

/** PreBlock events carry no mode; neither do those of an SDK before 0.50. A mode that is not last is an attribute. */
export const withoutMode: BlockCase = {
  name: 'block events without a mode',
  build: (place) =>
    buildBlock(withoutMode.name, place, {
      blockEvents: [
        { type: 'upgrade', attributes: [['name', 'v2']] },
        {
          type: 'mode in the middle',
          attributes: [
            ['mode', 'BeginBlock'],
            ['k', 'v'],
          ],
        },
        { type: 'another mode', attributes: [['mode', 'PreBlock']] },
        {
          type: 'mint',
          attributes: [
            ['amount', '1'],
            ['mode', 'EndBlock'],
          ],
        },
      ],
      expectedEvents: [
        plain('upgrade', [['name', 'v2']]),
        plain('mode in the middle', [
          ['mode', 'BeginBlock'],
          ['k', 'v'],
        ]),
        plain('another mode', [['mode', 'PreBlock']]),
        {
          ...plain('mint', [
            ['amount', '1'],
            ['mode', 'EndBlock'],
          ]),
          mode: 'EndBlock',
        },
      ],
    }),
};

const GRANT = 'cosmos.authz.v1beta1.EventGrant';
const EXEC = 'cosmos.group.v1.EventExec';
const VOTE = 'cosmos.group.v1.EventVote';
const grantPairs = [
  ['grantee', `"${BOB.bech32}"`],
  ['granter', `"${ALICE.bech32}"`],
  ['msg_type_url', '"/cosmos.bank.v1beta1.MsgSend"'],
] as const;
const execPairs = [
  ['logs', '"a \\"quoted\\" log"'],
  ['proposal_id', '"18446744073709551615"'],
  ['result', '"PROPOSAL_EXECUTOR_RESULT_SUCCESS"'],
] as const;
const grant = { msg_type_url: '/cosmos.bank.v1beta1.MsgSend', granter: ALICE.bech32, grantee: BOB.bech32 };
const barePairs = [
  ['grantee', BOB.bech32],
  ['granter', ALICE.bech32],
  ['msg_type_url', '/cosmos.bank.v1beta1.MsgSend'],
] as const;
const index = ['msg_index', '0'] as const;

/** Values are raw JSON; some chains strip the quotes; a field that is left out has its default. */
export const typedEvents: BlockCase = {
  name: 'typed events',
  build: (place) =>
    buildBlock(typedEvents.name, place, {
      blockEvents: [{ type: EXEC, attributes: [...execPairs, ['mode', 'EndBlock']] }],
      expectedEvents: [
        {
          ...plain(EXEC, [...execPairs, ['mode', 'EndBlock']]),
          mode: 'EndBlock',
          decoded: {
            ...{ proposal_id: '18446744073709551615', result: 'PROPOSAL_EXECUTOR_RESULT_SUCCESS' },
            logs: 'a "quoted" log',
          },
        },
      ],
      txs: [
        carrier(
          [
            { type: GRANT, attributes: [...grantPairs, index] },
            { type: GRANT, attributes: [...barePairs, index] },
            { type: VOTE, attributes: [index] },
            { type: 'made.up.v1.EventNothing', attributes: [['k', '"v"'], index] },
          ],
          [
            { ...plain(GRANT, [...grantPairs, index], 0), decoded: grant },
            { ...plain(GRANT, [...barePairs, index], 0), decoded: grant },
            { ...plain(VOTE, [index], 0), decoded: { proposal_id: '0' } },
            // A name that no descriptor knows is a plain event.
            plain('made.up.v1.EventNothing', [['k', '"v"'], index], 0),
          ],
        ),
      ],
    }),
};

/** Module accounts, values that are no address and amounts that are empty, in bank events. */
export const bankEvents: BlockCase = {
  name: 'bank events with module accounts and odd values',
  build: (place) => {
    const events: readonly EventInput[] = [
      {
        type: 'coin_spent',
        attributes: [
          ['spender', ALICE.bech32],
          ['amount', ''],
        ],
      },
      {
        type: 'coin_received',
        attributes: [
          ['receiver', FEE_COLLECTOR],
          ['amount', '1atest'],
        ],
      },
      {
        type: 'transfer',
        attributes: [
          ['recipient', BOB.bech32],
          ['sender', FEE_COLLECTOR],
          ['amount', '1atest,2uusd'],
        ],
      },
      {
        type: 'coin_received',
        attributes: [
          ['receiver', 'not an address'],
          ['amount', '1atest'],
        ],
      },
      {
        type: 'coin_spent',
        attributes: [
          ['spender', `${ALICE.bech32}x`],
          ['amount', '1atest'],
        ],
      },
      {
        type: 'transfer',
        attributes: [
          ['recipient', ''],
          ['sender', ''],
        ],
      },
      // Another module's event of another type moves no bank coin.
      {
        type: 'withdraw_rewards',
        attributes: [['delegator', 'cosmos1s7dk0ukk9dl3kx5met4r5rvw86qmz9qj696lh2']],
      },
    ];
    const expected = events.map(({ type, attributes }) => plain(type, attributes as [string, string][]));
    return buildBlock(bankEvents.name, place, {
      txs: [carrier(events, expected, [ALICE.bech32, BOB.bech32])],
    });
  },
};

const TIMES = [
  ['2026-03-01T23:59:58Z', '2026-03-01T23:59:58Z'],
  ['2026-03-01T23:59:58.1Z', '2026-03-01T23:59:58.1Z'],
  ['2026-03-01T23:59:58.12Z', '2026-03-01T23:59:58.12Z'],
  ['2026-03-01T23:59:58.123Z', '2026-03-01T23:59:58.123Z'],
  ['2026-03-01T23:59:58.1234Z', '2026-03-01T23:59:58.1234Z'],
  ['2026-03-01T23:59:58.12345Z', '2026-03-01T23:59:58.12345Z'],
  ['2026-03-01T23:59:58.123456Z', '2026-03-01T23:59:58.123456Z'],
  ['2026-03-01T23:59:58.1234567Z', '2026-03-01T23:59:58.1234567Z'],
  ['2026-03-01T23:59:58.12345678Z', '2026-03-01T23:59:58.12345678Z'],
  ['2026-03-01T23:59:58.999999999Z', '2026-03-01T23:59:58.999999999Z'],
  ['2026-03-01T23:59:59.000000001Z', '2026-03-01T23:59:59.000000001Z'],
  ['2026-03-02T00:00:00.120000000Z', '2026-03-02T00:00:00.12Z'],
  ['2026-03-02T00:00:00.000000000Z', '2026-03-02T00:00:00Z'],
] as const;

/** Nanoseconds are kept, trailing zeros dropped. */
export const times: readonly BlockCase[] = TIMES.map(([time, expectedTime]) => {
  const name = `block time ${time}`;
  return { name, build: (place) => buildBlock(name, place, { time, expectedTime }) };
});
