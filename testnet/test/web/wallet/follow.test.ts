import { describe, expect, it } from 'vitest';
import { costOf } from '../../../web/src/pages/desk/costs.ts';
import { type FollowedAt, type FollowedTx, followTx, type Progress } from '../../../web/src/wallet/follow.ts';
import type { PendingTx } from '../../../web/src/wallet/pending.ts';
import { refusalText } from '../../../web/src/wallet/refusals.ts';

const SIGNED: PendingTx = {
  ...{ chainId: 'c', address: 'aeva1', title: 'Send coins', action: '{}', hash: 'AB', bytes: 'AA==' },
  ...{ sequence: '3', timeoutHeight: 60, signedHeight: 0 },
};
const TX: FollowedTx = { hash: 'AB', height: 9, code: 0, evm: null };

type There = Awaited<ReturnType<FollowedAt['atSequence']>>;

/** A chain that goes on by one height a look; the tx has sequence 3. */
async function followed(
  {
    indexedAt = Number.POSITIVE_INFINITY,
    usedAt = Number.POSITIVE_INFINITY,
    tx = TX,
    fails = (_look: number): boolean => false,
    there = { at: 'none', isWhole: false } as There,
    isSilent = false,
    lag = 0,
  } = {},
  {
    timeoutHeight = 60 as number | undefined,
    looks = 20,
    endAt = Number.POSITIVE_INFINITY,
    isTaken = true,
    sequenceBy = 'page' as FollowedAt['sequenceBy'],
    hasHash = true,
    signedHeight = 0,
    hasAccount = true,
  } = {},
) {
  const told: Progress[] = [];
  const resentAt: number[] = [];
  const ending = new AbortController();
  let look = 0;
  await followTx(
    {
      find: async () => {
        if (fails(look)) throw new Error('offline');
        return look >= indexedAt ? tx : undefined;
      },
      next: async () => {
        if (isSilent) throw new Error('offline');
        if (!hasAccount) return undefined;
        return { sequence: look >= usedAt ? 4n : 3n, height: look };
      },
      atSequence: async () => there,
      indexedHeight: () => look - lag,
      resend: async () => void resentAt.push(look),
      signedHeight,
      sequenceBy,
      hasHash,
    },
    {
      sequence: 3n,
      timeoutHeight,
      isTaken,
      looks,
      signal: ending.signal,
      tell: (progress) => told.push(progress),
      pause: async () => {
        look++;
        if (look >= endAt) ending.abort();
      },
    },
  );
  return { told: told.map(({ at }) => at), last: told.at(-1), looks: look, resentAt };
}

