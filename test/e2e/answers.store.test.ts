import { bech32 } from '@scure/base';
import { getAddress } from 'ethers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiServer, listenApi } from '../../src/api/http.ts';
import { referenceAccounts } from '../reference/accounts.ts';
import { accountOf, moduleAccounts } from '../reference/addresses.ts';
import { referenceDays, referenceMatches } from '../reference/pages.ts';
import { type RefTx, referenceBlocks, referenceTx, referenceTxs } from '../reference/txs.ts';
import { expectations, HRP, labelledAccounts, recordedBlocks } from '../support/oracle.ts';
import { recordedWorld } from '../support/worlds.ts';
import {
  type ApiEvent,
  type ApiTx,
  type BlockAnswer,
  expectedBlock,
  expectedTx,
  expectSame,
  expectTxs,
  hexFormOf,
} from './support/expected.ts';
import { forEachAtOnce, type RecordedApi } from './support/recorded-api.ts';

/** Every answer about the recorded chain, field by field, against the reference made of the node's own answers. */

const HEAD = 501;
const headTime = (referenceBlocks().at(-1) as { time: string }).time;

let t: RecordedApi;
/** By height − 1. */
const blocks: BlockAnswer[] = [];

beforeAll(async () => {
  t = await recordedWorld();
  await forEachAtOnce(referenceBlocks(), async ({ height }) => {
    blocks[height - 1] = await t.get<BlockAnswer>(`/v1/blocks/${height}`);
  });
});
afterAll(() => expect(t.reported).toEqual([]));

/** The tx that a hash answers: of two blocks with one hash the successful one. */
const txByHash = new Map<string, RefTx>();
for (const tx of referenceTxs()) if (txByHash.get(tx.hash)?.code !== 0) txByHash.set(tx.hash, tx);

const mixedCase = (hex: string) =>
  [...hex].map((c, i) => (i % 2 === 0 ? c.toLowerCase() : c.toUpperCase())).join('');
/** Every case that a client may write, one after the other. */
const written = (hex: string, n: number) => [hex.toUpperCase(), hex.toLowerCase(), mixedCase(hex)][n % 3];

describe('/v1/blocks/{height}', () => {
  test('every block, its txs with messages, fee, events and EVM view, and its own events', () => {
    expect(blocks).toHaveLength(HEAD);
    for (const [i, block] of referenceBlocks().entries()) {
      expectSame(blocks[i], expectedBlock(block), `block ${block.height}`);
    }
  });

  test('leading zeros are the same block', async () => {
    expect(await t.get('/v1/blocks/00061')).toEqual(blocks[60]);
  });

  test('keeps NUL bytes and broken UTF-8 of attributes as the node printed them', () => {
    for (const [i, { events }] of blocks.entries()) {
      const bloom = events.find((event) => event.type === 'block_bloom');
      const recorded = (recordedBlocks()[i]?.block_results.finalize_block_events ?? []).find(
        (event) => event.type === 'block_bloom',
      );
      expect(bloom?.attributes[0]?.value).toBe(recorded?.attributes[0]?.value);
    }
    expect(JSON.stringify(blocks)).toContain('\\u0000');
  });
});

