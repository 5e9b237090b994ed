import { decodeBech32, encodeBech32 } from 'strata-kit/address';
import { bytesToHex } from 'strata-kit/bytes';
import { describe, expect, it } from 'vitest';
import type { BlockFacts, EvmTxFact, LogFact } from '../../src/derive/facts.ts';
import { QUEST_IDS } from '../../src/modules/quests/quest.ts';
import { QUESTS } from '../../src/modules/quests/quests.ts';
import { QUEST_COMPLETIONS, QUEST_STANDINGS } from '../../src/modules/quests/tables.ts';
import { DEVNET_SECTION, deriveAfter, deriveAll, expectSameRows, joined } from './support/derive.ts';
import { blockOf, columnsOf, type ToldEvent, tell } from './support/hand-written.ts';
import {
  ASSET,
  account,
  claimed,
  created,
  distributed,
  ISSUER,
  issued,
  moved,
  pledged,
  pledgeEnded,
} from './support/income.ts';
import { type Rows, versionsIn } from './support/versions.ts';

/** Each quest's rule, by facts that are written by hand; what completes it and what only looks like it. */

const [ANN, BEN, CAY] = [account(0xa1), account(0xb2), account(0xc3)];
/** Of a module or an escrow. */
const ESCROW = encodeBech32('aeva', new Uint8Array(32).fill(0xee));

const hexOf = (address: string): string => bytesToHex(decodeBech32(address)?.bytes ?? new Uint8Array(0));
const plain = (address: string): string => address.slice(2).toLowerCase();
const FACTORY = plain(DEVNET_SECTION.evm.factory);
const LENDING = plain(DEVNET_SECTION.evm.lendingMarket);
const FAUCET = DEVNET_SECTION.faucet;
const [PAIR, STRANGER] = ['77'.repeat(20), '88'.repeat(20)];

/** Of IUniswapV2Factory and IUniswapV2Pair, and Repay(address,uint256). */
const PAIR_CREATED = '0d3648bd0f6ba80134a33ba9275ac585d9d315f0ad8355cddefde31afa28d0e9';
const SWAP = 'd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822';
const MINT = '4c209b5fc8ad50758f13e2e1088ba56a560dff690a1c6fef26394f4c03821c4f';
const SYNC = '1c411e9a96e071241c2f21f7726b17ae89e3cab4c78be50e062b03a9fffbbad1';
const REPAY = '5c16de4f8b59bd9caf0f49a545f25819a895ed223294290b408242e72a594231';

const word = (hex: string): string => hex.padStart(64, '0');

interface LogAt {
  readonly tx?: number;
  readonly msg?: number;
  readonly data?: string;
}

const log = (
  address: string,
  topics: readonly string[],
  { tx = 0, msg = 0, data = '' }: LogAt = {},
): LogFact => ({
  txIndex: tx,
  msgIndex: msg,
  logIndex: 0,
  address,
  topics,
  data: Buffer.from(data, 'hex'),
});
const sent = (by: string, tx = 0, msg = 0): EvmTxFact => ({ txIndex: tx, msgIndex: msg, sender: hexOf(by) });
/** The factory makes PAIR. */
const PAIR_MADE = log(FACTORY, [PAIR_CREATED, word('01'), word('02')], { data: word(PAIR) + word('01') });
const MADE = block(1, { evmTxs: [sent(ISSUER)], logs: [PAIR_MADE] });

function block(height: number, facts: Partial<BlockFacts>): BlockFacts {
  return { ...blockOf(height), txCount: 1, ...facts };
}

const given = (sender: string, recipient: string) => ({
  txIndex: 0,
  eventIndex: 0,
  sender,
  recipient,
  amount: '5uusd',
});

/** `quest height` of an account, in the order of heights. */
function completionsOf(rows: Rows, who: string): readonly string[] {
  return columnsOf(rows, QUEST_COMPLETIONS, ['account', 'quest', 'height'])
    .filter(([of]) => of === who)
    .map(([, quest, height]) => `${quest} ${height}`);
}

/** A block each, from height 1. */
const told = (...blocks: readonly (readonly ToldEvent[])[]): Rows =>
  deriveAll(blocks.map((events, i) => blockOf(i + 1, ...events)));