describe('a tx that is followed', () => {
  it('is waited for, then in a block, then indexed, each told once', async () => {
    const { told, last } = await followed({ usedAt: 2, indexedAt: 5, lag: 3 });
    expect(told).toEqual(['waiting', 'included', 'indexed']);
    expect(last).toEqual({ at: 'indexed', tx: TX });
  });

  it('has failed where its code or its EVM says so, with the reason', async () => {
    const failed = { ...TX, code: 5, raw_log: 'insufficient funds' };
    expect((await followed({ usedAt: 1, indexedAt: 1, tx: failed })).last).toMatchObject({
      at: 'failed',
      reason: 'insufficient funds',
    });
    const reverted = { ...TX, evm: { status: 0, revert_reason: 'policy denied' } };
    expect((await followed({ indexedAt: 1, tx: reverted })).last).toMatchObject({
      at: 'failed',
      reason: 'policy denied',
    });
  });

  it('may still come where it failed and its sequence is not used', async () => {
    const failed = { ...TX, code: 5, raw_log: 'insufficient funds' };
    expect(await followed({ indexedAt: 1, tx: failed }, { timeoutHeight: 9 })).toMatchObject({
      told: ['waiting', 'failed'],
      looks: 10,
    });
  });

  it('has expired only once index and chain are past the last block that might take it, and both answered', async () => {
    expect(await followed({}, { timeoutHeight: 5 })).toMatchObject({
      told: ['waiting', 'expired'],
      looks: 6,
    });
    const answered = await followed({ fails: (look) => look < 9 }, { timeoutHeight: 5 });
    expect(answered).toMatchObject({ told: ['waiting', 'expired'], looks: 9 });
    // indexed in that very last block
    expect((await followed({ indexedAt: 6 }, { timeoutHeight: 5 })).told.at(-1)).toBe('indexed');
    // the chain does not tell the sequence
    expect((await followed({ isSilent: true }, { timeoutHeight: 5, endAt: 15 })).told).toEqual(['waiting']);
  });

  it('is found under the hash that a relay gave it, and replaced only where the index has another tx', async () => {
    const twin = { ...TX, hash: 'CD' };
    expect((await followed({ usedAt: 2, there: { at: 'same', tx: twin, of: SIGNED } })).last).toEqual({
      at: 'indexed',
      tx: twin,
      of: SIGNED,
    });
    const there = { at: 'other', hash: 'EF' } as const;
    expect((await followed({ usedAt: 2, there })).last).toEqual({ at: 'replaced', by: 'EF' });
    // no word of that before the index has the block
    const unheard = await followed({ usedAt: 2, there, fails: (look) => look < 7 });
    expect(unheard).toMatchObject({ told: ['waiting', 'included', 'replaced'], looks: 7 });
  });

  it('is followed on, not called replaced, while the index lacks it and has no other tx with its sequence', async () => {
    // the height is told by a process that is ahead of the one that looks the tx up
    const { told } = await followed({ usedAt: 2, indexedAt: 9, lag: -5 });
    expect(told).toEqual(['waiting', 'included', 'indexed']);
    expect((await followed({ usedAt: 2 }, { endAt: 30 })).told).toEqual(['waiting', 'included', 'unseen']);
  });

  it('of an Ethereum wallet is neither included nor replaced by the number while its hash is known', async () => {
    // the wallet had the account's next number queued, and gave ours a later one
    const there = { at: 'other', hash: '0xef' } as const;
    const known = await followed({ usedAt: 2, indexedAt: 9, there }, { sequenceBy: 'wallet' });
    expect(known.told).toEqual(['waiting', 'indexed']);
    const long = await followed({ usedAt: 2, there }, { sequenceBy: 'wallet', endAt: 40 });
    expect(long.told).toEqual(['waiting', 'unseen']);
    const lost = await followed({ usedAt: 2, there }, { sequenceBy: 'wallet', hasHash: false, endAt: 40 });
    expect(lost.told).toEqual(['waiting', 'replaced']);
  });

  it('may be forgotten where the chain is lower than when it was signed, which decides nothing and gets no bytes', async () => {
    const anew = { looks: 100, timeoutHeight: undefined, isTaken: false };
    const lower = await followed({ usedAt: 1 }, { ...anew, signedHeight: 500, endAt: 99 });
    expect(lower).toMatchObject({ told: ['waiting', 'unseen'], resentAt: [] });
    expect(lower.last).toEqual({ at: 'unseen', why: 'other_chain' });
    const noAccount = await followed({}, { ...anew, hasAccount: false, endAt: 99 });
    expect(noAccount.last).toEqual({ at: 'unseen', why: 'other_chain' });
    // a node that lagged
    expect((await followed({}, { ...anew, signedHeight: 20, endAt: 55 })).told).toEqual(['waiting']);
    const lagged = await followed({ indexedAt: 60 }, { ...anew, signedHeight: 50 });
    expect(lagged.told).toEqual(['waiting', 'unseen', 'waiting', 'indexed']);
  });

  it('may be forgotten where its sequence is used and the whole list has no tx with it, after long', async () => {
    const there = { at: 'none', isWhole: true } as const;
    const { told, last } = await followed({ usedAt: 2, there }, { endAt: 40 });
    expect(told).toEqual(['waiting', 'included', 'unseen']);
    expect(last).toEqual({ at: 'unseen', why: 'no_trace' });
    const part = await followed({ usedAt: 2 }, { endAt: 40 });
    expect(part.last).toEqual({ at: 'unseen', why: 'slow' });
  });

  it('takes long after so many looks, and is asked for on until nobody looks any more', async () => {
    const long = await followed({ indexedAt: 30 }, { timeoutHeight: undefined });
    expect(long).toMatchObject({ told: ['waiting', 'unseen', 'indexed'], looks: 30 });
    expect(await followed({ indexedAt: 5 }, { endAt: 3 })).toMatchObject({ told: ['waiting'], looks: 3 });
  });

  it('goes on where a look fails', async () => {
    expect((await followed({ indexedAt: 3, fails: (look) => look < 3 })).told).toEqual([
      'waiting',
      'indexed',
    ]);
  });

  it('is sent again, the same bytes, less and less often, and not once its sequence is used', async () => {
    const lost = await followed({}, { isTaken: false, timeoutHeight: undefined, endAt: 40 });
    expect(lost.resentAt).toEqual([1, 3, 7, 15, 31]);
    expect((await followed({}, { timeoutHeight: undefined, endAt: 40 })).resentAt).toEqual([8, 24]);
    expect(
      (await followed({ usedAt: 2, fails: () => true }, { isTaken: false, endAt: 40 })).resentAt,
    ).toEqual([1]);
  });
});

describe('a refusal of the chain', () => {
  const id = 'ab'.repeat(32);
  it.each([
    [
      `failed to execute message; message index: 0: policy denied: asset/${id}/kind/1/override/CLOSED/sender`,
      /kind 1 is closed/,
    ],
    [
      `rpc error: code = Unknown desc = policy denied: asset/${id}/kind/0/ATTESTED/kyc/recipient: invalid request`,
      /“kyc”/,
    ],
    [`aeva1x has 3 transferable units of kind 0 of asset ${id}, 4 are needed`, /free to move/],
    ['spendable balance 1uusd is smaller than 2uusd: insufficient funds', /faucet/],
    ['account sequence mismatch, expected 4, got 3: incorrect account sequence', /Start again/],
    ['settlement 7 has expired', /expired/],
    ['settlement 7 is STATUS_SETTLED', /settled already/],
    [`kind 1 of asset ${id} has no units`, /nobody to pay/],
    [
      'rpc error: code = Unknown desc = no words for this: invalid request',
      /^The chain refuses: no words for this$/,
    ],
  ])('%s', (log, words) => {
    expect(refusalText(log)).toMatch(words);
  });
});

describe('what a trade with the desk costs', () => {
  it('is rounded up for who buys and down for who sells', () => {
    expect(costOf('buy', '3060001', 1_500_000n, 6)).toBe(4_590_002n);
    expect(costOf('sell', '3060001', 1_500_000n, 6)).toBe(4_590_001n);
    expect(costOf('buy', '3060000', 1_000_000n, 6)).toBe(3_060_000n);
    expect(costOf('sell', '1', 999_999n, 6)).toBe(0n);
  });
});
