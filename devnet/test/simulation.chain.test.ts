import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { bytesToHex, hexToBytes } from 'strata-kit/bytes';
import type { RpcServer } from 'strata-kit/rpc/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Devnet, openDevnet } from '../src/devnet.ts';
import { type EthereumRpcServer, startEthereumRpc } from '../src/evm-rpc/server.ts';
import { wrapEthereumTx } from '../src/modules/evm/wrap.ts';
import { startRpc } from '../src/rpc/server.ts';
import { RESTART_MS, RUN_MS, START_MS } from '../src/simulation/limits.ts';
import { createSimulations } from '../src/simulation/simulations.ts';
import type { SimulationStop } from '../src/simulation/stop.ts';
import { createTurns } from '../src/simulation/turns.ts';
import { simulationEntry } from '../src/simulation/worker-entry.ts';
import { account, walletOf } from './evm/support.ts';

/** Code of a contract that calls ecrecover until its gas is used up: JUMPDEST, the call, POP, back. */
const ECRECOVER_FOR_EVER = '5b60405f60805f60015afa505f56';
/** A creation that runs this code at once. */
const WORST_CALL = { data: `0x${ECRECOVER_FOR_EVER}`, gas: '0x2625a00' };
const CLIENTS = 50;
const sender = walletOf(1);

let devnet: Devnet;
let rpc: RpcServer;
let ethereum: EthereumRpcServer;
const errors: unknown[] = [];

beforeAll(async () => {
  devnet = await openDevnet({
    ...{ clock: 'wall', blockTimeMs: 50, onUnforeseen: (error) => errors.push(error) },
    accounts: [{ address: account(sender), coins: [{ denom: 'aaeva', amount: 10n ** 24n }] }],
  });
  const { chain, app, parameters, readerAt, simulations } = devnet;
  rpc = await startRpc({ chain, port: 0 });
  const source = { chain, codec: app.codec, parameters, readerAt, simulations };
  ethereum = await startEthereumRpc({ source, port: 0 });
  devnet.start();
});

afterAll(async () => {
  await rpc?.close();
  await ethereum?.close();
  await devnet?.stop();
});

async function ask(
  method: string,
  params: unknown[],
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const response = await fetch(ethereum.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    ...(signal === undefined ? {} : { signal }),
  });
  return (await response.json()) as Record<string, unknown>;
}

/** An abci_query of Simulate for a tx that makes a contract of this code, signed, with the most gas of a simulation. */
async function worstSimulation(): Promise<string> {
  const raw = await sender.signTransaction({
    ...{ chainId: devnet.parameters.evmChainId, nonce: 0, gasLimit: 10_000_000, gasPrice: 10n ** 9n },
    data: `0x${ECRECOVER_FOR_EVER}`,
  });
  const tx = wrapEthereumTx(devnet.app.codec, devnet.parameters, hexToBytes(raw.slice(2)) as Uint8Array);
  const data = bytesToHex(new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(tx).finish());
  const params = { path: '/cosmos.tx.v1beta1.Service/Simulate', data };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'abci_query', params });
}

async function post(url: string, body: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body, signal });
  return (await response.json()) as Record<string, unknown>;
}

async function blocksDuring(task: Promise<unknown>): Promise<number> {
  const before = devnet.chain.latestHeight();
  await task;
  return devnet.chain.latestHeight() - before;
}

describe('the worst calls of many clients at once', () => {
  it('do not keep blocks from being made', async () => {
    const stop = new AbortController();
    const { signal } = stop;
    const simulation = await worstSimulation();
    expect(await post(rpc.url, simulation, signal)).toMatchObject({ result: { response: { code: 0 } } });
    const during = 1_000;
    const idle = await blocksDuring(sleep(during));
    const attack = Array.from({ length: CLIENTS }, async (_, i) => {
      const send = () =>
        i % 2 === 0 ? ask('eth_call', [WORST_CALL], signal) : post(rpc.url, simulation, signal);
      while (!signal.aborted) await send().catch(() => sleep(10));
    });
    const attacked = await blocksDuring(sleep(during));
    stop.abort();
    await Promise.all(attack);
    // the cores are shared with the clients of this test and with other work
    expect(attacked).toBeGreaterThan(idle / 3);
    expect(errors).toEqual([]);
  });

  it('leave room for others: no client fills the queue', async () => {
    const turns = createTurns<string, string>({
      places: 1,
      maxWaiting: 6,
      maxWaitingOfOne: 3,
      waitMs: 60_000,
      start: (input) => ({
        result: sleep(5).then(() => {
          order.push(input);
          return input;
        }),
        cancel: () => {},
      }),
    });
    const order: string[] = [];
    const of = (client: string, count: number) =>
      Array.from({ length: count }, (_, i) =>
        turns
          .run(`${client}${i}`, { client, signal: undefined })
          .catch((error: SimulationStop) => error.reason),
      );
    const answers = await Promise.all([...of('a', 6), ...of('b', 2)]);
    expect(answers).toEqual(['a0', 'a1', 'a2', 'a3', 'busy', 'busy', 'b0', 'b1']);
    expect(order).toEqual(['a0', 'a1', 'b0', 'a2', 'b1', 'a3']);
  });

  it('that fill the queue from several addresses lose their newest to a client with fewer', async () => {
    const finish: (() => void)[] = [];
    const turns = createTurns<string, string>({
      ...{ places: 1, maxWaiting: 6, maxWaitingOfOne: 3, waitMs: 60_000 },
      start: (input) => ({
        result: new Promise((resolve) => finish.push(() => resolve(input))),
        cancel: () => {},
      }),
    });
    const ask = (input: string) =>
      turns
        .run(input, { client: input.slice(0, 1), signal: undefined })
        .catch((error: SimulationStop) => error.reason);
    const attack = ['a0', 'a1', 'a2', 'a3', 'b0', 'b1', 'b2'].map(ask);
    const others = ['c0', 'd0', 'e0'].map(ask);
    let isOver = false;
    const answers = Promise.all([...attack, ...others]).finally(() => {
      isOver = true;
    });
    while (!isOver) {
      finish.shift()?.();
      await sleep(0);
    }
    // c0 and d0 take one place of each; with e0 nobody waits with more than two, so one of them loses one more
    expect(await answers).toEqual(['a0', 'a1', 'busy', 'busy', 'b0', 'b1', 'busy', 'c0', 'd0', 'e0']);
  });

  it('are refused with -32005 once too many wait', async () => {
    const short = { ...WORST_CALL, gas: '0x30d40' };
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask('eth_call', [short])));
    const codes = answers.map(({ error }) => (error as { code: number }).code);
    expect(new Set(codes)).toEqual(new Set([-32_000, -32_005]));
  });
});

