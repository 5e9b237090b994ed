import { bech32 } from '@scure/base';
import { expect, it, vi } from 'vitest';
import { readAll } from '../../src/api/rows.ts';
import type { BlockSource } from '../../src/chain/source.ts';
import { openRecordedApi, serveStores } from '../e2e/support/recorded-api.ts';
import { indexInto, recordedSource, withFreshStore } from '../support/indexing.ts';
import { type Json, oracleTxs } from '../support/oracle.ts';
import { changedSource } from '../support/sources.ts';

/** Proposals and votes in the forms that the SDK's versions give their events, put into the recorded chain's blocks. */

vi.setConfig({ testTimeout: 120_000 });

const FROM = 40;
const TO = 70;
const voter = (byte: number) => bech32.encodeFromBytes('cosmos', new Uint8Array(20).fill(byte));
const [ANN, BOB, CAT] = [voter(1), voter(2), voter(3)];

type Attributes = Readonly<Record<string, string>>;
type Events = readonly (readonly [type: string, attributes: Attributes])[];

const event = (type: string, proposal_id: number, more: Attributes = {}) =>
  [type, { ...more, proposal_id: String(proposal_id) }] as const;
const starts = (type: string, id: number) => [type, { voting_period_start: String(id) }] as const;
const message = (sender: string) => ['message', { module: 'governance', sender }] as const;
const json = (...options: readonly (readonly [number, string])[]) =>
  JSON.stringify(options.map(([option, weight]) => ({ option, weight })));

/** By height. */
const EVENTS: ReadonlyMap<number, Events> = new Map<number, Events>([
  // of a proposal that was submitted before the store begins
  [41, [event('proposal_vote', 7, { voter: ANN, option: json([1, '1.000000000000000000']) })]],
  [
    42,
    [
      event('submit_proposal', 8, { proposal_messages: ',/a.MsgA,/b.MsgB', proposal_proposer: ANN }),
      event('proposal_deposit', 8, { amount: '5uatom,7stake', depositor: ANN }),
    ],
  ],
  [43, [event('proposal_deposit', 8, { amount: '10uatom' }), starts('proposal_deposit', 8)]],
  // SDK 0.46, 0.45 and 0.42: the next message event names the voter
  [
    44,
    [
      event('proposal_vote', 8, {
        option:
          'option:VOTE_OPTION_YES weight:"0.500000000000000000" \noption:VOTE_OPTION_NO weight:"0.500000000000000000"',
      }),
      message(ANN),
      event('proposal_vote', 8, { option: '{"option":4,"weight":"1.000000000000000000"}\n' }),
      message(BOB),
      event('proposal_vote', 8, { option: 'VOTE_OPTION_ABSTAIN' }),
      message(CAT),
    ],
  ],
  // an expedited proposal, whose votes the chain deletes when it is rejected
  [45, [event('submit_proposal', 9), starts('submit_proposal', 9)]],
  [46, [event('proposal_vote', 9, { voter: ANN, option: json([3, '1']) })]],
  [50, [event('active_proposal', 9, { proposal_result: 'expedited_proposal_rejected' })]],
  [51, [event('proposal_vote', 9, { voter: BOB, option: json([1, '1.0']) })]],
  // a second vote replaces the first
  [52, [event('proposal_vote', 8, { voter: ANN, option: json([1, '1.000000000000000000']) })]],
  [55, [event('active_proposal', 8, { proposal_result: 'proposal_passed', proposal_log: 'passed' })]],
  [56, [event('submit_proposal', 10), message(CAT)]],
  [57, [event('cancel_proposal', 10)]],
  [
    58,
    [event('submit_proposal', 11), event('inactive_proposal', 11, { proposal_result: 'proposal_dropped' })],
  ],
  // what cannot be read is drift
  [59, [event('proposal_vote', 9, { voter: CAT, option: 'VOTE_OPTION_MAYBE' })]],
  [60, [event('active_proposal', 9, { proposal_result: 'proposal_vanished' })]],
]);

function withGov(source: BlockSource): BlockSource {
  return changedSource(source, {
    line: (height, line) => {
      const events = (EVENTS.get(height) ?? []).map(([type, attributes]) => ({
        type,
        attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })),
      }));
      if (events.length === 0) return line;
      const list = '"finalize_block_events":[';
      expect(line).toContain(list);
      return line.replace(list, () => `${list}${JSON.stringify(events).slice(1, -1)},`);
    },
  });
}

interface Proposal {
  readonly id: number;
  readonly status: string;
  readonly updated_height: number;
}

interface Vote {
  readonly proposal_id: number;
  readonly voter: string;
  readonly options: readonly { readonly option: string; readonly weight: string }[];
  readonly height: number;
  readonly tx_hash: string | null;
}

const tally = (yes: string, abstain: string, no: string, veto: string, voters: number) => {
  const [y, a, n, v] = [yes, abstain, no, veto].map((weight) => `${weight}00000000000000000`);
  return { yes: y, abstain: a, no: n, no_with_veto: v, voters };
};

