import { describe, expect, it } from 'vitest';
import type { App } from '../src/app/app.ts';
import { createMempool } from '../src/comet/mempool.ts';
import type { CheckResult, TxResult } from '../src/comet/types.ts';

/** Txs of one byte, the sequence: from 10 on they are of another sender. */
function open() {
  const invalid = new Set<number>();
  const checkTx = async ([sequence = 0]: Uint8Array): Promise<CheckResult> => ({
    ...{ hash: '', codespace: '', log: '', gasWanted: 1n, gasUsed: 0n },
    code: invalid.has(sequence) ? 5 : 0,
    known: { hash: `0x${sequence}`, sender: sequence < 10 ? 'ann' : 'ben', sequence: BigInt(sequence) },
  });
  const mempool = createMempool({ app: { checkTx } as unknown as App, maxTxs: 100, maxBytes: 1e6 });
  return { mempool, invalid };
}

describe('a tx that carries another one', () => {
  it('is found by what it carries, while it waits', async () => {
    const { mempool, invalid } = open();
    for (const sequence of [3, 4, 5, 12]) await mempool.add(Uint8Array.of(sequence));
    expect(mempool.find('0x4')).toEqual(Uint8Array.of(4));
    expect([mempool.nextSequence('ann'), mempool.nextSequence('ben')]).toEqual([6n, 13n]);
    invalid.add(5);
    const included = [Uint8Array.of(3), Uint8Array.of(12)];
    await mempool.update(
      included,
      included.map(() => ({ code: 0 }) as TxResult),
    );
    expect(['0x3', '0x4', '0x5', '0x12'].map((hash) => mempool.find(hash)?.[0])).toEqual([
      undefined,
      4,
      undefined,
      undefined,
    ]);
    expect([mempool.nextSequence('ann'), mempool.nextSequence('ben')]).toEqual([5n, undefined]);
    invalid.add(6);
    await mempool.add(Uint8Array.of(6));
    expect(mempool.find('0x6')).toBeUndefined();
  });
});