describe('the quests', () => {
  it('are ten, in the order of the contract, each with texts of its own', () => {
    expect(QUESTS.map(({ id }) => id)).toEqual([...QUEST_IDS]);
    expect(QUEST_IDS).toEqual(
      (
        'faucet evm_tx swap add_liquidity first_dividend claim_income sell_strip borrow_repay ' +
        'launch_asset delegate_income'
      ).split(' '),
    );
    for (const { title, how } of QUESTS) {
      expect(title).toMatch(/^[A-Z][\w ]+$/);
      expect(how).toMatch(/^[A-Z].+\.$/);
    }
    expect(new Set(QUESTS.flatMap(({ title, how }) => [title, how])).size).toBe(20);
  });
});

describe('faucet', () => {
  it('is a transfer from the faucet, the first one', () => {
    const rows = deriveAll([
      block(1, { transfers: [given(BEN, ANN), given(FAUCET, FAUCET)] }),
      block(2, { transfers: [given(FAUCET, ANN)] }),
      block(3, { transfers: [given(FAUCET, ANN), given(FAUCET, ESCROW), given(FAUCET, 'nobody')] }),
    ]);
    expect(columnsOf(rows, QUEST_COMPLETIONS, ['account', 'quest', 'height', 'time_ns', 'done'])).toEqual([
      [ANN, 'faucet', '2', '2000000000', '1'],
    ]);
    expect(columnsOf(rows, QUEST_STANDINGS, ['missing', 'height', 'account', 'time_ns'])).toEqual([
      ['9', '2', ANN, '2000000000'],
    ]);
  });
});

describe('evm_tx', () => {
  it('is a message that succeeded, of its sender', () => {
    const rows = deriveAll([block(1, {}), block(2, { evmTxs: [sent(ANN), sent(BEN, 1)] })]);
    expect(completionsOf(rows, ANN)).toEqual(['evm_tx 2']);
    expect(completionsOf(rows, BEN)).toEqual(['evm_tx 2']);
  });

  it('is none of the zero address', () => {
    const zero = { txIndex: 0, msgIndex: 0, sender: '00'.repeat(20) };
    expect(deriveAll([block(1, { evmTxs: [zero] })]).get(QUEST_COMPLETIONS.name) ?? []).toEqual([]);
  });
});

describe.each([
  ['swap', SWAP],
  ['add_liquidity', MINT],
])('%s', (quest, topic) => {
  it('is of who sent the very message in which a pair of the factory told it', () => {
    const rows = deriveAll([
      MADE,
      block(2, {
        evmTxs: [sent(CAY, 3, 0), sent(ANN, 3, 1), sent(BEN, 4, 1)],
        logs: [log(PAIR, [topic, word(hexOf(BEN))], { tx: 3, msg: 1 })],
      }),
    ]);
    expect(completionsOf(rows, ANN)).toEqual(['evm_tx 2', `${quest} 2`]);
    for (const other of [BEN, CAY]) expect(completionsOf(rows, other)).toEqual(['evm_tx 2']);
  });

  it('is told by a pair from the block on that makes it', () => {
    const logs = [PAIR_MADE, log(PAIR, [topic])];
    expect(completionsOf(deriveAll([block(1, { evmTxs: [sent(ANN)], logs })]), ANN)).toContain(`${quest} 1`);
  });

  it.each([
    ['of a contract that the factory did not make', log(STRANGER, [topic], { msg: 1 })],
    ['of the factory itself', log(FACTORY, [topic], { msg: 1 })],
    ['of another kind', log(PAIR, [SYNC], { msg: 1 })],
    ['of a message without success before one with it', log(PAIR, [topic])],
    ['of a message without success behind one with it', log(PAIR, [topic], { msg: 2 })],
    ['of a tx without success', log(PAIR, [topic], { tx: 1, msg: 1 })],
  ])('is no log %s', (_what, near) => {
    const rows = deriveAll([MADE, block(2, { evmTxs: [sent(ANN, 0, 1)], logs: [near] })]);
    expect(completionsOf(rows, ANN)).toEqual(['evm_tx 2']);
  });
});