it('proposals and votes are served, also after a restart within a voting period', () =>
  withFreshStore(async (stores) => {
    const source = withGov(await recordedSource());
    for (const toHeight of [45, 48, 51, TO]) await indexInto(stores, { source, fromHeight: FROM, toHeight });
    await source.close();
    const api = await serveStores(stores);
    const { proposals } = await api.get<{ proposals: readonly Proposal[] }>('/v1/x/gov/proposals');
    expect(proposals.map(({ id, status, updated_height }) => [id, status, updated_height])).toEqual([
      [11, 'DROPPED', 58],
      [10, 'CANCELLED', 57],
      [9, 'VOTING_PERIOD', 51],
      [8, 'PASSED', 55],
      [7, 'VOTING_PERIOD', 41],
    ]);
    expect(proposals.map((each) => [each.id, (each as unknown as { tally: unknown }).tally])).toEqual([
      [11, tally('0.0', '0.0', '0.0', '0.0', 0)],
      [10, tally('0.0', '0.0', '0.0', '0.0', 0)],
      [9, tally('1.0', '0.0', '0.0', '0.0', 1)],
      [8, tally('1.0', '1.0', '0.0', '1.0', 3)],
      [7, tally('1.0', '0.0', '0.0', '0.0', 1)],
    ]);
    expect(await api.get('/v1/x/gov/proposals/8')).toEqual({
      proposal: {
        id: 8,
        status: 'PASSED',
        proposer: ANN,
        messages: ['/a.MsgA', '/b.MsgB'],
        deposit: { stake: '7', uatom: '15' },
        tally: tally('1.0', '1.0', '0.0', '1.0', 3),
        submitted_height: 42,
        submitted_at: expect.stringMatching(/^2026-/),
        submitted_tx_hash: null,
        voting_height: 43,
        ended_height: 55,
        log: 'passed',
        updated_height: 55,
      },
    });
    expect((await api.get<{ proposal: object }>('/v1/x/gov/proposals/10')).proposal).toMatchObject({
      proposer: CAT,
      messages: [],
    });
    expect((await api.get<{ proposal: object }>('/v1/x/gov/proposals/7')).proposal).toMatchObject({
      proposer: null,
      submitted_height: null,
      submitted_at: null,
      voting_height: 41,
    });

    const votes = async (target: string) => (await api.get<{ votes: readonly Vote[] }>(target)).votes;
    const ofEight = await votes('/v1/x/gov/proposals/8/votes');
    expect(ofEight.map(({ voter: by, options, height }) => [by, options, height])).toEqual(
      [
        [ANN, [{ option: 'YES', weight: '1.000000000000000000' }], 52],
        [BOB, [{ option: 'NO_WITH_VETO', weight: '1.000000000000000000' }], 44],
        [CAT, [{ option: 'ABSTAIN', weight: '1.000000000000000000' }], 44],
      ].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
    );
    expect((await votes(`/v1/x/gov/accounts/${ANN}/votes`)).map((vote) => vote.proposal_id)).toEqual([
      9, 8, 7,
    ]);

    // a walk of one a page, and what is asked wrongly
    const seen: number[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: { proposals: readonly Proposal[]; next_cursor: string | null } = await api.get(
        `/v1/x/gov/proposals?limit=1${from}`,
      );
      seen.push(...page.proposals.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual([11, 10, 9, 8, 7]);
    expect(
      (await api.get<{ proposals: readonly Proposal[] }>('/v1/x/gov/proposals?status=PASSED')).proposals,
    ).toEqual(proposals.filter(({ id }) => id === 8));
    await api.expectError('/v1/x/gov/proposals?status=passed', 400);
    await api.expectError('/v1/x/gov/proposals/12', 404);
    await api.expectError('/v1/x/gov/proposals/x', 400);
    await api.expectError('/v1/x/gov/accounts/nobody/votes', 400);

    // what cannot be read is drift, and no vote
    const store = await stores.open('drift');
    const drift = readAll(
      await store.query("SELECT height, field, told FROM drift WHERE module = 'gov' ORDER BY height"),
      (row) => [row.u64(), row.string(), row.string()],
    );
    expect(drift).toEqual([
      [59, 'option', '"VOTE_OPTION_MAYBE"'],
      [60, 'proposal_result', 'proposal_vanished'],
    ]);
    await store.close();
    await api.close();
  }));

/** What the successful messages of the recorded chain say, which no derivation reads: by proposal and voter. */
function votesByMessages(): ReadonlyMap<string, readonly unknown[]> {
  const votes = new Map<string, readonly unknown[]>();
  for (const { height, hash, rest } of oracleTxs()) {
    if (rest.tx_response.code !== 0) continue;
    for (const message of rest.tx.body.messages) {
      const { '@type': type, proposal_id: id, voter: by, option } = message;
      if (!/^\/cosmos\.gov\.v1(beta1)?\.MsgVote(Weighted)?$/.test(type)) continue;
      const options = (message.options as Json[] | undefined) ?? [{ option: option ?? '', weight: '1' }];
      const plain = options.map((each) => {
        const { option: name, weight } = each as { readonly option: string; readonly weight: string };
        return { option: name.replace('VOTE_OPTION_', ''), weight: Number(weight) };
      });
      votes.set(`${id} ${by}`, [height, hash.toUpperCase(), plain]);
    }
  }
  return votes;
}

it('the recorded chain’s proposals are as its messages and its end blocks say', async () => {
  const api = await openRecordedApi(200);
  const { proposals } = await api.get<{ proposals: readonly Proposal[] }>('/v1/x/gov/proposals');
  expect(proposals.map(({ id, status }) => [id, status])).toEqual([
    [7, 'PASSED'],
    [6, 'CANCELLED'],
    [5, 'PASSED'],
    [4, 'FAILED'],
    [3, 'DROPPED'],
    [2, 'REJECTED'],
    [1, 'PASSED'],
  ]);
  const found = new Map<string, readonly unknown[]>();
  for (const { id } of proposals) {
    const { votes } = await api.get<{ votes: readonly Vote[] }>(`/v1/x/gov/proposals/${id}/votes`);
    for (const { voter: by, height, tx_hash, options } of votes) {
      const plain = options.map(({ option, weight }) => ({ option, weight: Number(weight) }));
      found.set(`${id} ${by}`, [height, tx_hash, plain]);
    }
  }
  const said = votesByMessages();
  expect(said.size).toBeGreaterThan(5);
  expect([...found].sort()).toEqual([...said].sort());
  await api.close();
});
