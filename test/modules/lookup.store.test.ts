import { beforeAll, describe, expect, it } from 'vitest';
import type { IndexedDevnet } from '../support/devnet-index.ts';
import { referenceWorld } from '../support/worlds.ts';

/** What a look-up finds in the modules, and in which order (api.md, rule 7). */

let index: IndexedDevnet;
let settlements: ReadonlySet<string>;
let encumbrances: ReadonlySet<string>;
beforeAll(async () => {
  index = await referenceWorld();
  const idsOf = (list: unknown): Set<string> => new Set((list as { id: string }[]).map(({ id }) => id));
  settlements = idsOf((await index.query('settlement', 'Export')).settlements);
  encumbrances = idsOf((await index.query('encumbrance', 'Export')).encumbrances);
}, 120_000);

async function find(q: string): Promise<readonly unknown[]> {
  return (await index.api.get<{ candidates: readonly unknown[] }>(`/v1/lookup/${q}`)).candidates;
}

describe('a look-up', () => {
  it('of a number finds the block, then the settlement, then the encumbrance', async () => {
    const ends = [
      0,
      index.height,
      ...[settlements, encumbrances].map((ids) => Math.max(...[...ids].map(Number))),
    ];
    const shapes = new Set<string>();
    for (const number of new Set(ends.flatMap((end) => (end === 0 ? [0, 1, 2] : [end - 1, end, end + 1])))) {
      const id = String(number);
      const expected = [
        ...(number >= 1 && number <= index.height ? [{ type: 'block', id }] : []),
        ...(settlements.has(id) ? [{ type: 'settlement', id }] : []),
        ...(encumbrances.has(id) ? [{ type: 'encumbrance', id }] : []),
      ];
      expect(await find(id), id).toEqual(expected);
      shapes.add(expected.map(({ type }) => type).join());
    }
    expect(shapes).toContain('block,settlement,encumbrance');
    expect(shapes).toContain('');
  });

  it('of a number takes leading zeros, and any number of digits', async () => {
    expect(await find('0001')).toEqual(await find('1'));
    for (const huge of ['9'.repeat(20), '18446744073709551616', '9'.repeat(200)]) {
      expect(await find(huge)).toEqual([]);
    }
  });

  it('of a hash finds a tx, and by its eth hash too', async () => {
    const { txs } = await index.api.get<{ txs: { hash: string; evm: { eth_hash: string } | null }[] }>(
      '/v1/txs?limit=100',
    );
    const ethereum = txs.find(({ evm }) => evm !== null);
    const plain = txs.find(({ evm }) => evm === null);
    expect(await find(plain?.hash ?? '')).toEqual([{ type: 'tx', id: plain?.hash }]);
    const eth_hash = ethereum?.evm?.eth_hash ?? '';
    expect(await find(eth_hash)).toEqual([{ type: 'tx', id: ethereum?.hash, eth_hash }]);
  });
});
