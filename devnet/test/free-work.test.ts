import { describe, expect, it } from 'vitest';
import type { App } from '../src/app/app.ts';
import { createMempool } from '../src/comet/mempool.ts';
import type { CheckResult } from '../src/comet/types.ts';
import { FREE_NS } from '../src/modules/evm/work.ts';
import { openEthereumDevnet } from './evm-rpc/support.ts';

/** The work of a block that no gas pays for. */

describe('the proposer', () => {
  it('leaves txs for the next block when their free work takes more than a second', async () => {
    const checkTx = async (bytes: Uint8Array): Promise<CheckResult> => ({
      hash: '',
      code: 0,
      codespace: '',
      log: '',
      gasWanted: 30_000n,
      gasUsed: 0n,
      freeWorkNs: bytes[0] === 1 ? FREE_NS : 0,
    });
    const mempool = createMempool({ app: { checkTx } as unknown as App, maxTxs: 1_000, maxBytes: 1e6 });
    for (let i = 0; i < 200; i++) await mempool.add(Uint8Array.of(1, i));
    const first = mempool.reap(1e6, 40_000_000n);
    expect(first).toHaveLength(166);
    await mempool.update(
      first,
      first.map(() => ({
        code: 0,
        codespace: '',
        log: '',
        data: new Uint8Array(0),
        gasWanted: 0n,
        gasUsed: 0n,
        events: [],
      })),
    );
    expect(mempool.reap(1e6, 40_000_000n)).toHaveLength(34);
    for (let i = 0; i < 200; i++) await mempool.add(Uint8Array.of(0, i));
    expect(mempool.reap(1e6, 40_000_000n)).toHaveLength(234);
  });

  it('counts what Ethereum txs may do beyond their gas, and none for plain transfers', async () => {
    const { devnet, alice, bob, close } = await openEthereumDevnet({ makesBlocks: false });
    try {
      const checked: (number | undefined)[] = [];
      const { checkTx } = devnet.app;
      devnet.app.checkTx = async (...given) => {
        const result = await checkTx(...given);
        checked.push(result.freeWorkNs);
        return result;
      };
      await alice.sendTransaction({ to: bob.address, value: 1n, gasLimit: 21_000n });
      await bob.sendTransaction({ to: alice.address, value: 1n, gasLimit: 30_000n });
      expect(checked).toEqual([0, FREE_NS]);
    } finally {
      await close();
    }
  });
});
