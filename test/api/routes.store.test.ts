import { encodeBech32 } from 'strata-kit/address';
import { formatTimeNs, utcDay } from 'strata-kit/time';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ACCOUNTS,
  ACCOUNTS_HEX,
  BLOCK_EVENT_TEXT,
  blockHash,
  EVENT_TEXT,
  evmText,
  FIRST_HEIGHT,
  hashOf,
  MODULE_ACCOUNT,
  type ModelTx,
  PROPOSER,
} from './support/model-chain.ts';
import { ask, OPENAPI_TEXT, openTestApi, type TestApi } from './support/test-api.ts';

const TWICE_FAILED = new Uint8Array(32).fill(0x11);
const RETRIED = new Uint8Array(32).fill(0x22);
const ETH_RETRIED = `0x${'3e'.repeat(32)}`;
const TWO_ETH = [`0x${'41'.repeat(32)}`, undefined, `0x${'42'.repeat(32)}`];
const UNKNOWN = 'ef'.repeat(32);

let t: TestApi;
beforeAll(async () => {
  t = await openTestApi(7, { derivedTypes: new Set(['x.asset.v1.EventCreated']) });
  const evm = { method: '/t.evm.v1.MsgEthereumTx' };
  t.chain.grow(2, [
    { hash: TWICE_FAILED, code: 5 },
    { ...evm, hash: RETRIED, code: 11, ethHashes: [ETH_RETRIED] },
  ]);
  t.chain.grow(2, [
    { hash: TWICE_FAILED, code: 6 },
    { ...evm, hash: RETRIED, code: 0, ethHashes: [ETH_RETRIED] },
    { ...evm, hash: new Uint8Array(32).fill(0x33), code: 0, ethHashes: TWO_ETH },
  ]);
  t.chain.grow(30, [{ hash: RETRIED, code: 11 }]);
  await t.commit(1000);
});
afterAll(() => t.close());

function blockAt(height: number) {
  const block = t.chain.blocks.find((found) => found.height === height);
  if (block === undefined) throw new Error(`the model has no block ${height}`);
  return block;
}

/** The Tx of api.md, written down a second time from the model. */
function expectedTx(tx: ModelTx, evm: unknown = undefined): unknown {
  const first = tx.ethHashes[0];
  return {
    hash: hashOf(tx),
    height: tx.height,
    tx_index: tx.txIndex,
    code: tx.code,
    codespace: tx.code === 0 ? '' : 'sdk',
    ...(tx.code === 0 ? {} : { raw_log: 'out of gas' }),
    gas_wanted: 200_000,
    gas_used: tx.height,
    msgs: tx.method === '' ? [] : [{ '@type': tx.method }],
    fee: [{ denom: 'atest', amount: '1' }],
    block_time: formatTimeNs(tx.timeNs),
    evm: evm ?? (first === undefined ? null : JSON.parse(evmText(tx, first))),
    events: [{ ...JSON.parse(EVENT_TEXT), applied: tx.code === 0 }],
  };
}

function expectedBlock(height: number): unknown {
  const block = blockAt(height);
  return {
    height,
    hash: Buffer.from(blockHash(height)).toString('hex').toUpperCase(),
    time: formatTimeNs(block.timeNs),
    proposer: Buffer.from(PROPOSER).toString('hex').toUpperCase(),
    tx_count: block.txs.length,
    event_count: block.txs.length + 1,
  };
}

describe('/openapi.yaml', () => {
  test('is the text as YAML', async () => {
    const answer = await t.api.handle('GET', '/openapi.yaml');
    expect(answer.status).toBe(200);
    expect(new Map(answer.headers).get('content-type')).toBe('application/yaml');
    expect(Buffer.from(answer.body).toString()).toBe(OPENAPI_TEXT);
  });
});

describe('/v1/status', () => {
  test('tells the lag in blocks and in seconds', async () => {
    const { json } = await ask(t.api, '/v1/status');
    const height = t.chain.head.height;
    expect(json).toEqual({
      indexed_height: height,
      chain_height: 1000,
      lag_blocks: 1000 - height,
      latest_block_time: formatTimeNs(t.chain.head.timeNs),
      wall_clock_lag_seconds: expect.any(Number),
      drift_total: 0,
    });
    const seconds = Math.max(0, Math.floor(Date.now() / 1000 - Number(t.chain.head.timeNs / 1_000_000_000n)));
    expect(Math.abs((json.wall_clock_lag_seconds as number) - seconds)).toBeLessThanOrEqual(2);
  });
});