describe('what the workload knew of itself', () => {
  const tally = (names: readonly string[]) => {
    const counts: Record<string, number> = {};
    for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
    return counts;
  };
  const allTxs = () => blocks.flatMap((block) => block.txs);
  const txAt = ({ height, index }: { readonly height: number; readonly index: number }): ApiTx => {
    const tx = blocks[height - 1]?.txs[index];
    if (tx === undefined) throw new Error(`no tx ${height}/${index}`);
    return tx;
  };

  test('counts', () => {
    const expected = expectations();
    const events: ApiEvent[] = blocks.flatMap((block) => [
      ...block.events,
      ...block.txs.flatMap((tx) => tx.events),
    ]);
    expect(blocks.length).toBe(expected.blocks);
    expect(allTxs().length).toBe(expected.txs);
    expect(allTxs().filter((tx) => tx.evm !== null).length).toBe(expected.evm_txs);
    expect(events.length).toBe(expected.events);
    expect(blocks.reduce((sum, { block }) => sum + block.event_count, 0)).toBe(expected.events);
    expect(tally(events.map((event) => event.type))).toEqual(expected.event_types);
    expect(tally(allTxs().map((tx) => (tx.code === 0 ? '0' : `${tx.codespace}/${tx.code}`)))).toEqual(
      expected.result_codes,
    );
    expect(tally(allTxs().flatMap((tx) => tx.msgs.map((message) => message['@type'])))).toEqual(
      expected.message_counts,
    );
    const empty = blocks.filter(({ block }) => block.tx_count === 0);
    expect(empty.map(({ block }) => block.height)).toEqual(expected.zero_tx_heights);
    expect(Math.max(...blocks.map(({ block }) => block.tx_count))).toBe(expected.max_txs_in_a_block);
  });

  test('every tx that it sent: hash, outcome, value and sides', () => {
    const labelled = new Map(labelledAccounts().map(({ label, evm }) => [label, getAddress(evm)]));
    for (const entry of expectations().journal) {
      const tx = txAt(entry);
      expect([tx.hash, tx.code]).toEqual([entry.hash, entry.code]);
      if (entry.chain !== 'evm') continue;
      expect(tx.evm).toMatchObject({
        eth_hash: entry.eth_hash,
        from: labelled.get(entry.from),
        value: { denom: 'atest', amount: entry.value },
        // the workload has no receipt of what failed before its execution
        status: entry.status ?? 0,
        ...(entry.to == null ? {} : { to: getAddress(entry.to) }),
      });
    }
  });

  test('what must fail, revert, or fail before its execution', () => {
    const { must_fail, must_revert, evm_failed_in_ante } = expectations();
    for (const failed of must_fail) expect(txAt(failed).code, failed.hash).toBe(failed.code);
    for (const reverted of must_revert) {
      const { code, evm } = txAt(reverted);
      expect([code, evm?.eth_hash, evm?.status]).toEqual([0, reverted.eth_hash, 0]);
      const { kind, reason } = reverted.expected;
      if (kind === 'Error(string)') expect(evm?.revert_reason).toBe(reason);
      else if (kind === 'vm' && typeof reason === 'string') expect(evm?.revert_reason).toContain(reason);
      else expect(evm?.revert_reason, reverted.hash).toBeTruthy();
    }
    for (const failed of evm_failed_in_ante) {
      const tx = txAt(failed);
      expect(tx).toMatchObject({ hash: failed.hash, code: failed.code, gas_wanted: -1, events: [] });
      expect(tx.evm).toMatchObject({ eth_hash: failed.eth_hash, status: 0 });
    }
  });
});

describe('/v1/txs/{hash}', () => {
  // the blocks have shown each tx whole; here the indexes of hashes are asked
  test('txs of every block by their hash in any case', async () => {
    const chosen = [...txByHash.values()].filter(({ txIndex, code }, n) => txIndex === n % 7 || code !== 0);
    expect(chosen.length).toBeGreaterThan(200);
    await forEachAtOnce(chosen, async (tx, n) => {
      expectSame(await t.get(`/v1/txs/${written(tx.hash, n)}`), expectedTx(tx), tx.hash);
    });
  }, 120_000);

  test('Ethereum txs by their eth hash in any case', async () => {
    const ethereum = referenceTxs().filter((tx) => tx.evm !== null);
    expect(ethereum).toHaveLength(expectations().evm_txs);
    const chosen = ethereum.filter(({ code }, n) => n % 7 === 0 || code !== 0);
    await forEachAtOnce(chosen, async (tx, n) => {
      const hex = (tx.evm?.eth_hash ?? '').slice(2);
      const prefix = n % 5 === 0 ? '0X' : '0x';
      expectSame(await t.get(`/v1/txs/${prefix}${written(hex, n)}`), expectedTx(tx), tx.hash);
    });
  }, 120_000);

  test('the hash that stands in two blocks answers the successful one; each block keeps its own', async () => {
    const [twice] = expectations().hashes_in_two_blocks;
    if (twice === undefined) throw new Error('none recorded');
    expect(await t.get(`/v1/txs/${twice.hash}`)).toMatchObject({ height: 63, tx_index: 0, code: 0 });
    for (const { height, index, code } of twice.at) {
      const tx = (blocks[height - 1] as BlockAnswer).txs[index];
      expect(tx).toMatchObject({ hash: twice.hash, height, tx_index: index, code });
    }
    expect(await t.get(`/v1/lookup/${twice.hash}`)).toMatchObject({ candidates: [{ id: twice.hash }] });
  });

  test('a hash of the other kind is not found', async () => {
    const tx = referenceTx(32, 0);
    expect((await t.ask(`/v1/txs/0x${tx.hash}`)).status).toBe(404);
    expect((await t.ask(`/v1/txs/${(tx.evm?.eth_hash ?? '').slice(2)}`)).status).toBe(404);
  });
});

