import { base64 } from '@scure/base';
import { Transaction, Wallet } from 'ethers';
import { describe, expect, it } from 'vitest';
import { AskError } from '../../../web/src/data/errors.ts';
import { bech32Of } from '../../../web/src/wallet/address.ts';
import { type ListedTx, searchAtSequence, type TxList } from '../../../web/src/wallet/at-sequence.ts';
import { nonceOf } from '../../../web/src/wallet/nonce.ts';
import type { PendingTx } from '../../../web/src/wallet/pending.ts';

const OURS = '0x0c7524561cc25d6D2A823A4E0f5DF0eAcED18D49';
const STRANGER = '0xc3df654f6cdf790f0c59cb177c1e46082ee4ca88';
const address = bech32Of('aeva', Buffer.from(OURS.slice(2), 'hex'));
/** The r of the pending tx's signature. */
const R = '11'.repeat(32);
const randomOf = () => R;

const signed: PendingTx = {
  ...{ chainId: 'aeva_9111-1', address, title: 'Send coins', action: '{}', hash: 'AB', bytes: 'AA==' },
  ...{ sequence: '3', timeoutHeight: 160, signedHeight: 100 },
};

function cosmosTx(height: number, { sequence = 3, r = '22'.repeat(32) } = {}): ListedTx {
  const signature = base64.encode(Buffer.from(`${r}${'33'.repeat(32)}`, 'hex'));
  return {
    ...{ hash: `C${height}`, height, code: 0, msgs: [], evm: null },
    events: [
      { type: 'tx', attributes: [{ key: 'acc_seq', value: `${address}/${sequence}` }] },
      { type: 'tx', attributes: [{ key: 'signature', value: signature }] },
    ],
  };
}

function ethereumTx(height: number, { from = OURS, nonce = 3, hasRun = true } = {}): ListedTx {
  const key = new Wallet(`0x${'42'.repeat(32)}`);
  const raw = Transaction.from({ nonce, gasLimit: 21_000, to: STRANGER, chainId: 9111, type: 2 });
  raw.signature = key.signingKey.sign(raw.unsignedHash);
  return {
    ...{ hash: `E${height}`, height, code: hasRun ? 0 : 5, msgs: [{ raw: raw.serialized }] },
    evm: { from, eth_hash: `0xe${height}`, status: hasRun ? 1 : 0, revert_reason: null },
    events: hasRun ? [{ type: 'tx', attributes: [{ key: 'fee', value: '1aaeva' }] }] : [],
  };
}

const listed = (txs: readonly ListedTx[]) => async (): Promise<TxList> => ({ txs, next_cursor: null });
const search = (pending: PendingTx, ...txs: ListedTx[]) =>
  searchAtSequence(pending, listed(txs))(150, randomOf);

describe('the tx at the sequence of signed bytes', () => {
  it('is the same one by the r of its signature, another one by any other', async () => {
    const twin = cosmosTx(105, { r: R });
    expect(await search(signed, twin)).toEqual({ at: 'same', tx: twin, of: signed });
    expect(await search(signed, cosmosTx(105))).toEqual({ at: 'other', hash: 'C105' });
  });

  it('may be one that was refused before it, which may be in a block before it was signed', async () => {
    const earlier: PendingTx = { ...signed, action: '{"earlier":1}', signedHeight: 90, timeoutHeight: 150 };
    const random = ({ action }: PendingTx) => (action === signed.action ? R : '44'.repeat(32));
    const tx = cosmosTx(95, { r: '44'.repeat(32) });
    const look = searchAtSequence({ ...signed, earlier: [earlier] }, listed([tx]));
    expect(await look(150, random)).toEqual({ at: 'same', tx, of: earlier });
    expect(await search(signed, tx)).toEqual({ at: 'none', isWhole: true });
  });

  it('is not there where the list has txs of other sequences or of blocks before it was signed', async () => {
    expect(await search(signed)).toEqual({ at: 'none', isWhole: true });
    expect(await search(signed, cosmosTx(106, { sequence: 4 }), cosmosTx(100))).toEqual({
      at: 'none',
      isWhole: true,
    });
  });

  it('is an Ethereum tx by the same account where that has the nonce, and has run', async () => {
    expect(await search(signed, ethereumTx(105))).toEqual({ at: 'other', hash: '0xe105' });
    const others = [{ nonce: 4 }, { from: STRANGER }, { hasRun: false }].map((is) => ethereumTx(105, is));
    expect(await search(signed, ...others)).toEqual({ at: 'none', isWhole: true });
  });
});