describe('/v1/stats', () => {
  test('counts every tx, shows the latest 6, and 14 days ending on the latest block’s day', async () => {
    const { json } = await ask<{ latest_txs: unknown[]; tx_daily: unknown[] }>(t.api, '/v1/stats');
    const txs = t.chain.txs;
    expect(json).toMatchObject({ indexed_height: t.chain.head.height, tx_count: txs.length });
    expect(json.latest_txs).toEqual(txs.slice(0, 6).map((tx) => expectedTx(tx)));
    const days = Array.from({ length: 14 }, (_, i) =>
      utcDay(t.chain.head.timeNs - BigInt(13 - i) * 86_400_000_000_000n),
    );
    const expected = days.map((day) => ({
      day,
      count: txs.filter((tx) => utcDay(tx.timeNs) === day).length,
    }));
    expect(expected.some(({ count }) => count === 0) && expected.some(({ count }) => count > 0)).toBe(true);
    expect(json.tx_daily).toEqual(expected);
  });
  test('limit sets how many latest txs', async () => {
    const { json } = await ask<{ latest_txs: unknown[] }>(t.api, '/v1/stats?limit=2');
    expect(json.latest_txs).toHaveLength(2);
  });
});

describe('/v1/blocks', () => {
  test('newest first, 50 when no limit is given', async () => {
    const { json } = await ask<{ blocks: unknown[] }>(t.api, '/v1/blocks');
    const heights = t.chain.blocks.map((block) => block.height).reverse();
    expect(json).toEqual({ blocks: heights.map(expectedBlock), next_cursor: null });
  });
  test('a block has its txs in order and its block-level events with mode', async () => {
    const { json } = await ask(t.api, `/v1/blocks/${FIRST_HEIGHT + 2}`);
    expect(json).toEqual({
      block: expectedBlock(FIRST_HEIGHT + 2),
      txs: blockAt(FIRST_HEIGHT + 2).txs.map((tx) => expectedTx(tx)),
      events: [JSON.parse(BLOCK_EVENT_TEXT)],
    });
  });
});

describe('/v1/txs/{hash}', () => {
  test('every tx by its consensus hash in any case', async () => {
    for (const tx of t.chain.txs.slice(0, 20)) {
      if (tx.hash === TWICE_FAILED || tx.hash === RETRIED) continue;
      expect((await ask(t.api, `/v1/txs/${hashOf(tx)}`)).json).toEqual(expectedTx(tx));
      expect((await ask(t.api, `/v1/txs/${hashOf(tx).toLowerCase()}`)).json).toEqual(expectedTx(tx));
    }
  });
  test('of several txs with one hash the successful one, else the latest', async () => {
    const retried = blockAt(FIRST_HEIGHT + 2).txs[1] as ModelTx;
    const failed = blockAt(FIRST_HEIGHT + 2).txs[0] as ModelTx;
    expect((await ask(t.api, `/v1/txs/${'22'.repeat(32)}`)).json).toEqual(expectedTx(retried));
    expect((await ask(t.api, `/v1/txs/${ETH_RETRIED}`)).json).toEqual(expectedTx(retried));
    expect((await ask(t.api, `/v1/txs/${'11'.repeat(32)}`)).json).toEqual(expectedTx(failed));
  });
  test('an eth hash shows the EVM view of its own message', async () => {
    const tx = blockAt(FIRST_HEIGHT + 2).txs[2] as ModelTx;
    for (const ethHash of [TWO_ETH[0], TWO_ETH[2]] as string[]) {
      const evm = JSON.parse(evmText(tx, ethHash));
      expect((await ask(t.api, `/v1/txs/${ethHash}`)).json).toEqual(expectedTx(tx, evm));
      expect((await ask(t.api, `/v1/txs/${ethHash.toUpperCase()}`)).json).toEqual(expectedTx(tx, evm));
    }
  });
  test('a consensus hash is not found as an eth hash, nor the other way round', async () => {
    expect((await ask(t.api, `/v1/txs/0x${'22'.repeat(32)}`)).status).toBe(404);
    expect((await ask(t.api, `/v1/txs/${ETH_RETRIED.slice(2)}`)).status).toBe(404);
  });
});

describe('/v1/accounts/{addr}/txs', () => {
  test('an unknown account has an empty page', async () => {
    const { status, json } = await ask(
      t.api,
      `/v1/accounts/${encodeBech32('cosmos', new Uint8Array(20))}/txs`,
    );
    expect(status).toBe(200);
    expect(json).toEqual({
      txs: [],
      total: 0,
      next_cursor: null,
      prev_cursor: null,
      last_cursor: null,
      methods: [],
    });
  });
  test('txs are whole', async () => {
    const { json } = await ask<{ txs: unknown[] }>(t.api, `/v1/accounts/${ACCOUNTS[0]}/txs?limit=3`);
    const expected = t.chain.txs.filter((tx) => tx.accounts.includes(ACCOUNTS[0] as string)).slice(0, 3);
    expect(json.txs).toEqual(expected.map((tx) => expectedTx(tx)));
  });
});