describe('borrow_repay', () => {
  it('is of the account that the market names, whoever sent it', () => {
    const repay = log(LENDING, [REPAY, word(hexOf(ANN))], { data: word('05') });
    const rows = deriveAll([block(1, { evmTxs: [sent(BEN)], logs: [repay] })]);
    expect(completionsOf(rows, ANN)).toEqual(['borrow_repay 1']);
    expect(completionsOf(rows, BEN)).toEqual(['evm_tx 1']);
  });

  it.each([
    ['of another contract', log(STRANGER, [REPAY, word(hexOf(ANN))])],
    ['of another kind', log(LENDING, [SYNC, word(hexOf(ANN))])],
    ['that names nobody', log(LENDING, [REPAY])],
    ['of a message without success', log(LENDING, [REPAY, word(hexOf(ANN))], { msg: 2 })],
  ])('is no log %s', (_what, near) => {
    const rows = deriveAll([block(1, { evmTxs: [sent(BEN)], logs: [near] })]);
    expect(completionsOf(rows, ANN)).toEqual([]);
  });
});

describe('launch_asset', () => {
  it('is the issuer\u2019s, and not of an id that is taken', () => {
    const again = tell('asset.v1.EventAssetCreated', { ...created().fields, issuer: ANN });
    const rows = told([created()], [again]);
    expect(completionsOf(rows, ISSUER)).toEqual(['launch_asset 1']);
    expect(completionsOf(rows, ANN)).toEqual([]);
  });
});

/** Ann has 2 of 3 units, Ben 1. */
const THREE = [created(), issued(ANN, 2, 2, 2), issued(BEN, 1, 3, 1)];
const FIRST = distributed('uusd', 3, 1000000000000000000n, 0, 3);
const SECOND = distributed('uusd', 3, 2000000000000000000n, 0, 3);

describe('first_dividend', () => {
  it('is of whoever has a basis at a distribution', () => {
    const rows = told(THREE, [FIRST], [moved(ANN, CAY, 1, 1, 1), SECOND]);
    expect(completionsOf(rows, ANN)).toEqual(['first_dividend 2']);
    expect(completionsOf(rows, BEN)).toEqual(['first_dividend 2']);
    expect(completionsOf(rows, CAY)).toEqual(['first_dividend 3']);
  });

  it('counts what stands before it in its block, and nothing behind it', () => {
    const rows = told(THREE, [moved(ANN, CAY, 1, 1, 1), FIRST, moved(CAY, ESCROW, 1, 0, 1)], [SECOND]);
    expect(completionsOf(rows, CAY)).toEqual(['first_dividend 2']);
    const late = told(THREE, [FIRST, moved(BEN, CAY, 1, 0, 1), moved(CAY, BEN, 1, 0, 1)], [SECOND]);
    expect(completionsOf(late, CAY)).toEqual([]);
  });

  it('is none of who has left, nor of an escrow', () => {
    const rows = told([created(), issued(ANN, 3, 3, 3)], [moved(ANN, ESCROW, 3, 0, 3)], [FIRST]);
    for (const who of [ANN, ESCROW]) expect(completionsOf(rows, who)).toEqual([]);
  });

  it('is none of a pool, even where its pair is made in the block of the distribution', () => {
    const pool = encodeBech32('aeva', Buffer.from(PAIR, 'hex'));
    const units = [created(), issued(ANN, 2, 2, 2), issued(pool, 1, 3, 1)];
    const blocks = [blockOf(1, ...units), { ...blockOf(2, FIRST), logs: [PAIR_MADE] }, blockOf(3, SECOND)];
    const rows = deriveAll(blocks);
    expect([completionsOf(rows, ANN), completionsOf(rows, pool)]).toEqual([['first_dividend 2'], []]);
    // before its pair is made it is an account like any other
    const early = deriveAll([blockOf(1, ...units, FIRST), { ...blockOf(2, SECOND), logs: [PAIR_MADE] }]);
    expect(completionsOf(early, pool)).toEqual(['first_dividend 1']);
  });

  it('is none of who has pledged all income, until some of it comes back', () => {
    const part = pledgeEnded('EventReleased', 1, ANN, CAY, 1, 1);
    const rows = told(
      [...THREE, pledged(1, ANN, CAY, 2)],
      [FIRST],
      [SECOND],
      [part],
      [distributed('uusd', 3, 3000000000000000000n, 0, 3)],
    );
    expect(completionsOf(rows, ANN)).toEqual(['delegate_income 1', 'first_dividend 5']);
    // earned by units that are not his own
    expect(completionsOf(rows, CAY)).toEqual([]);
  });

  it('of a kind is no other one\u2019s', () => {
    const other = tell('payout.v1.EventDistributed', { ...FIRST.fields, kind_id: 7 });
    expect(completionsOf(told(THREE, [other]), ANN)).toEqual([]);
  });

  it('is the same for a writer that started anew in between', async () => {
    const blocks = [
      [...THREE, pledged(1, ANN, CAY, 2)],
      [FIRST],
      [moved(BEN, ISSUER, 1, 0, 1)],
      [SECOND],
      [pledgeEnded('EventExpired', 1, ANN, CAY, 2, 0)],
      [distributed('ueur', 3, 1000000000000000000n, 0, 3)],
    ].map((events, i) => blockOf(i + 1, ...events));
    const whole = deriveAll(blocks);
    expect(completionsOf(whole, ANN)).toEqual(['delegate_income 1', 'first_dividend 6']);
    for (let at = 1; at < blocks.length; at++) {
      const before = deriveAll(blocks.slice(0, at));
      const after = await deriveAfter(versionsIn(before), blocks.slice(at));
      expectSameRows(joined(before, after), whole, `a start behind ${at}`);
    }
  });
});