describe('a simulation', () => {
  const CALL = {
    kind: 'call',
    request: {
      from: new Uint8Array(20),
      to: undefined,
      value: 0n,
      data: hexToBytes(ECRECOVER_FOR_EVER) ?? new Uint8Array(0),
      gas: undefined,
      price: 0n,
      accessList: [],
    },
    moment: { height: 1, timeNs: 0n, blockHash: new Uint8Array(32), proposer: new Uint8Array(20) },
  } as const;
  /** PUSH1 42, return it as a word. */
  const ANSWER = {
    ...CALL,
    request: { ...CALL.request, data: hexToBytes('602a5f5260205ff3') ?? new Uint8Array(0) },
  };

  const opened: { close(): Promise<void> }[] = [];
  const open = (limits: { runMs?: number }, gone = false) => {
    const simulations = createSimulations({
      parameters: devnet.parameters,
      textsAt: () => (gone ? undefined : { get: () => undefined, entries: () => [] }),
      onError: (error) => errors.push(error),
      limits: { threads: 1, ...limits },
    });
    opened.push(simulations);
    return simulations;
  };
  afterAll(() => Promise.all(opened.map((one) => one.close())));
  const someone = { client: 'someone', signal: undefined };

  it('that takes too long is ended with its thread, and another thread takes the next', async () => {
    const simulations = open({ runMs: 20 });
    const reason = await simulations
      .ethereumCall(CALL, 1, someone)
      .catch((error: SimulationStop) => error.reason);
    expect(reason).toBe('timeout');
    expect(RUN_MS).toBe(5_000);
    const generous = open({});
    expect(bytesToHex(await generous.ethereumCall(ANSWER, 1, someone))).toMatch(/2a$/);
  });

  it('ends when its client goes, without its thread', async () => {
    const simulations = open({});
    await simulations.ethereumCall(ANSWER, 1, someone);
    const gone = new AbortController();
    const call = simulations.ethereumCall(CALL, 1, { client: 'someone', signal: gone.signal });
    setTimeout(() => gone.abort(), 20);
    expect(await call.catch((error: SimulationStop) => error.reason)).toBe('cancelled');
    // a new thread would need its modules first: this one is there
    const from = performance.now();
    await simulations.ethereumCall(ANSWER, 1, someone);
    const again = performance.now() - from;
    const fresh = open({});
    const start = performance.now();
    await fresh.ethereumCall(ANSWER, 1, someone);
    expect(again).toBeLessThan(performance.now() - start);
  });

  it('over a height that is not kept any more says so', async () => {
    const call = open({}, true).ethereumCall(ANSWER, 1, someone);
    expect(await call.catch((error: SimulationStop) => error.reason)).toBe('forgotten');
    expect(errors).toEqual([]);
  });

  describe('whose thread does not start', () => {
    const folder = mkdtempSync(join(tmpdir(), 'strata-simulation-'));
    afterAll(() => rmSync(folder, { recursive: true }));
    const WORKS = `module.exports = require(${JSON.stringify(fileURLToPath(simulationEntry()))})`;

    const openAt = (entry: string, startMs: number) => {
      const defects: unknown[] = [];
      let nowMs = 0;
      const simulations = createSimulations({
        ...{ parameters: devnet.parameters, entry, nowMs: () => nowMs },
        textsAt: () => ({ get: () => undefined, entries: () => [] }),
        onError: (error) => defects.push(error),
        limits: { threads: 1, startMs },
      });
      opened.push(simulations);
      const call = () =>
        simulations
          .ethereumCall(ANSWER, 1, someone)
          .then(bytesToHex, (error: SimulationStop) => error.reason);
      const wait = (ms: number) => {
        nowMs += ms;
      };
      return { call, wait, defects };
    };

    it('ends with a code, and a later call gets a new thread', async () => {
      const entry = join(folder, 'throws.cjs');
      writeFileSync(entry, 'throw new Error("cannot start")');
      const { call, wait, defects } = openAt(entry, START_MS);
      expect(await call()).toBe('no_thread');
      expect(defects).toEqual([expect.objectContaining({ message: 'cannot start' })]);
      writeFileSync(entry, WORKS);
      wait(RESTART_MS - 1);
      expect(await call()).toBe('no_thread');
      wait(1);
      expect(await call()).toMatch(/2a$/);
      expect(defects).toHaveLength(1);
    });

    it('because it hangs loses its place', async () => {
      const entry = join(folder, 'hangs.cjs');
      writeFileSync(entry, 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)');
      const { call, wait, defects } = openAt(entry, 200);
      expect(await call()).toBe('no_thread');
      wait(RESTART_MS);
      expect(await call()).toBe('no_thread');
      expect(defects).toHaveLength(2);
    });
  });
});
