import { describe, expect, it } from 'vitest';
import { ClientError } from '../../src/client/errors.ts';
import type { Included, Node } from '../../src/client/node.ts';
import { refusalIn, type SignedBytes, watchOutcome } from '../../src/client/outcome.ts';
import { txHash } from '../../src/client/tx.ts';
import { openCodec } from '../../src/codec/codec.ts';

/** What is certain of a tx, by what a node tells: signed at height 8, sequence 5, timeout height 20. */

const codec = openCodec({ namespace: 'aeva' });

function txOf(body: string, signature: string): Uint8Array {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  return codec.encode('/cosmos.tx.v1beta1.TxRaw', {
    body_bytes: base64(body),
    auth_info_bytes: base64('signer and sequence'),
    signatures: [base64(signature)],
  });
}

const bytes = txOf('pay', 'signature');
const twin = txOf('pay', 'signature, changed on the way');
const other = txOf('pay another', 'signature');
const signed = { hash: txHash(bytes), bytes, sequence: 5n, timeoutHeight: 20n, signedHeight: 8 };

interface Told {
  readonly height: number;
  /** Of the account: the next one. */
  readonly sequence: bigint | 'no account';
  /** Of the state that answers a query; `height` unless told. */
  readonly stateHeight?: number;
  readonly tx?: Partial<Included>;
  /** By hash, in the index of txs. */
  readonly index?: Readonly<Record<string, Partial<Included>>>;
  readonly blocks?: Readonly<Record<number, readonly Uint8Array[]>> | 'pruned';
}

const INCLUDED = {
  ...{ hash: signed.hash, height: 1, code: 0, codespace: '', log: '' },
  ...{ gasUsed: 0n, gasWanted: 0n, events: [] },
};

async function outcomes(...told: readonly Told[]): Promise<readonly string[]> {
  return await outcomesBeside([], ...told);
}

async function outcomesBeside(
  earlier: readonly SignedBytes[],
  ...told: readonly Told[]
): Promise<readonly string[]> {
  let now: Told = { height: 0, sequence: 0n };
  const read: number[] = [];
  const never = () => Promise.reject(new Error('not asked'));
  const node: Node = {
    status: async () => ({ chainId: 'c', timeNs: 0n, height: now.height }),
    async tx(hash) {
      const found = hash === signed.hash ? now.tx : now.index?.[hash];
      return found === undefined ? undefined : { ...INCLUDED, hash, ...found };
    },
    query: async () => ({
      height: now.stateHeight ?? now.height,
      ...(now.sequence === 'no account'
        ? { code: 22, codespace: 'sdk', log: 'account aeva1 not found: key not found' }
        : { code: 0, codespace: '', log: '' }),
      value: codec.encode('/cosmos.auth.v1beta1.QueryAccountResponse', {
        account: {
          '@type': '/cosmos.auth.v1beta1.BaseAccount',
          sequence: String(now.sequence === 'no account' ? 0 : now.sequence),
        },
      }),
    }),
    async blockTxs(height) {
      if (now.blocks === 'pruned') throw new ClientError('node', `height ${height} is not available`);
      expect(read).not.toContain(height);
      read.push(height);
      return now.blocks?.[height] ?? [];
    },
    broadcast: never,
  };
  const watch = watchOutcome({ codec, node }, 'aeva1', signed, earlier);
  const seen: string[] = [];
  for (const one of told) {
    now = one;
    seen.push(
      await watch.look().then(
        ({ outcome }) =>
          outcome.state === 'never'
            ? `never by ${outcome.by}`
            : outcome.state === 'included'
              ? `${outcome.signed === signed ? '' : 'the earlier one '}included${outcome.tx.hash === outcome.signed.hash ? '' : ' as its twin'}`
              : 'open',
        (error: unknown) => String(error),
      ),
    );
  }
  return seen;
}

const failed = (code: number) => ({ code, codespace: 'sdk' });

it('is open up to the timeout height, and a block longer', async () => {
  expect(
    await outcomes({ height: 10, sequence: 5n }, { height: 20, sequence: 5n }, { height: 21, sequence: 5n }),
  ).toEqual(['open', 'open', 'open']);
  expect(await outcomes({ height: 22, sequence: 5n })).toEqual(['never by timeout']);
  expect(await outcomes({ height: 500, sequence: 3n })).toEqual(['never by timeout']);
});

it('is open after the timeout height while the node does not know the account, since it is behind', async () => {
  expect(await outcomes({ height: 30, sequence: 'no account' })).toEqual(['open']);
});

it('is open behind the timeout height as long as the state that tells the sequence is older', async () => {
  expect(await outcomes({ height: 30, stateHeight: 19, sequence: 5n })).toEqual(['open']);
  expect(await outcomes({ height: 30, stateHeight: 20, sequence: 5n })).toEqual(['never by timeout']);
});

