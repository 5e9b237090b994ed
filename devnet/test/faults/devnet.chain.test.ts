import type { JsonObject } from 'strata-kit/proto-json';
import type { RpcServer } from 'strata-kit/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Devnet, openDevnet } from '../../src/devnet.ts';
import { withFaults } from '../../src/faults/faults.ts';
import { parseFaults } from '../../src/faults/names.ts';
import { ASSETS } from '../../src/modules/asset/records.ts';
import { genesisContracts } from '../../src/modules/evm/genesis.ts';
import { startRpc } from '../../src/rpc/server.ts';
import { createWorkload } from '../../src/workload/workload.ts';

/** Wrong values over a chain that works: two nodes of one devnet, of which one lies. */

const BLOCKS = 30;
const FROM = 10;

let devnet: Devnet;
let right: RpcServer;
let wrong: RpcServer;

beforeAll(async () => {
  devnet = await openDevnet({ clock: 'simulated' });
  const { app, parameters, signer } = devnet;
  const view = () => ({ reader: app.state, height: app.head().height, timeNs: app.head().timeNs });
  const workload = createWorkload({
    seed: '1',
    parameters,
    encoder: app.codec,
    contracts: genesisContracts(parameters),
    view: view(),
  });
  const faults = parseFaults([`event-value@${FROM}`, `query-value@${FROM}`]);
  right = await startRpc({ chain: devnet.chain, port: 0 });
  wrong = await startRpc({ chain: withFaults(devnet.chain, faults, { signer, codec: app.codec }), port: 0 });
  for (let height = 1; height <= BLOCKS; height++) {
    const block = await devnet.produceBlock({ txs: workload.plan(view(), 10) });
    workload.observe(block, view());
  }
}, 60_000);

afterAll(async () => {
  await Promise.all([right.close(), wrong.close()]);
  await devnet.stop();
});

async function textOf(rpc: RpcServer, path: string): Promise<string> {
  return (await fetch(rpc.url + path)).text();
}

/** Where two texts differ: the shortest part of each. */
function difference(a: string, b: string): readonly [string, string] {
  let start = 0;
  while (a[start] === b[start]) start++;
  let end = 0;
  while (a.at(-1 - end) === b.at(-1 - end)) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

describe('a node that lies', () => {
  it('tells one value too great a block, with events of the modules, and nothing else wrong', async () => {
    let lies = 0;
    for (let height = 1; height <= BLOCKS; height++) {
      expect(await textOf(wrong, `/block?height=${height}`)).toBe(
        await textOf(right, `/block?height=${height}`),
      );
      const path = `/block_results?height=${height}`;
      const [told, really] = [await textOf(wrong, path), await textOf(right, path)];
      if (told === really) continue;
      lies++;
      expect(height).toBeGreaterThanOrEqual(FROM);
      const [a, b] = difference(told, really);
      // the digits that differ, such as 20 and 19
      expect(BigInt(a) - BigInt(b)).toBe(1n);
    }
    expect(lies).toBeGreaterThan(5);
  });

  it('answers reconciliation with one too much, about heights from there on', async () => {
    const [asset] = [...devnet.readerAt(FROM - 1).entries(ASSETS)];
    expect(asset).toBeDefined();
    const { codec } = devnet.app;
    const path = '/aeva.rights.v1.Query/Totals';
    const data = Buffer.from(
      codec.encode(codec.method(path)?.request ?? '', { asset_id: asset?.[0] ?? '', kind_id: 0 }),
    ).toString('hex');
    const supplyAt = async (rpc: RpcServer, height: number): Promise<string> => {
      const answer = JSON.parse(
        await textOf(rpc, `/abci_query?path="${path}"&data=0x${data}&height=${height}`),
      ) as { result: { response: { value: string | null } } };
      const value = Buffer.from(answer.result.response.value ?? '', 'base64');
      return String((codec.decode(codec.method(path)?.response ?? '', value) as JsonObject).supply);
    };
    const heights = [FROM - 1, FROM, BLOCKS];
    const [before, at, after] = await Promise.all(heights.map((height) => supplyAt(right, height)));
    expect(await Promise.all(heights.map((height) => supplyAt(wrong, height)))).toEqual([
      before,
      String(BigInt(at ?? 0) + 1n),
      String(BigInt(after ?? 0) + 1n),
    ]);
  });
});
