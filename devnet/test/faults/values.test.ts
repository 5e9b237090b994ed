import type { AbciEvent } from 'strata-kit/abci-event';
import { openCodec } from 'strata-kit/codec/codec';
import type { JsonObject } from 'strata-kit/proto-json';
import type { RpcServer } from 'strata-kit/rpc/server';
import { afterEach, describe, expect, it } from 'vitest';
import type { Block, Chain } from '../../src/comet/types.ts';
import { createSigner } from '../../src/comet/validator.ts';
import { withFaults } from '../../src/faults/faults.ts';
import { parseFaults } from '../../src/faults/names.ts';
import { startRpc } from '../../src/rpc/server.ts';
import { openRecordedChain } from '../rpc/recorded-chain.ts';

/** Faults that tell wrong values, from the outside. */

const codec = openCodec({ namespace: 'aeva' });
const signer = createSigner(1);
const open: RpcServer[] = [];

afterEach(async () => {
  for (const rpc of open.splice(0)) await rpc.close();
});

const TRANSFER: AbciEvent = { type: 'transfer', attributes: [['supply', '7']] };
const ISSUED: AbciEvent = {
  type: 'aeva.rights.v1.EventIssued',
  attributes: [
    ['asset_id', '"aa"'],
    ['recipient_units_after', '"99999999999999999999"'],
    ['supply_after', '"5"'],
    ['units', '"3"'],
    ['msg_index', '0'],
  ],
};
const CREATED: AbciEvent = {
  type: 'aeva.encumbrance.v1.EventCreated',
  attributes: [['holder_release_after', '"2026-01-01T00:00:00Z"']],
};

/** The recorded chain with an event of the modules in each tx and in each block. */
function openChain(answers: Readonly<Record<string, JsonObject>> = {}): Chain {
  const chain = openRecordedChain({ head: 40 });
  const marked = (block: Block): Block => ({
    ...block,
    results: block.results.map((result) => ({ ...result, events: [TRANSFER, CREATED, ISSUED, ISSUED] })),
    events: [ISSUED],
  });
  return {
    ...chain,
    block(height) {
      const block = chain.block(height);
      return block === undefined ? undefined : marked(block);
    },
    async query(path, _data, height) {
      const type = codec.method(path)?.response ?? '';
      const value = codec.encode(type, answers[path] ?? {});
      return { code: 0, codespace: '', log: '', value, height: height === 0 ? 40 : height };
    },
  };
}

async function start(chain: Chain, ...faults: string[]) {
  const rpc = await startRpc({ chain: withFaults(chain, parseFaults(faults), { signer, codec }), port: 0 });
  open.push(rpc);
  return async <T>(method: string, params: Record<string, unknown>): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = (await (
      await fetch(rpc.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    ).json()) as { result: T };
    return answer.result;
  };
}

interface Results {
  readonly txs_results: readonly { readonly events: readonly Event[] }[] | null;
  readonly finalize_block_events: readonly Event[];
}
interface Event {
  readonly type: string;
  readonly attributes: readonly { readonly key: string; readonly value: string }[];
}

/** Each value of a height that is not as it was: where, what. */
async function wrongIn(ask: Awaited<ReturnType<typeof start>>, height: number): Promise<string[]> {
  const results = await ask<Results>('block_results', { height: String(height) });
  const right = new Map(
    [TRANSFER, CREATED, ISSUED].flatMap(({ type, attributes }) =>
      attributes.map(([key, value]) => [`${type} ${key}`, value] as const),
    ),
  );
  const wrong = (place: string, events: readonly Event[]) =>
    events.flatMap(({ type, attributes }, at) =>
      attributes
        .filter(({ key, value }) => right.get(`${type} ${key}`) !== value)
        .map(({ key, value }) => `${place} ${at} ${key} ${value}`),
    );
  return [
    ...(results.txs_results ?? []).flatMap(({ events }, at) => wrong(`tx ${at}`, events)),
    ...wrong('block', results.finalize_block_events),
  ];
}

describe('event-value', () => {
  it('makes the first post-value of each block one greater, from its height on', async () => {
    const ask = await start(openChain(), 'event-value@20');
    expect(await wrongIn(ask, 19)).toEqual([]);
    expect(await wrongIn(ask, 32)).toEqual(['tx 0 2 recipient_units_after "100000000000000000000"']);
    // without a tx
    expect(await wrongIn(ask, 20)).toEqual(['block 0 recipient_units_after "100000000000000000000"']);
  });

  it('makes a named field wrong, up to a height', async () => {
    const ask = await start(
      openChain(),
      'event-value:rights.EventIssued.supply_after@24-25',
      'event-value:rights.EventIssued.units@25-25',
      'event-value:rights.EventRedeemed.units@1',
    );
    expect(await wrongIn(ask, 23)).toEqual([]);
    expect(await wrongIn(ask, 24)).toEqual(['block 0 supply_after "6"']);
    expect((await wrongIn(ask, 25)).map((text) => text.split(' ').slice(-2).join(' ')).sort()).toEqual([
      'supply_after "6"',
      'units "4"',
    ]);
    expect(await wrongIn(ask, 26)).toEqual([]);
  });
});

describe('query-value', () => {
  const TOTALS = '/aeva.rights.v1.Query/Totals';
  const ACCRUALS = '/aeva.payout.v1.Query/Accruals';
  const NONCE = '/aeva.asset.v1.Query/NextNonce';
  const answers = {
    [TOTALS]: { supply: '5', positions: '5', encumbered: '1' },
    [ACCRUALS]: {
      accruals: [{ kind_id: 1, denom: 'uusd', total_distributed: '9' }, { total_distributed: '9' }],
    },
    [NONCE]: { next_nonce: '4' },
  };

  async function asked(
    ask: Awaited<ReturnType<typeof start>>,
    path: string,
    height = '0',
  ): Promise<JsonObject> {
    const { response } = await ask<{ response: { value: string | null } }>('abci_query', {
      path,
      data: '',
      height,
    });
    return codec.decode(codec.method(path)?.response ?? '', Buffer.from(response.value ?? '', 'base64'));
  }

  it('makes what reconciliation asks for one greater, at its heights', async () => {
    const ask = await start(openChain(answers), 'query-value@20');
    expect(await asked(ask, TOTALS, '19')).toEqual({ supply: '5', positions: '5', encumbered: '1' });
    expect(await asked(ask, TOTALS, '20')).toEqual({ supply: '6', positions: '5', encumbered: '1' });
    expect(await asked(ask, NONCE)).toEqual({ next_nonce: '5' });
    expect(await asked(ask, ACCRUALS)).toMatchObject({
      accruals: [{ kind_id: 1, denom: 'uusd', total_distributed: '10' }, { total_distributed: '9' }],
    });
    expect(await asked(ask, '/aeva.rights.v1.Query/Export')).toEqual({ positions: [], supplies: [] });
  });

  it('makes a named field wrong', async () => {
    const ask = await start(openChain(answers), 'query-value:rights.Totals.encumbered@1-30');
    expect(await asked(ask, TOTALS, '30')).toEqual({ supply: '5', positions: '5', encumbered: '2' });
    expect(await asked(ask, TOTALS, '31')).toEqual({ supply: '5', positions: '5', encumbered: '1' });
    expect(await asked(ask, NONCE)).toEqual({ next_nonce: '4' });
  });
});
