import { expect, it } from 'vitest';
import { watchFate } from '../../../src/app/sender/fate.ts';
import type { Included, Node } from '../../../src/devnet/client/node.ts';
import { openCodec } from '../../../src/devnet/codec/codec.ts';

/** When it is certain that no block will take a tx, by what a node tells: sequence 5, timeout height 20. */

const codec = openCodec({ namespace: 'aeva' });
const trace = { hash: 'AB', sequence: 5n, timeoutHeight: 20n };

interface Told {
  readonly height: number;
  /** Of the account: the next one. */
  readonly sequence: bigint;
  readonly tx?: Partial<Included>;
}

async function fates(...told: readonly Told[]): Promise<readonly string[]> {
  let now: Told = { height: 0, sequence: 0n };
  const never = () => Promise.reject(new Error('not asked'));
  const node: Node = {
    status: async () => ({ chainId: 'c', timeNs: 0n, height: now.height }),
    tx: async (hash) =>
      now.tx === undefined
        ? undefined
        : {
            hash,
            height: 1,
            code: 0,
            codespace: '',
            log: '',
            gasUsed: 0n,
            gasWanted: 0n,
            events: [],
            ...now.tx,
          },
    query: async () => ({
      height: 0,
      ...{ code: 0, codespace: '', log: '' },
      value: codec.encode('/cosmos.auth.v1beta1.QueryAccountResponse', {
        account: { '@type': '/cosmos.auth.v1beta1.BaseAccount', sequence: String(now.sequence) },
      }),
    }),
    broadcast: never,
    inclusion: never,
  };
  const watch = watchFate({ codec, node }, 'aeva1', trace);
  const seen: string[] = [];
  for (const one of told) {
    now = one;
    const { fate } = await watch.look();
    seen.push(fate.state === 'never' ? `never by ${fate.by}` : fate.state);
  }
  return seen;
}

const failed = (code: number) => ({ code, codespace: 'sdk' });

it('is open up to the timeout height, and a block longer', async () => {
  expect(
    await fates({ height: 10, sequence: 5n }, { height: 20, sequence: 5n }, { height: 21, sequence: 5n }),
  ).toEqual(['open', 'open', 'open']);
  expect(await fates({ height: 22, sequence: 5n })).toEqual(['never by timeout']);
  expect(await fates({ height: 500, sequence: 3n })).toEqual(['never by timeout']);
});

it('is open for a block when the sequence is past, as the index of txs may be behind', async () => {
  expect(await fates({ height: 10, sequence: 6n }, { height: 11, sequence: 6n })).toEqual([
    'open',
    'never by sequence',
  ]);
  expect(await fates({ height: 10, sequence: 6n }, { height: 11, sequence: 6n, tx: {} })).toEqual([
    'open',
    'included',
  ]);
  // also when the timeout height is past long since
  expect(await fates({ height: 900, sequence: 9n }, { height: 901, sequence: 9n, tx: {} })).toEqual([
    'open',
    'included',
  ]);
});

it('is included with a failure of its messages, which takes the sequence', async () => {
  expect(await fates({ height: 10, sequence: 6n, tx: { code: 4, codespace: 'settlement' } })).toEqual([
    'included',
  ]);
});

it('is open with a failure of its ante, whose bytes may come again', async () => {
  expect(
    await fates({ height: 10, sequence: 5n, tx: failed(5) }, { height: 12, sequence: 6n, tx: {} }),
  ).toEqual(['open', 'included']);
  expect(await fates({ height: 30, sequence: 5n, tx: failed(5) })).toEqual(['included']);
});

it('is never when a block has it with a sequence that another took', async () => {
  expect(
    await fates({ height: 10, sequence: 6n, tx: failed(32) }, { height: 11, sequence: 6n, tx: failed(32) }),
  ).toEqual(['open', 'never by sequence']);
  expect(await fates({ height: 10, sequence: 4n, tx: failed(32) })).toEqual(['open']);
  expect(await fates({ height: 22, sequence: 4n, tx: failed(32) })).toEqual(['never by timeout']);
});