describe('/v1/lookup/{q}', () => {
  const candidates = async (q: string) => {
    const { status, json } = await ask(t.api, `/v1/lookup/${encodeURIComponent(q)}`);
    expect(status).toBe(200);
    expect(json.query).toBe(q);
    return json.candidates;
  };
  test('64 hex digits: the tx, with its eth hash when it has one', async () => {
    const tx = blockAt(FIRST_HEIGHT + 2).txs[2] as ModelTx;
    expect(await candidates(hashOf(tx).toLowerCase())).toEqual([
      { type: 'tx', id: hashOf(tx), eth_hash: TWO_ETH[0] },
    ]);
    expect(await candidates('11'.repeat(32))).toEqual([
      expect.objectContaining({ type: 'tx', id: '11'.repeat(32) }),
    ]);
    expect(await candidates(UNKNOWN)).toEqual([]);
  });
  test('0x and 64 hex digits: the tx with that eth hash; its id is the consensus hash', async () => {
    const tx = blockAt(FIRST_HEIGHT + 2).txs[2] as ModelTx;
    const hash = TWO_ETH[2] as string;
    expect(await candidates(hash.toUpperCase())).toEqual([{ type: 'tx', id: hashOf(tx), eth_hash: hash }]);
    expect(await candidates(`0x${UNKNOWN}`)).toEqual([]);
  });
  test('an address: one account, known when any row names it', async () => {
    const seen = { type: 'account', id: ACCOUNTS[0], evm_address: ACCOUNTS_HEX[0], known: true };
    expect(await candidates(ACCOUNTS[0] as string)).toEqual([seen]);
    expect(await candidates(ACCOUNTS_HEX[0] as string)).toEqual([seen]);
    expect(await candidates((ACCOUNTS_HEX[0] as string).toLowerCase())).toEqual([seen]);
    expect(await candidates(ACCOUNTS[5] as string)).toEqual([
      { type: 'account', id: ACCOUNTS[5], evm_address: ACCOUNTS_HEX[5], known: false },
    ]);
    expect(await candidates(MODULE_ACCOUNT)).toEqual([
      { type: 'account', id: MODULE_ACCOUNT, evm_address: null, known: true },
    ]);
  });
  test('a non-negative integer of any length: the block, when it is indexed', async () => {
    expect(await candidates(String(FIRST_HEIGHT))).toEqual([{ type: 'block', id: String(FIRST_HEIGHT) }]);
    expect(await candidates(String(t.chain.head.height))).toHaveLength(1);
    for (const q of [0, FIRST_HEIGHT - 1, t.chain.head.height + 1, 2n ** 64n, '9'.repeat(500)]) {
      expect(await candidates(String(q))).toEqual([]);
    }
  });
  test.each(['alice', '-1', '1.5', '0x12', 'ab'.repeat(31), 'a/b c?', '\u0000', '0'])(
    '%j is a 404 unless it is a recognised shape',
    async (q) => {
      const { status, json } = await ask(t.api, `/v1/lookup/${encodeURIComponent(q)}`);
      expect(status).toBe(q === '0' ? 200 : 404);
      if (q !== '0') expect(json.code).toBe('not_found');
    },
  );
  test('a wrong checksum, a foreign prefix and a validator address are 404', async () => {
    const bech32 = ACCOUNTS[0] as string;
    const hex = ACCOUNTS_HEX[0] as string;
    const turned = [...hex.slice(2)]
      .map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase()))
      .join('');
    const wrong = [
      `${bech32.slice(0, -1)}${bech32.endsWith('q') ? 'p' : 'q'}`,
      `0x${turned}`,
      encodeBech32('osmo', new Uint8Array(20)),
      encodeBech32('cosmosvaloper', new Uint8Array(20)),
    ];
    for (const q of wrong) expect((await ask(t.api, `/v1/lookup/${q}`)).status, q).toBe(404);
  });
});

test('equal requests in flight and repeated ones give equal answers', async () => {
  const target = '/v1/txs?limit=20';
  const answers = await Promise.all(Array.from({ length: 20 }, () => t.api.handle('GET', target)));
  const again = t.api.handle('GET', `${target}&ignored=1`);
  expect(again).not.toBeInstanceOf(Promise);
  for (const answer of answers) expect(answer).toBe(await again);
});

test('nothing was reported to the operator', () => {
  expect(t.reported).toEqual([]);
});