describe('claim_income', () => {
  it('is of who is paid, for own units or a pledge of another\u2019s', () => {
    const rows = told(
      [...THREE, pledged(1, ANN, CAY, 1)],
      [FIRST],
      [claimed(BEN, 'uusd', 1)],
      [claimed(CAY, 'uusd', 1, 'encumbrance/1', ANN)],
    );
    expect(completionsOf(rows, BEN)).toContain('claim_income 3');
    expect(completionsOf(rows, CAY)).toEqual(['claim_income 4']);
    expect(completionsOf(rows, ANN)).toEqual(['delegate_income 1', 'first_dividend 2']);
  });

  it('of income that is not known completes nothing', () => {
    expect(completionsOf(told(THREE, [claimed(BEN, 'uusd', 1)]), BEN)).toEqual([]);
  });
});

/** Kind 0 is ECONOMIC, kinds 1 and 2 are INCOME. */
const [KIND = {}] = (created().fields as { kinds: object[] }).kinds;
const KINDS = tell('asset.v1.EventAssetCreated', {
  ...created().fields,
  kinds: ['ECONOMIC', 'INCOME', 'INCOME'].map((name, kind_id) => ({
    ...KIND,
    kind_id,
    class: `KIND_CLASS_${name}`,
  })),
});
const OUT = 'DIRECTION_PROPOSER_TO_COUNTERPARTY';
const BACK = 'DIRECTION_COUNTERPARTY_TO_PROPOSER';
const right = (direction: string, kind_id: number, asset_id = ASSET) => ({
  direction,
  right: { asset_id, kind_id, units: '1' },
});
const coin = (direction: string) => ({ direction, coin: { denom: 'uusd', amount: '5' } });

const proposed = (id: string, legs: readonly object[]): ToldEvent =>
  tell('settlement.v1.EventProposed', {
    id,
    proposer: ANN,
    counterparty: BEN,
    legs,
    expiry: '2031-01-01T00:00:00Z',
    memo_hash: '',
  });
const parties = (id: string) => ({ id, proposer: ANN, counterparty: BEN, asset_ids: [ASSET] });
const settled = (id: string): ToldEvent => tell('settlement.v1.EventSettled', parties(id));

describe('sell_strip', () => {
  /** Who sold, in a settlement of these legs. */
  const sellers = (...legs: readonly object[]): readonly string[] => {
    const rows = told([KINDS], [proposed('1', legs)], [settled('1')]);
    return [ANN, BEN].filter((who) => completionsOf(rows, who).includes('sell_strip 3'));
  };

  it('is of the party that gives INCOME rights for a coin', () => {
    expect(sellers(right(OUT, 1), coin(BACK))).toEqual([ANN]);
    expect(sellers(right(BACK, 1), coin(OUT))).toEqual([BEN]);
    expect(sellers(right(OUT, 1), right(OUT, 2), coin(BACK), coin(BACK))).toEqual([ANN]);
    expect(sellers(right(OUT, 1), coin(BACK), right(BACK, 0))).toEqual([ANN]);
  });

  it.each([
    ['an ECONOMIC right beside', [right(OUT, 1), right(OUT, 0), coin(BACK)]],
    ['an ECONOMIC right alone', [right(OUT, 0), coin(BACK)]],
    ['a coin given besides', [right(OUT, 1), coin(OUT), coin(BACK)]],
    ['no coin in return', [right(OUT, 1), right(BACK, 0)]],
    ['nothing in return', [right(OUT, 1)]],
    ['a coin for nothing', [coin(BACK)]],
    ['a kind that is not known', [right(OUT, 9), coin(BACK)]],
    ['an asset that is not known', [right(OUT, 1, 'ab'.repeat(32)), coin(BACK)]],
    ['a leg of neither', [right(OUT, 1), { direction: OUT }, coin(BACK)]],
  ])('is none with %s', (_what, legs) => {
    expect(sellers(...legs)).toEqual([]);
  });

  it('counts when it is settled, not when it is proposed or cancelled', () => {
    const legs = [right(OUT, 1), coin(BACK)];
    const cancelled = tell('settlement.v1.EventCancelled', { ...parties('1'), actor: ANN, reason: '' });
    const rows = told(
      [KINDS, proposed('1', legs), proposed('2', legs)],
      [cancelled],
      [settled('1')],
      [settled('3')],
    );
    expect(completionsOf(rows, ANN)).toEqual([]);
    expect(completionsOf(told([KINDS, proposed('1', legs), settled('1')]), ANN)).toEqual(['sell_strip 1']);
    expect(completionsOf(told([KINDS, proposed('1', legs), cancelled, settled('1')]), ANN)).toEqual([]);
  });
});