it('is never when the blocks up to the one that used its sequence hold other content alone', async () => {
  const blocks = { 9: [other, Buffer.from('no tx')], 10: [other] };
  expect(await outcomes({ height: 10, sequence: 6n, blocks })).toEqual(['never by sequence']);
  expect(await outcomes({ height: 900, sequence: 9n, blocks })).toEqual(['never by sequence']);
});

it('is included under the hash that a relay gave it, as soon as the index has that', async () => {
  const blocks = { 9: [other, twin] };
  expect(
    await outcomes(
      { height: 10, sequence: 6n, blocks },
      { height: 11, sequence: 6n, blocks, index: { [txHash(twin)]: {} } },
    ),
  ).toEqual(['open', 'included as its twin']);
  // the same, failed: its outcome all the same
  expect(
    await outcomes({
      height: 10,
      sequence: 6n,
      blocks,
      index: { [txHash(twin)]: { code: 4, codespace: 'x' } },
    }),
  ).toEqual(['included as its twin']);
});

it('is included where one of two twins came too late', async () => {
  const blocks = { 9: [twin, bytes] };
  const index = { [txHash(twin)]: {} };
  expect(await outcomes({ height: 10, sequence: 6n, blocks, index, tx: failed(32) })).toEqual([
    'included as its twin',
  ]);
});

it('is open, never given up, while the node cannot show the blocks or the index lacks what they hold', async () => {
  expect(await outcomes({ height: 900, sequence: 6n, blocks: 'pruned' })).toEqual([
    expect.stringContaining('not available'),
  ]);
  expect(await outcomes({ height: 900, sequence: 6n, blocks: { 9: [bytes] } })).toEqual(['open']);
});

it('is included with a failure of its messages, which takes the sequence', async () => {
  expect(await outcomes({ height: 10, sequence: 6n, tx: { code: 4, codespace: 'settlement' } })).toEqual([
    'included',
  ]);
});

it('is open with a failure of its ante, whose bytes may come again', async () => {
  expect(
    await outcomes({ height: 10, sequence: 5n, tx: failed(5) }, { height: 12, sequence: 6n, tx: {} }),
  ).toEqual(['open', 'included']);
  expect(await outcomes({ height: 30, sequence: 5n, tx: failed(5) })).toEqual(['included']);
});

it('is never when a block has it with a sequence that another took', async () => {
  const blocks = { 9: [other, bytes] };
  expect(await outcomes({ height: 10, sequence: 6n, tx: failed(32), blocks })).toEqual(['never by sequence']);
  expect(await outcomes({ height: 10, sequence: 4n, tx: failed(32) })).toEqual(['open']);
  expect(await outcomes({ height: 22, sequence: 4n, tx: failed(32) })).toEqual(['never by timeout']);
});

describe('beside one that was refused before, with the same sequence', () => {
  const earlier = {
    ...{ hash: txHash(other), bytes: other, sequence: 5n },
    ...{ timeoutHeight: 30n, signedHeight: 6 },
  };
  const otherTwin = txOf('pay another', 'signature, changed on the way');

  it('it is the earlier one that a block holds, by its hash or under another one', async () => {
    const index = { [txHash(other)]: {}, [txHash(otherTwin)]: {} };
    expect(await outcomesBeside([earlier], { height: 10, sequence: 6n, index })).toEqual([
      'the earlier one included',
    ]);
    const told = { height: 10, sequence: 6n, index: { [txHash(otherTwin)]: {} }, blocks: { 7: [otherTwin] } };
    expect(await outcomesBeside([earlier], told)).toEqual(['the earlier one included as its twin']);
    expect(await outcomesBeside([earlier], { height: 10, sequence: 6n, tx: {} })).toEqual(['included']);
  });

  it('it is never only once neither may come in', async () => {
    const told = [31, 32].map((height) => ({ height, sequence: 5n }));
    expect(await outcomesBeside([earlier], ...told)).toEqual(['open', 'never by timeout']);
    const endless = { ...earlier, timeoutHeight: 0n };
    expect(await outcomesBeside([endless], { height: 900, sequence: 5n })).toEqual(['open']);
    expect(await outcomesBeside([earlier], { height: 40, sequence: 6n })).toEqual(['never by sequence']);
  });
});

it.each([
  ['a code of the chain', { kind: 'refused', codespace: 'bank', code: 5, log: '' }, 'bank/5'],
  ['a full mempool', { kind: 'full', log: '' }, 'sdk/20'],
  ['a sequence that is not used yet', { kind: 'sequence', expected: 4n, log: '' }, 'sdk/32'],
  ['a sequence that is used', { kind: 'sequence', expected: 6n, log: '' }, undefined],
  ['a sequence in unknown words', { kind: 'sequence', expected: undefined, log: '' }, undefined],
  ['a time that is past', { kind: 'refused', codespace: 'sdk', code: 30, log: '' }, undefined],
  ['nothing', { kind: 'taken' }, undefined],
] as const)('an answer with %s is a refusal of new bytes, or none', (_, answer, refusal) => {
  const { codespace, code } = refusalIn(answer, 5n) ?? {};
  expect(code === undefined ? undefined : `${codespace}/${code}`).toBe(refusal);
});