describe('a list that anybody can make long', () => {
  /** 10 pages of payments to the account, then our tx. */
  const pages = Array.from({ length: 10 }, (_, i) => [ethereumTx(150 - i, { from: STRANGER })]);
  pages.push([cosmosTx(105)]);
  const asked: (string | undefined)[] = [];
  let refused: string | undefined;
  const list = async (cursor: string | undefined): Promise<TxList> => {
    asked.push(cursor);
    if (cursor !== undefined && cursor === refused) throw new AskError(400, 'bad_request', 'no such cursor');
    const at = Number(cursor ?? 0);
    return { txs: pages[at] ?? [], next_cursor: at + 1 < pages.length ? String(at + 1) : null };
  };

  it('is read to its end over several looks, three pages each', async () => {
    const look = searchAtSequence(signed, list);
    for (let i = 0; i < 3; i++) expect(await look(150, randomOf)).toEqual({ at: 'none', isWhole: false });
    expect(await look(150, randomOf)).toEqual({ at: 'other', hash: 'C105' });
    expect(asked).toEqual([undefined, ...Array.from({ length: 10 }, (_, i) => String(i + 1))]);
  });

  it('is read from its beginning after a cursor is refused', async () => {
    const look = searchAtSequence(signed, list);
    await look(150, randomOf);
    refused = '3';
    await expect(look(150, randomOf)).rejects.toThrow('no such cursor');
    asked.length = 0;
    await look(150, randomOf);
    expect(asked).toEqual([undefined, '1', '2']);
  });

  it('counts nothing above the block that used the sequence or the last one that might hold the tx', async () => {
    expect(await search(signed, cosmosTx(151))).toEqual({ at: 'none', isWhole: true });
    const unknown = searchAtSequence(signed, listed([cosmosTx(161), cosmosTx(159)]));
    expect(await unknown(0, randomOf)).toEqual({ at: 'other', hash: 'C159' });
  });
});

describe('the tx that an Ethereum wallet sent', () => {
  const lost = { ...signed, hash: null, bytes: null, timeoutHeight: null };
  const searchCall = (...txs: ListedTx[]) => searchAtSequence(lost, listed(txs))(150, () => undefined);

  it('is not a payment by a stranger to the account', async () => {
    expect(await searchCall(ethereumTx(105, { from: STRANGER }))).toEqual({ at: 'none', isWhole: true });
    const txs = [ethereumTx(107, { from: STRANGER }), ethereumTx(105)];
    expect(await searchCall(...txs)).toEqual({ at: 'other', hash: '0xe105' });
  });

  it('may have a later nonce, where its wallet had one queued already', async () => {
    expect(await searchCall(ethereumTx(105, { nonce: 5 }))).toEqual({ at: 'other', hash: '0xe105' });
  });
});

describe('the nonce of an Ethereum tx', () => {
  const types: readonly number[] = [0, 1, 2];
  it.each(types)('of type %i is read from its bytes', (type) => {
    const key = new Wallet(`0x${'42'.repeat(32)}`);
    for (const chainId of [1, 9111])
      for (const nonce of [0, 1, 127, 128, 65_536]) {
        // short and long lists
        for (const data of ['0x', `0x${'ab'.repeat(300)}`]) {
          const tx = Transaction.from({ type, nonce, chainId, data, gasLimit: 21_000, to: STRANGER });
          tx.signature = key.signingKey.sign(tx.unsignedHash);
          expect(nonceOf({ raw: tx.serialized })).toBe(BigInt(nonce));
        }
      }
  });

  it('is read from the older form, and unknown where nothing can be read', () => {
    expect(nonceOf({ data: { '@type': '/cosmos.evm.vm.v1.LegacyTx', nonce: '7' } })).toBe(7n);
    for (const raw of ['0x', '0x02', '0xc0', '0x02f8', 'zz']) expect(nonceOf({ raw })).toBeUndefined();
    expect(nonceOf(undefined)).toBeUndefined();
  });
});