describe('delegate_income', () => {
  const pledge = (fields: object): ToldEvent =>
    tell('encumbrance.v1.EventCreated', { ...pledged(1, ANN, BEN, 1).fields, ...fields });
  const delegated = (...purposes: readonly string[]): ToldEvent =>
    tell('delegation.v1.EventDelegated', {
      id: '1',
      holder: ANN,
      asset_id: ASSET,
      kind_id: 0,
      units: '1',
      delegate: BEN,
      until: '2031-01-01T00:00:00Z',
      purposes,
      revocable: true,
    });
  const completes = (event: ToldEvent): boolean => {
    const rows = told(THREE, [event]);
    expect(completionsOf(rows, BEN)).toEqual([]);
    return completionsOf(rows, ANN).includes('delegate_income 2');
  };

  it('is a pledge of income, or a delegation for it', () => {
    expect(completes(pledge({}))).toBe(true);
    expect(completes(delegated('PURPOSE_INCOME'))).toBe(true);
    expect(completes(delegated('PURPOSE_VOTE', 'PURPOSE_INCOME'))).toBe(true);
  });

  it('is no other pledge, encumbrance or delegation', () => {
    expect(completes(pledge({ income_to_beneficiary: false }))).toBe(false);
    expect(completes(pledge({ kind: 'KIND_LIEN', actor: CAY, actor_role: 'operator' }))).toBe(false);
    expect(completes(pledge({ actor: CAY, actor_role: 'operator' }))).toBe(false);
    expect(completes(delegated('PURPOSE_VOTE'))).toBe(false);
    expect(completes(delegated())).toBe(false);
  });
});

describe('an account', () => {
  it('completes a quest once, and has a standing for each block in which it completes some', () => {
    const swap = log(PAIR, [SWAP]);
    const rows = deriveAll([
      MADE,
      block(2, { evmTxs: [sent(ANN)], logs: [swap], transfers: [given(FAUCET, ANN)] }),
      block(3, { evmTxs: [sent(ANN)], logs: [swap], transfers: [given(FAUCET, ANN)] }),
      block(4, { evmTxs: [sent(ANN)], logs: [swap, log(PAIR, [MINT])] }),
    ]);
    const of = (name: typeof QUEST_COMPLETIONS | typeof QUEST_STANDINGS, columns: readonly string[]) =>
      columnsOf(rows, name, ['account', ...columns])
        .filter(([who]) => who === ANN)
        .map(([, ...values]) => values.join(' '));
    expect(of(QUEST_COMPLETIONS, ['quest', 'height', 'done'])).toEqual([
      'faucet 2 7',
      'evm_tx 2 7',
      'swap 2 7',
      'add_liquidity 4 15',
    ]);
    expect(of(QUEST_STANDINGS, ['missing', 'height'])).toEqual(['7 2', '6 4']);
  });

  it('is one, however an event writes it', () => {
    const rows = told(
      [created(), issued(ANN.toUpperCase(), 1, 1, 1)],
      [distributed('uusd', 1, 10n ** 18n, 0, 1)],
    );
    expect(completionsOf(rows, ANN)).toEqual(['first_dividend 2']);
  });
});