describe('/v1/status and /v1/stats', () => {
  // the age by a clock: test/api/routes
  test('status has the head', async () => {
    expect(await t.get('/v1/status')).toEqual({
      indexed_height: HEAD,
      chain_height: HEAD,
      lag_blocks: 0,
      latest_block_time: headTime,
      wall_clock_lag_seconds: expect.any(Number),
      drift_total: 0,
    });
  });

  test.each([
    ['', 6],
    ['?limit=1', 1],
    ['?limit=7', 7],
    ['?limit=100', 100],
  ])(
    'stats%s: every tx is counted, the %i latest are shown, 14 days end on the last one',
    async (query, size) => {
      const stats = await t.get<{ latest_txs: readonly ApiTx[] }>(`/v1/stats${query}`);
      expectTxs(stats.latest_txs, referenceMatches({}).slice(0, size), 'latest_txs');
      const days = Array.from({ length: 14 }, (_, i) => `2026-11-${String(7 + i).padStart(2, '0')}`);
      const counts = new Map(referenceDays().map(({ day, count }) => [day, count]));
      expect(stats).toEqual({
        indexed_height: HEAD,
        tx_count: 2707,
        latest_txs: expect.anything(),
        tx_daily: days.map((day) => ({ day, count: counts.get(day) ?? 0 })),
      });
      expect(headTime.slice(0, 10)).toBe(days.at(-1));
    },
  );
});

describe('/v1/blocks', () => {
  const expected = referenceBlocks()
    .map((block) => expectedBlock(block).block)
    .reverse();

  // so many pages of the size, the rest in pages of 100
  test.each([
    ['', 11],
    ['1', 3],
    ['2', 3],
    ['7', 72],
    ['100', 6],
  ])('limit=%s walks every block once, newest first', async (limit, pages) => {
    const seen: unknown[] = [];
    let page = 0;
    for (let cursor: string | null = ''; cursor !== null; page++) {
      const given = page < pages ? limit : '100';
      const size = given === '' ? 50 : Number(given);
      const query: string = `${given === '' ? '' : `&limit=${given}`}${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const answer: { blocks: unknown[]; next_cursor: string | null } = await t.get(`/v1/blocks?${query}`);
      expect(answer.blocks.length).toBe(Math.min(size, expected.length - seen.length));
      seen.push(...answer.blocks);
      cursor = answer.next_cursor;
    }
    expectSame(seen, expected, limit);
  });
});

describe('/v1/lookup/{q}', () => {
  const candidates = async (q: string): Promise<unknown> => {
    const { query, candidates } = await t.get<{ query: string; candidates: unknown }>(
      `/v1/lookup/${encodeURIComponent(q)}`,
    );
    expect(query).toBe(q);
    return candidates;
  };
  const account = (id: string, known: boolean) => [
    { type: 'account', id, evm_address: hexFormOf(id), known },
  ];

  test('txs by either hash, failed ones and those with a hash in two blocks included', async () => {
    const chosen = [...txByHash.values()].filter(
      (tx, n) => n % 50 === 0 || (tx.code !== 0 && tx.evm !== null) || tx.height === 63,
    );
    await forEachAtOnce(chosen, async (tx, n) => {
      const ethHash = tx.evm?.eth_hash;
      const expected = [{ type: 'tx', id: tx.hash, ...(ethHash === undefined ? {} : { eth_hash: ethHash }) }];
      expect(await candidates(written(tx.hash, n) as string)).toEqual(expected);
      if (ethHash !== undefined)
        expect(await candidates(`0x${written(ethHash.slice(2), n)}`)).toEqual(expected);
    });
  });

  test('every account that took part in a tx, each form in turn', async () => {
    for (const [n, id] of [...referenceAccounts().keys()].entries()) {
      const hex = hexFormOf(id);
      const forms = [id, id.toUpperCase()];
      if (hex !== null) forms.push(hex, hex.toLowerCase(), `0x${hex.slice(2).toUpperCase()}`);
      expect(await candidates(forms[n % forms.length] as string)).toEqual(account(id, true));
    }
  });

  test('every account that any event names, module accounts of block-level events included', async () => {
    const named = new Set<string>();
    for (const { block_results: results } of recordedBlocks()) {
      const events = [
        ...(results.finalize_block_events ?? []),
        ...(results.txs_results ?? []).flatMap((result) => result.events),
      ];
      for (const { value } of events.flatMap((event) => event.attributes)) {
        const word = value.replaceAll('"', '');
        if (/^cosmos1[02-9ac-hj-np-z]{38,58}$/.test(word) || /^0x[0-9a-fA-F]{40}$/.test(word)) {
          named.add(accountOf(word));
        }
      }
    }
    const modules = [...moduleAccounts()].filter((id) => named.has(id));
    expect(modules.length).toBeGreaterThan(3);
    expect(named.size).toBeGreaterThan(referenceAccounts().size);
    const others = [...named].filter((id) => !referenceAccounts().has(id));
    for (const id of others) expect(await candidates(id), id).toEqual(account(id, true));
  });

  test('every contract that was created', async () => {
    for (const { address } of expectations().created_contracts) {
      expect(await candidates(address)).toEqual(account(accountOf(address), true));
    }
  });

  test('accounts that nothing names are not known; a key of 32 bytes has no 0x form', async () => {
    const unknown = [new Uint8Array(20).fill(7), new Uint8Array(32).fill(7)].map((bytes) =>
      bech32.encode(HRP, bech32.toWords(bytes)),
    );
    for (const id of unknown) expect(await candidates(id)).toEqual(account(id, false));
    expect(hexFormOf(unknown[1] as string)).toBeNull();
  });

  test('every height that is indexed, and no other', async () => {
    for (const height of [1, 2, 61, 500, HEAD]) {
      expect(await candidates(String(height))).toEqual([{ type: 'block', id: String(height) }]);
    }
    expect(await candidates('0007')).toEqual([{ type: 'block', id: '7' }]);
    for (const q of [
      '0',
      '502',
      '9007199254740993',
      '9223372036854775808',
      '9'.repeat(63),
      '1'.repeat(2000),
    ]) {
      expect(await candidates(q)).toEqual([]);
    }
  });

  test('well-formed hashes behind which there is nothing', async () => {
    for (const q of ['ab'.repeat(32), `0x${'ab'.repeat(32)}`, '1'.repeat(64)]) {
      expect(await candidates(q)).toEqual([]);
    }
  });

  const [first] = labelledAccounts();
  if (first === undefined) throw new Error('no account is labelled');
  const words = bech32.decode(first.bech32 as `${string}1${string}`).words;
  test.each([
    ['a word', 'alice'],
    ['a negative integer', '-1'],
    ['a fraction', '1.5'],
    ['an exponent', '1e3'],
    ['hex of 62 digits', 'ab'.repeat(31)],
    ['hex of 66 digits', 'ab'.repeat(33)],
    ['0x and 38 digits', `0x${'ab'.repeat(19)}`],
    ['0x and 62 digits', `0x${'ab'.repeat(31)}`],
    ['0x alone', '0x'],
    ['a wrong EIP-55 checksum', getAddress(first.evm).replace(/[a-f]/, (c) => c.toUpperCase())],
    ['a wrong bech32 checksum', first.bech32.replace(/.$/, (c) => (c === 'q' ? 'p' : 'q'))],
    ['bech32 in mixed case', `${first.bech32.slice(0, -4)}${first.bech32.slice(-4).toUpperCase()}`],
    ['a foreign prefix', bech32.encode('osmo', words)],
    ['a validator address', bech32.encode(`${HRP}valoper`, words)],
    ['bech32 of 21 bytes', bech32.encode(HRP, bech32.toWords(new Uint8Array(21)))],
    ['a space', ' 1'],
    ['a NUL', '1\u0000'],
    ['digits of another script', '１２'],
    ['a path', '1/2'],
  ])('%s is no recognised shape: 404', async (_, q) => {
    expect((await t.ask(`/v1/lookup/${encodeURIComponent(q)}`)).status).toBe(404);
  });
});

describe('over a socket', () => {
  /** A second may pass between two answers. */
  const atOneTime = (text: string): string => text.replace(/("wall_clock_lag_seconds":)\d+/, '$1a number');

  let server: ApiServer;
  beforeAll(async () => {
    server = await listenApi(t.api, { host: '127.0.0.1', port: 0 });
  });
  afterAll(() => server.close());

  test('the same bytes with the same headers', async () => {
    const { eth_hash: ethHash } = referenceTx(32, 0).evm ?? { eth_hash: '' };
    for (const target of [
      '/v1/status',
      '/v1/stats',
      '/v1/blocks?limit=3',
      '/v1/blocks/61',
      '/v1/txs?limit=100',
      `/v1/txs/${ethHash}`,
      `/v1/accounts/${labelledAccounts()[0]?.bech32}/txs?limit=7`,
      '/v1/lookup/61',
      '/openapi.yaml',
      '/v1/txs?limit=0',
      '/v1/assets',
      '/nothing',
    ]) {
      const answer = await fetch(`http://127.0.0.1:${server.port}${target}`);
      const expected = await t.ask(target);
      expect(answer.status, target).toBe(expected.status);
      expect(answer.headers.get('content-type')).toBe(expected.headers.get('content-type'));
      expect(answer.headers.get('set-cookie')).toBeNull();
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
      expect(atOneTime(await answer.text())).toBe(atOneTime(expected.text));
    }
  });
});
